"""Wherever names come in, those that nobody can have are refused by the same sentence."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from narrator.cli.main import main

pytestmark = pytest.mark.unit

GAME = "one-night-revolution"
TOLD = "Zoe and Zoë are said alike"
NAMES = "Ana, Zoe, Zoë"


def run(capsys: pytest.CaptureFixture[str], *arguments: object) -> tuple[int, str, str]:
    with pytest.raises(SystemExit) as ended:
        main([str(argument) for argument in arguments])
    out, err = capsys.readouterr()
    return int(ended.value.code or 0), out, err


@pytest.mark.parametrize(
    "arguments",
    [
        ("play", GAME, "--players", NAMES),
        ("rehearse", GAME, "--text", "--players", NAMES),
        ("hear", GAME, "--players", NAMES, "a.wav"),
    ],
)
def test_names_on_the_command_line(capsys, arguments) -> None:
    code, _, err = run(capsys, *arguments)
    assert code == 2
    assert err.startswith(f"Error: {TOLD}")


@pytest.mark.parametrize("command", ["play", "rehearse"])
def test_no_names_at_all_are_not_the_same_as_none_given(capsys, command) -> None:
    code, _, err = run(capsys, command, GAME, "--players", "")
    assert code == 2
    assert "0 were named" in err


def test_names_of_thousands_of_letters_do_not_take_long(capsys) -> None:
    code, _, err = run(capsys, "play", GAME, "--players", f"Ana, Ben, {'x' * 100_000}")
    assert code == 2
    assert "100000 letters" in err and len(err) < 200


def test_names_of_a_table_file(capsys, tmp_path: Path) -> None:
    (tmp_path / "table.yaml").write_text("players: [Ana, Zoe, Zoë]\n", encoding="utf-8")
    code, _, err = run(capsys, "play", GAME, "--table", tmp_path / "table.yaml")
    assert (code, TOLD in err) == (2, True)
    text = "players: [Ana, Ben, {name: Cy, hear: stop}]\n"
    (tmp_path / "table.yaml").write_text(text, encoding="utf-8")
    code, _, err = run(capsys, "play", GAME, "--table", tmp_path / "table.yaml")
    assert (code, "Cy cannot be heard as stop" in err) == (2, True)


def test_names_of_a_case_to_be_scored(capsys, tmp_path: Path) -> None:
    case = {"seats": ["Ana", "Zoe", "Zoë"], "votes": {}}
    (tmp_path / "case.json").write_text(json.dumps(case), encoding="utf-8")
    code, out, _ = run(capsys, "score", GAME, tmp_path / "case.json")
    assert code == 0
    assert json.loads(out)["refused"].startswith(TOLD)


def test_names_of_a_plan_and_the_title_of_a_new_game(capsys, tmp_path: Path) -> None:
    run(capsys, "new", tmp_path / "fox", "--yes")
    plan = tmp_path / "fox" / "tests" / "first.yaml"
    plan.write_text("players: [Ana, Zoe, Zoë]\nsteps: []\n", encoding="utf-8")
    code, out, err = run(capsys, "test", tmp_path / "fox")
    assert code != 0 and TOLD in out + err
    for title in ("!!!", "\a bell", "x" * 5000):
        code, _, err = run(capsys, "new", tmp_path / "owl", "--title", title, "--yes")
        assert (code, "A " in err and len(err) < 200) == (2, True)


def test_a_case_may_stand_as_the_worked_examples_have_it(capsys, tmp_path: Path) -> None:
    given = {
        "seats": ["Ana", "Ben", "Cy"],
        "votes": {"Ana": "Ben", "Ben": "Ana", "Cy": "Ben"},
        "informants": ["Cy", "Ana"],
    }
    worked = {"case": "smallest game", "input": given, "expect": {}}
    (tmp_path / "case.json").write_text(json.dumps([given, worked]), encoding="utf-8")
    code, out, _ = run(capsys, "score", "one-night-revolution", tmp_path / "case.json")
    first, second = map(json.loads, out.splitlines())
    assert code == 0 and first == second
    assert first["winners"] == ["Ana", "Cy"]
