"""The commands for authors, as they are called: new, graph, schema, translate, check, import."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from PIL import Image

from narrator.cli.main import COMMANDS, main
from narrator.script.files.library import list_scripts
from narrator.script.reading.models import schema

pytestmark = pytest.mark.unit

GAME = "one-night-revolution"
Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    """Return what runs the command line: exit code, result and talk."""

    def call(*arguments: object) -> tuple[int, str, str]:
        with pytest.raises(SystemExit) as ended:
            main([str(argument) for argument in arguments])
        out, err = capsys.readouterr()
        return int(ended.value.code or 0), out, err

    return call


def test_every_command_is_there_and_has_help(run: Run) -> None:
    for name in COMMANDS:
        code, out, _ = run(name, "--help")
        assert code == 0
        assert "Usage" in out


def test_new_writes_what_check_and_test_then_accept(run: Run, tmp_path: Path) -> None:
    folder = tmp_path / "fox-hunt"
    code, out, _ = run("new", folder, "--min", "4", "--night", "--yes")
    assert code == 0
    assert "game.yaml" in out and "first.yaml" in out
    assert run("check", "--strict", folder)[:2] == (0, f"{folder}: no errors, no warnings.\n")
    assert run("test", folder)[0] == 0
    code, _, err = run("new", folder, "--yes")
    assert code == 2
    assert err.startswith("Error: ") and "is there already" in err


def test_new_asks_for_what_is_not_given(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    answers = iter(["Fox Hunt", "4", "6"])
    monkeypatch.setattr("click.termui.visible_prompt_func", lambda *_: next(answers))
    code, _, _ = run("new", tmp_path / "x", "--no-night", "--talk", "--rounds")
    assert code == 0
    text = (tmp_path / "x" / "game.yaml").read_text(encoding="utf-8")
    assert 'title: "Fox Hunt"\nplayers: {min: 4, max: 6}' in text
    assert "eyes: closed" not in text
    assert "Round {{ round }}" in text


def test_graph_is_a_diagram_or_a_picture(run: Run, tmp_path: Path) -> None:
    code, out, _ = run("graph", GAME)
    assert code == 0
    assert "stateDiagram-v2" in out
    png = tmp_path / "game.png"
    assert run("graph", GAME, "--png", png)[0] == 0
    with Image.open(png) as picture:
        assert picture.format == "PNG"
        size = picture.size
        assert picture.width > 2 * 400
        shades = picture.convert("L").tobytes()
    assert (min(shades) < 60, max(shades)) == (True, 255)
    assert run("graph", GAME, "--png", png, "--detail")[0] == 0
    with Image.open(png) as picture:
        assert picture.width * picture.height > size[0] * size[1]
    for wrong in (tmp_path / "none" / "x.png", tmp_path / "x.unknown"):
        code, _, err = run("graph", GAME, "--png", wrong)
        assert code == 2
        assert err.startswith("Error: ")


def test_schema_prints_what_editors_take(run: Run) -> None:
    code, out, _ = run("schema")
    assert (code, json.loads(out)) == (0, schema())


def test_translate_reports_and_its_exit_code_tells(run: Run, tmp_path: Path) -> None:
    code, out, _ = run("translate", GAME, "ko", "--check", "--json")
    report = json.loads(out)
    assert (code, report["complete"], report["has_locale"]) == (0, True, True)
    code, out, _ = run("translate", GAME, "de", "--out", tmp_path)
    assert code == 1
    assert "missing: setup/say-1" in out
    assert "Narrator's own text and commands are not available in de" in out
    assert sorted(p.name for p in tmp_path.iterdir()) == ["lines.de.yaml", "phrases.de.yaml"]


def test_check_looks_at_every_translation(run: Run, tmp_path: Path) -> None:
    run("new", tmp_path / "fox", "--yes")
    (tmp_path / "fox" / "lines.ko.yaml").write_text('title: "여우"\n', encoding="utf-8")
    assert run("check", tmp_path / "fox")[0] == 0
    code, out, _ = run("check", "--strict", tmp_path / "fox")
    assert code == 1
    assert "warning NS071" in out
    assert run("check", "--strict", "--language", "en", tmp_path / "fox")[0] == 0


def test_a_translation_into_a_language_that_is_not_there_is_a_warning(
    run: Run, tmp_path: Path
) -> None:
    folder = tmp_path / "fox"
    run("new", folder, "--yes")
    run("translate", folder, "de")
    code, out, err = run("check", folder)
    assert (code, err) == (0, "")
    assert "lines.de.yaml:1:1: warning NS074" in out
    assert "warning NS071" in out
    assert run("check", "--language", "de", "--strict", folder)[0] == 1
    assert "no language `de`" in run("rehearse", folder, "--language", "de", "--text")[2]
    assert run("rehearse", folder, "--text", "--out", tmp_path / "out")[0] == 0
    assert "no language `fr`" in run("check", "--language", "fr", folder)[2]


def test_a_player_is_told_that_words_are_missing(run: Run, tmp_path: Path) -> None:
    folder = tmp_path / "fox"
    run("new", folder, "--yes")
    told = ("rehearse", folder, "--language", "ko", "--text", "--out", tmp_path / "out")
    assert "이 언어로 번역되지 않아서" in run(*told)[2]
    (folder / "phrases.ko.yaml").write_text("", encoding="utf-8")
    (folder / "lines.ko.yaml").write_text('title: "여우"\n', encoding="utf-8")
    code, _, err = run(*told)
    assert code == 0
    assert "여우: 번역되지 않은 글이 9개" in err
    assert "translated" not in run("rehearse", folder, "--text", "--out", tmp_path / "out")[2]


def test_import_writes_a_script_that_checks_clean(run: Run, tmp_path: Path) -> None:
    file, folder = tmp_path / "fog.json", tmp_path / "fog"
    file.write_text('["miller", {"id": "owl", "name": "Owl", "firstNight": 1}]', encoding="utf-8")
    code, out, _ = run("import", "botc", file, "--out", folder)
    assert code == 0
    assert "Known by their id alone: Miller." in out
    assert run("check", "--strict", folder)[0] == 0
    for wrong, told in ((tmp_path / "none", "cannot be read"), (file, "is there already")):
        code, _, err = run("import", "botc", wrong, "--out", folder)
        assert code == 2
        assert told in err and "Traceback" not in err


def test_a_rehearsal_seats_people_by_itself_in_the_language_of_the_table(
    run: Run, tmp_path: Path
) -> None:
    arguments = ("rehearse", GAME, "--language", "ko", "--text", "--json", "--out", tmp_path)
    code, out, _ = run(*arguments)
    report = json.loads(out)
    assert code == 0
    assert report["seats"] == ["서연", "지훈", "이영희"]
    assert report["ended"] == "complete"


def test_check_tells_of_answers_that_sound_alike(tmp_path: Path, run: Run) -> None:
    script = tmp_path / "game.yaml"
    script.write_text(
        "narrator: 1\ntitle: Sides\nplayers: {min: 2, max: 4}\nphases:\n  only:\n    steps:\n"
        "      - ask: Which side?\n        id: side\n        into: side\n"
        "        answer: {good: [i am right], bad: [i am write]}\n      - say: '{{ side }}'\n",
        encoding="utf-8",
    )
    code, out, _ = run("check", script)
    assert code == 0
    assert "NS068: `i am right` and `i am write` sound alike." in out


def test_the_games_that_come_with_narrator_have_no_warning(run: Run) -> None:
    names = [entry.name for entry in list_scripts()]
    code, out, _ = run("check", "--strict", *names)
    assert (code, len(out.splitlines())) == (0, len(names)), out
