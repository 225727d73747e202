"""The picture of a game is one that a host can read; `--detail` has the rest."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from PIL import Image

from narrator.adapters.pictures.flow import draw_flow
from narrator.adapters.pictures.outline import humanly, outline
from narrator.app.games import load_game
from narrator.core.game import Game
from narrator.script.compiler.compile import compile_script
from narrator.script.files.library import list_scripts

GAMES = [entry.name for entry in list_scripts()]
INTERNAL = re.compile(
    r"_|==|!=|\{\{|\}\}|\byesno\b|\bTrue\b|\bFalse\b|\binto \w+\)|\||\[if\]|\[else\]"
)
"""What only a script's author knows."""
HEAD = "narrator: 1\ntitle: T\nplayers: {min: 3, max: 5}\nphases:\n  play:\n    steps:\n"

pytestmark = pytest.mark.unit


def rows(game: Game, *, detail: bool = False) -> list[str]:
    return [
        f"{row.kind}: {row.text}".removeprefix(": ")
        for phase in game.phases
        for row in outline(phase.steps, detail=detail)
    ]


def of_steps(steps: str, *, detail: bool = False) -> list[str]:
    body = "".join(f"      {line}\n" for line in steps.splitlines())
    compiled = compile_script(HEAD + body)
    assert compiled.game is not None, compiled.diagnostics
    return rows(compiled.game, detail=detail)


@pytest.mark.parametrize("name", GAMES)
def test_a_host_finds_nothing_internal_in_any_game(name: str) -> None:
    told = rows(load_game(name).game)
    assert len(told) > 5
    assert [row for row in told if INTERNAL.search(row)] == []


@pytest.mark.parametrize("name", GAMES)
def test_all_details_hold_every_question_and_variable(name: str) -> None:
    game = load_game(name).game
    assert len(rows(game, detail=True)) > len(rows(game))


@pytest.mark.parametrize("name", GAMES)
def test_the_picture_is_a_page(name: str, tmp_path: Path) -> None:
    path = tmp_path / "game.png"
    draw_flow(load_game(name).game, path)
    with Image.open(path) as picture:
        assert picture.width <= 2500
        assert picture.height <= 1800
        assert 0.5 < picture.width / picture.height < 3


def test_a_vote_that_is_read_back_is_three_rows() -> None:
    told = of_steps(
        '- vote: votes\n  ask: "{{ seat }}, whom?"\n  among: others(seat)\n'
        '  read back: "{{ seat }}, {{ votes[seat] }}."'
    )
    assert told == [
        "each player in turn",
        "asks: [seat], whom? (a player)",
        "checks: [seat], [votes].",
    ]


def test_what_is_only_worked_out_is_left_out_with_its_branch() -> None:
    steps = (
        "- set: {a: 1}\n- if: a == 1\n  then:\n    - set: {b: 2}\n  else:\n    - say: Hello.\n"
        "- if: a > 1\n  then:\n    - set: {c: 1}\n- say: \"{{ 'one' if a == 1 else 'two' }}.\""
    )
    assert of_steps(steps) == ["unless a is 1", "says: Hello.", "says: [one / two]."]
    assert "sets: a = 1" in of_steps(steps, detail=True)
    assert "if a == 1" in of_steps(steps, detail=True)


@pytest.mark.parametrize(
    ("condition", "words"),
    [
        ("mode == 'mugs'", "if mode is mugs"),
        ("leading | length > 1", "if number of leading is more than 1"),
        ("deep_agent", "if deep agent"),
        ("not night_again", "if not night again"),
        ("guess == none", "if guess is nobody"),
        ("doctor and not (skip_it and 'doctor' in shown)", "depending on doctor and skip it"),
        ("votes | tally | leaders", "depending on votes"),
    ],
)
def test_conditions_are_words(condition: str, words: str) -> None:
    assert humanly(condition) == words


def test_chance_is_told() -> None:
    told = of_steps(
        "- shuffle: deck\n  from: [a, b]\n- draw: card\n  from: deck\n- roll: die\n"
        "- teams: sides\n  names: [a, b]"
    )
    assert told == ["shuffles: deck", "draws: card", "rolls: die", "makes teams: sides"]
