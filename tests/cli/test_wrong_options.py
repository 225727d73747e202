"""Options that make no sense are refused, and answers that nobody could give are told of."""

from __future__ import annotations

import json
import shlex
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

from narrator.cli.main import COMMANDS, main, narrator
from narrator.cli.options import Finite

pytestmark = pytest.mark.unit

GAME = "one-night-revolution"


def run(capsys: pytest.CaptureFixture[str], *arguments: object) -> tuple[int, str, str]:
    with pytest.raises(SystemExit) as ended:
        main([str(argument) for argument in arguments])
    out, err = capsys.readouterr()
    return int(ended.value.code or 0), out, err


def parameters() -> Iterator[tuple[str, click.Parameter]]:
    for name in COMMANDS:
        top = narrator.get_command(click.Context(narrator), name)
        commands = getattr(top, "commands", {"": top})
        for command in commands.values():
            yield from ((name, parameter) for parameter in command.params)


FRACTIONS = [(n, p) for n, p in parameters() if isinstance(p.type, type(click.FLOAT))
             or isinstance(p.type, click.FloatRange)]  # fmt: skip


def test_there_are_options_with_fractions() -> None:
    assert {"noise", "leak"} <= {parameter.name for _, parameter in FRACTIONS}


@pytest.mark.parametrize(("name", "parameter"), FRACTIONS)
@pytest.mark.parametrize("value", ["nan", "inf", "-inf", "1e999"])
def test_no_option_takes_what_is_no_number(name, parameter, value) -> None:
    assert isinstance(parameter.type, Finite), f"{name} --{parameter.name}"
    with pytest.raises(click.BadParameter):
        parameter.type.convert(value, parameter, None)


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("rehearse", ""), "No game was named."),
        (("check", " "), "No game was named."),
        (("rehearse", GAME, "--text", "--out", ""), "names no folder"),
        (("rehearse", GAME, "--text", "--set", "="), "names no option"),
        (("rehearse", GAME, "--text", "--set", "=3"), "names no option"),
        (("rehearse", GAME, "--text", "--set", "discussion=nan"), "should be a time"),
        (("rehearse", GAME, "--text", "--noise", "nan"), "no number that can be used"),
        (("rehearse", GAME, "--text", "--leak", "1e9"), "not in the range"),
        (("rehearse", "mafia", "--text", "--set", "mafiosi=1.e999"), "should be a number"),
        (("new", "x", "--min", "-3", "--yes"), "cannot be"),
    ],
)
def test_what_makes_no_sense_is_refused_in_one_sentence(capsys, arguments, told) -> None:
    code, _, err = run(capsys, *arguments)
    assert code == 2
    assert err.startswith("Error: ") and told in err


FIVE, SEVEN = "Ana,Bob,Cy,Dee,Eve", "Ana,Bob,Cy,Dee,Eve,Flo,Gus"


@pytest.mark.parametrize(
    ("game", "players", "chosen", "told"),
    [
        ("mafia", FIVE, "mafiosi=8", "mafiosi should be at most 2, not 8."),
        ("mafia", SEVEN, "mafiosi=4", "mafiosi should be at most 3, not 4."),
        ("mafia", FIVE, "mafiosi=1.5", "mafiosi should be a whole number, not 1.5."),
        ("scorekeeper", FIVE, "rounds=2.5", "rounds should be a whole number, not 2.5."),
        ("scorekeeper", FIVE, "pace=9", "pace should be at most 4, not 9."),
    ],
)
def test_a_number_no_table_of_this_size_can_have_is_refused(
    capsys, game, players, chosen, told
) -> None:
    code, _, err = run(capsys, "rehearse", game, "--text", "--players", players, "--set", chosen)
    assert code == 2
    assert told in err


@pytest.mark.parametrize(
    ("game", "players", "chosen"),
    [("mafia", SEVEN, "mafiosi=3"), ("mafia", FIVE, "mafiosi=2.0"), ("mafia", FIVE, "pace=1.5")],
)
def test_a_number_that_a_table_can_have_is_taken(capsys, game, players, chosen) -> None:
    code, _, err = run(capsys, "rehearse", game, "--text", "--players", players, "--set", chosen)
    assert code == 0, err


def test_a_folder_without_a_game_is_called_so(capsys, tmp_path: Path) -> None:
    code, _, err = run(capsys, "check", tmp_path)
    assert code == 2
    assert f"The folder {tmp_path} has no game.yaml" in err


def test_the_next_commands_are_written_as_a_shell_takes_them(capsys, tmp_path: Path) -> None:
    folder = tmp_path / "sp ace" / "x"
    _, out, _ = run(capsys, "new", folder, "--yes")
    words = shlex.split(out.splitlines()[-1].replace(",", "").rstrip("."))
    assert words.count(str(folder)) == 3


def rehearse(capsys, tmp_path: Path, answers: str) -> tuple[int, str, str]:
    file = tmp_path / "answers.yaml"
    file.write_text(answers, encoding="utf-8")
    return run(
        capsys, "rehearse", GAME, "--text", "--json", "--journal", "--answers", file,
        "--out", tmp_path / "out",
    )  # fmt: skip


def test_an_answer_for_a_step_that_is_not_there_is_refused_before_the_evening(
    capsys, tmp_path: Path
) -> None:
    code, _, err = rehearse(capsys, tmp_path, "- yes\n- {at: turnn, say: task complete}\n")
    assert code == 2
    assert "Answer 2 is for the step turnn" in err and "Did you mean `turn`?" in err


def test_answers_that_were_not_used_are_told_of(capsys, tmp_path: Path) -> None:
    code, out, err = rehearse(capsys, tmp_path, "- ready\n- {at: ready, say: ready}\n- never\n")
    assert code == 0
    assert json.loads(out)["unused"] == ["ready", "never"]
    assert "2 of 3 answers were not used" in err and "answer 2, 'ready'" in err


def test_answers_that_are_all_used_are_not_told_of(capsys, tmp_path: Path) -> None:
    _, out, err = rehearse(capsys, tmp_path, "- ready\n")
    assert json.loads(out)["unused"] == []
    assert "not used" not in err


@pytest.mark.parametrize(
    "answers", ["- [a]\n", "- {say: [a]}\n", "- {say: x, at: [y]}\n", "a: b\n"]
)
def test_a_list_of_answers_holds_texts_only(capsys, tmp_path: Path, answers: str) -> None:
    code, _, err = rehearse(capsys, tmp_path, answers)
    assert code == 2
    assert "should be" in err
