"""A game that does not end says at which step it stands, and what was tried there."""

from __future__ import annotations

from pathlib import Path

import pytest

from narrator.app.games import load_game
from narrator.app.rehearse import Plan, rehearse_in_text
from narrator.core.effects import Finish, Say, Show
from narrator.core.engine import Engine
from narrator.core.events import Resumed, Start
from narrator.core.values import Seat
from narrator.script.compiler.compile import compile_script
from narrator.simulation.tries import Tries
from narrator.testing.monkey import Monkeys
from narrator.testing.plan import read_plan
from narrator.testing.plan_run import run_plan

SEATS = [Seat(i, name) for i, name in enumerate(("Ana", "Ben", "Cy"), 1)]
HEAD = "narrator: 1\ntitle: Test\nplayers: {min: 3, max: 5}\nphases:\n  play:\n    steps:\n"
ENDLESS = """
      - repeat:
        until: word == 'green'
        steps:
          - ask: Which colour?
            id: colour
            answer: {red: [red], blue: [blue]}
            into: word
"""
"""The answer that would end it cannot be given."""
CIRCLES = {
    "in an again": "      - set: {a: 1}\n      - again\n",
    "in a loop without a rest": (
        "      - set: {a: 0}\n      - repeat:\n        until: a > 1\n        steps:\n"
        "          - if: a > 5\n            then:\n              - say: Never.\n"
    ),
}

pytestmark = pytest.mark.unit


def written(folder: Path, steps: str) -> Path:
    game = folder / "endless"
    game.mkdir()
    (game / "game.yaml").write_text(HEAD + steps)
    return game


def test_a_rehearsal_names_the_step_and_what_was_tried(tmp_path: Path) -> None:
    loaded = load_game(str(written(tmp_path, ENDLESS)), "")
    report, _ = rehearse_in_text(loaded, Plan(SEATS))
    assert report.ended == "unfinished"
    told = report.faults[-1]
    assert "the game is at `play/repeat-1/colour`. Tried there:" in told
    assert '"red" (' in told
    assert '"blue" (' in told


def test_random_games_name_the_step_and_what_was_tried(tmp_path: Path) -> None:
    loaded = load_game(str(written(tmp_path, ENDLESS)), "")
    reports = [Monkeys(loaded.game, loaded.locale).run(seed) for seed in range(6)]
    told = [fault for report in reports for fault in report.faults]
    assert told
    ends = [fault for fault in told if fault.startswith("The game does not end; it is at `play/")]
    assert ends
    assert "Tried there:" in ends[0]
    assert '"red" (' in ends[0]


def test_a_test_plan_names_the_step_and_what_was_tried(tmp_path: Path) -> None:
    folder = written(tmp_path, ENDLESS)
    plan = tmp_path / "plan.yaml"
    plan.write_text("players: [Ana, Ben, Cy]\nsteps:\n  - play: {answers: {colour: red}}\n")
    loaded = load_game(str(folder), "")
    failure = run_plan(read_plan(plan), loaded.game, loaded.locale).failure
    assert (
        "does not come to `ended` within 500 answers; it is at `play/repeat-1/colour`." in failure
    )
    assert 'Tried there: "red" (500 times).' in failure


def test_what_was_tried_is_told_in_a_few_words() -> None:
    tries = Tries()
    assert tries.told("a") == "Nobody had anything to say there."
    for text in ("one", "two", "two", *(f"more {i}" for i in range(9))):
        tries.add("a", text)
    told = tries.told("a")
    assert told.startswith('Tried there: "two" (2 times), "one"')
    assert told.endswith(" and 6 more.")


@pytest.mark.parametrize("steps", CIRCLES.values(), ids=CIRCLES)
def test_a_game_that_runs_in_circles_was_not_played_to_its_end(steps: str) -> None:
    game = compile_script(HEAD + steps).game
    assert game is not None
    engine = Engine(game, SEATS)
    effects = engine.step(Start(), 0.0)
    assert [e.ended for e in effects if isinstance(e, Finish)] == ["faulty"]
    shown = [e.text for e in effects if isinstance(e, Show)]
    assert any("its steps run in circles" in text for text in shown)
    assert [e.line for e in effects if isinstance(e, Say)] == ["own/ended"]
    assert engine.is_over
    again = engine.step(Resumed(), 1.0)  # the end could not be stored before the program ended
    assert [e.ended for e in again if isinstance(e, Finish)] == ["faulty"]


@pytest.mark.parametrize("steps", CIRCLES.values(), ids=CIRCLES)
def test_a_rehearsal_of_it_is_neither_complete_nor_unfinished(steps: str, tmp_path: Path) -> None:
    loaded = load_game(str(written(tmp_path, steps)), "")
    report, _ = rehearse_in_text(loaded, Plan(SEATS))
    assert report.ended == "faulty"
    assert any("run in circles" in fault for fault in report.faults)
