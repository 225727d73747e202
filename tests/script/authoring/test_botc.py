"""Importing a night order. All characters here are invented."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from narrator.script.authoring.botc import ImportFault, read_sheet, script_of
from narrator.script.compiler.compile import compile_script

pytestmark = pytest.mark.unit

LAMP = {
    "id": "lamp_lighter", "name": "Lamp Lighter", "team": "townsfolk", "ability": "Sees light.",
    "firstNight": 12, "firstNightReminder": "Show the :lamp:\nto one player.",
    "otherNight": 3, "otherNightReminder": "Ask for a number.",
}  # fmt: skip
BAKER = {"id": "baker", "name": "The Baker", "firstNight": 2.5}
MAYOR = {"id": "mayor", "name": "Mayor", "firstNight": 0, "otherNight": 1}
META = {"id": "_meta", "name": "Fog: over the Town", "author": "Somebody"}


def sheet(*items: Any) -> Any:
    return read_sheet(json.dumps(items))


def calls(text: str) -> list[str]:
    lines = [line.split('"')[1] for line in text.splitlines() if ', open your eyes."' in line
             and "#" not in line]  # fmt: skip
    return [line.split(",")[0] for line in lines]


def test_the_night_order_becomes_an_editable_script(tmp_path: Path) -> None:
    text = script_of(sheet(META, LAMP, BAKER, MAYOR))
    assert calls(text) == ["The Baker", "Lamp Lighter", "Mayor", "Lamp Lighter"]
    assert "# Show the :lamp: to one player.\n" in text
    assert "# Ask for a number.\n" in text
    assert "# The script's author: Somebody\n" in text
    (tmp_path / "game.yaml").write_text(text, encoding="utf-8")
    compiled = compile_script(tmp_path)
    assert compiled.diagnostics == ()
    assert compiled.game is not None
    assert compiled.game.title == "Fog: over the Town"
    assert [p.name for p in compiled.game.phases if p.eyes_closed] == [
        "first-night",
        "other-nights",
    ]


def test_an_order_that_the_file_lists_itself_wins() -> None:
    meta = {**META, "firstNight": ["dusk", "Lamp-Lighter", "mayor", "dawn"], "otherNight": None}
    text = script_of(sheet(meta, LAMP, BAKER, MAYOR))
    assert calls(text) == ["Lamp Lighter", "Mayor", "Mayor", "Lamp Lighter"]


def test_characters_without_anything_but_an_id_are_listed_for_the_host() -> None:
    found = sheet("watch_keeper", {"id": "miller"}, LAMP)
    assert found.to_fill_in() == ["Watch Keeper", "Miller"]
    text = script_of(found)
    assert "#   Watch Keeper\n#   Miller\n" in text
    assert calls(text) == ["Lamp Lighter", "Lamp Lighter"]
    ordered = sheet({**META, "firstNight": ["miller"]}, "miller")
    assert calls(script_of(ordered)) == ["Miller"]


@pytest.mark.parametrize(
    "name", ['{{ 1 }} "x"', "{% raw %}", "a: b # c", "- dash", "\u2028 \x07 x", "여우"]
)
def test_names_that_mean_something_to_a_script_are_only_words(tmp_path: Path, name: str) -> None:
    odd = {"id": "odd", "name": name, "firstNight": 1, "firstNightReminder": f"{name}\n- say: x"}
    text = script_of(sheet({**META, "name": name}, odd))
    (tmp_path / "game.yaml").write_text(text, encoding="utf-8")
    compiled = compile_script(tmp_path)
    unread = {"NS075"} if name == "여우" else set()  # letters that the voice of English skips
    assert {finding.code for finding in compiled.diagnostics} == unread


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "not valid JSON"),
        ("{", "not valid JSON"),
        ("[" * 100_000, "not valid JSON"),
        ("{}", "should be a JSON list"),
        ("[]", "no character"),
        ('[{"id": "_meta", "name": "x"}]', "no character"),
        ("[3]", "Entry 1 is neither"),
        ('["a", null]', "Entry 2 is neither"),
        ('["..."]', "Entry 1 has no id"),
        ('[{"name": "x"}]', "Entry 1 has no id"),
        ('[{"id": 4}]', "Entry 1: `id` should be a text"),
        ('["a", "A"]', "Entry 2: A is in the file twice"),
        ('[{"id": "a", "name": ["x"]}]', "Entry 1: `name` should be a text"),
        ('[{"id": "a", "firstNight": "soon"}]', "Entry 1: `firstNight` should be a number"),
        ('[{"id": "a", "otherNight": true}]', "Entry 1: `otherNight` should be a number"),
        ('[{"id": "a", "otherNight": NaN}]', "NaN, which is no number"),
        ('[{"id": "a", "otherNight": 1' + "0" * 6000 + "}]", "a number of 6,001 digits"),
        ('[{"id": "a", "otherNight": "inf"}]', "Entry 1: `otherNight` should be a number"),
        ('[\n"a",\n"b" "c"]', "line 3, column 5"),
        ('[{"id": "_meta", "firstNight": "a"}, "a"]', "_meta: `firstNight` should be a list"),
        ('[{"id": "_meta", "name": 3}, "a"]', "_meta: `name` should be a text"),
        (json.dumps([f"c{n}" for n in range(151)]), "151 characters"),
        (json.dumps([f"c{n}" for n in range(50_000)]), "50000 entries"),
    ],
)
def test_malformed_files_give_one_sentence(text: str, told: str) -> None:
    with pytest.raises(ImportFault, match=told) as caught:
        read_sheet(text)
    assert len(str(caught.value).splitlines()) <= 2


def test_more_text_than_a_script_can_hold_is_refused() -> None:
    loud = [
        {"id": f"c{n}", "firstNight": n + 1, "firstNightReminder": "x" * 400, "otherNight": 1,
         "otherNightReminder": "y" * 400}
        for n in range(100)
    ]  # fmt: skip
    with pytest.raises(ImportFault, match="too much text"):
        script_of(sheet(*loud))


def test_a_file_of_ids_alone_gives_calls_to_be_put_in_order(tmp_path: Path) -> None:
    text = script_of(sheet("miller", "night-owl"))
    assert calls(text) == []
    assert text.count('# - say: "Miller, open your eyes."') == 2
    assert text.count('# - say: "Night Owl, open your eyes."') == 2
    (tmp_path / "game.yaml").write_text(text, encoding="utf-8")
    assert compile_script(tmp_path).diagnostics == ()
    filled = text.replace("      # - ", "      - ")
    (tmp_path / "game.yaml").write_text(filled, encoding="utf-8")
    assert compile_script(tmp_path).diagnostics == ()
    assert calls(filled) == ["Miller", "Night Owl"] * 2


def test_who_is_in_an_order_and_not_in_the_file_is_told_of() -> None:
    meta = {**META, "firstNight": ["dusk", "ghoul", "mayor", "owl"]}
    found = sheet(meta, MAYOR, "owl")
    assert found.strangers() == ["ghoul"]
    assert [c.name for c in found.night(0)] == ["Mayor", "Owl"]
    assert [c.name for c in found.unplaced(0)] == []
    assert [c.name for c in found.unplaced(1)] == ["Owl"]


def test_groups_that_wake_in_the_files_order_are_called() -> None:
    order = {"firstNight": ["dusk", "minioninfo", "demoninfo", "chef", "dawn"]}
    found = sheet({**META, **order, "otherNight": ["dusk", "imp", "dawn"]}, "chef", "imp", "idle")
    text = script_of(found)
    assert calls(text) == ["Minions", "Demon", "Chef", "Imp"]
    assert found.strangers() == []
    assert found.to_fill_in() == []
    assert "Idle" not in text


def test_an_order_of_one_night_leaves_the_other_to_be_filled_in() -> None:
    found = sheet({**META, "firstNight": ["chef"]}, "chef", "idle")
    assert found.to_fill_in() == ["Chef", "Idle"]
    assert (found.unplaced(0), len(found.unplaced(1))) == ([], 2)
    assert sheet({**META, "firstNight": ["chef"], "otherNight": []}, "chef").unplaced(1) == []


@pytest.mark.parametrize(
    ("text", "title", "author", "names"),
    [
        ('[{"id": "_meta", "name": "A", "author": ["x", "y"]}, "chef"]', "A", "x, y", ["Chef"]),
        ('["_meta", "chef"]', "Imported script", "", ["Chef"]),
        ('["My Script", "washerwoman", "chef"]', "My Script", "", ["Washerwoman", "Chef"]),
        ('["Night Owl", "The Chef"]', "Imported script", "", ["Night Owl", "The Chef"]),
        ('[{"id": "_meta", "name": "X"},\n "chef",\n]', "X", "", ["Chef"]),
        ('["chef", {"id": "a", "name": "A,]",}]', "Imported script", "", ["Chef", "A,]"]),
    ],
)
def test_what_other_tools_write_is_read(
    text: str, title: str, author: str, names: list[str]
) -> None:
    found = read_sheet(text)
    assert (found.title, found.author) == (title, author)
    assert [c.name for c in found.characters] == names


def test_places_as_texts_and_lists_of_reminders_are_read() -> None:
    odd = {"id": "a", "name": "Al", "firstNight": "12", "otherNight": ""}
    later = {"id": "b", "name": "Bo", "firstNight": 2, "firstNightReminder": ["x", "y"]}
    found = sheet(odd, later)
    assert [(c.name, c.notes[0]) for c in found.night(0)] == [("Bo", "x, y"), ("Al", "")]
    assert found.night(1) == []
