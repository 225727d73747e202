"""Texts in letters that the voice of the language only names are told, everywhere."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from narrator.cli.write_games.import_ import command as import_
from narrator.cli.write_games.rehearse import command as rehearse
from narrator.language.read_aloud import unread
from narrator.script.compiler.compile import compile_script
from tests.fresh_process import run_fresh

HEAD = "narrator: 1\nplayers: {min: 3, max: 5}\n"
GAME = HEAD + "title: Wolves\nphases:\n  play:\n    steps:\n      - say: Wake up, 狼.\n"

pytestmark = pytest.mark.unit


def places(text: str) -> list[tuple[str, int]]:
    return [(d.code, d.place.line) for d in compile_script(text).diagnostics]


@pytest.mark.parametrize(
    ("text", "language", "word"),
    [
        ("Café, naïve Straße!", "en", ""),
        ("the wolf 狼 wakes", "en", "狼"),
        ("Привет all", "en", "Привет"),
        ("السلام", "en", "السلام"),
        ("a wolf 🐺, 12 + 3", "en", ""),
        ("늑대 and wolf", "ko", ""),
        ("늑대", "en-us", "늑대"),
        ("狼", "de", ""),  # of that language's voices nothing is known
    ],
)
def test_letters_that_are_only_named(text: str, language: str, word: str) -> None:
    assert unread(text, language) == word


@pytest.mark.parametrize(
    "step",
    [
        "- say: Wake up, 狼.",
        "- ask: Ready, 狼?\n        hear: [ready]",
        "- countdown: [one, 狼]",
        "- timer: 60s\n        say: Talk.\n        ended: 狼",
        "- hear: [ready]\n        nudge: {after: 10s, say: 狼}",
    ],
)
def test_check_tells_every_kind_of_line(step: str) -> None:
    text = f"{HEAD}title: T\nphases:\n  play:\n    steps:\n      {step}\n"
    assert [code for code, _ in places(text)] == ["NS075"]


def test_a_title_counts_and_what_stands_in_braces_does_not() -> None:
    assert places(GAME.replace("title: Wolves", "title: 狼"))[0] == ("NS075", 3)
    assert places(GAME.replace("Wake up, 狼.", "\"{{ '狼' | length }}\"")) == []


def written(folder: Path) -> Path:
    (folder / "game.yaml").write_text(GAME, encoding="utf-8")
    return folder / "game.yaml"


def test_rehearse_and_play_tell_it_in_one_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NARRATOR_DATA", str(tmp_path / "data"))
    game = str(written(tmp_path))
    told = "Wolves: the voice cannot read the letters of 1 text and would only name them"
    done = CliRunner().invoke(rehearse, [game, "--text", "--out", str(tmp_path / "out")])
    assert told in done.output
    line = ["play", game, "--players", "Ana,Ben,Cy", "--no-speech"]
    assert told in run_fresh(f"from narrator.cli.main import main\nmain({line!r})").stderr


def test_import_tells_it(tmp_path: Path) -> None:
    wolf = {"id": "wolf", "name": "狼", "team": "demon", "ability": "x", "firstNight": 1,
            "firstNightReminder": "狼睁眼"}  # fmt: skip
    sheet = tmp_path / "sheet.json"
    sheet.write_text(json.dumps([{"id": "_meta", "name": "Test"}, wolf]))
    done = CliRunner().invoke(import_, ["botc", str(sheet), "--out", str(tmp_path / "out")])
    assert done.exit_code == 0, done.output
    assert "the voice cannot read the letters of" in done.output
