"""A real evening becomes a game test that holds, also where somebody asked for the time."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from narrator.app.games import load_game
from narrator.app.records.journal_store import opening_of
from narrator.app.records.replay import write_test
from narrator.config.settings import Settings
from narrator.core.codec import decode
from narrator.core.record import Record
from narrator.ports.storage import Entry
from narrator.testing.plan import read_plan
from narrator.testing.table import Table

NAMES = ("Robert", "Julia", "Oliver", "Hannah")
CHANCE = str(Path(__file__).parents[1] / "fixtures" / "scripts" / "chance")

pytestmark = pytest.mark.unit


def _answer_to_the_end(table: Table) -> None:
    for whom in ("Julia", "Robert", "Julia", "Julia"):
        table.expect_next()
        table.hear(whom)
    assert table.wait_until(lambda: table.finish is not None)


def begun(game: str, rate: float) -> Table:
    """Begin an evening with a voice that is slower or faster than that of the tests."""
    loaded = load_game(game)
    table = Table(loaded.game, NAMES, seed=4, locale=loaded.locale, program=Settings(rate=rate))
    table.start()
    assert table.wait_until(lambda: table.engine.state.moderator.is_timing or _asks(table))
    return table


def _asks(table: Table) -> bool:
    return table.asks() is not None and not table.speaking


def kept(game: str, table: Table) -> tuple[Record, list[Entry]]:
    """Return the evening as the journal would give it."""
    assert table.finish is not None
    loaded = load_game(game)
    opening = opening_of(loaded, tuple(table.seats), {}, Settings(), 4)
    entries = [
        Entry(
            number, record.now, record.event, tuple(decode(e) for e in json.loads(record.effects))
        )
        for number, record in enumerate(table.journal)
    ]
    finish = table.finish
    return Record(1, opening, finish.ended, "", table.now, finish.result), entries


@pytest.mark.parametrize("rate", [0.6, 1.0, 1.6])
@pytest.mark.parametrize("at_once", [False, True])
def test_an_evening_with_a_question_for_the_time_holds(
    rate: float, at_once: bool, tmp_path: Path
) -> None:
    table = begun(CHANCE, rate)
    for seconds in (7.3, 11.6, 3.1):
        table.wait(seconds)
        table.hear("how much time is left", at_once=at_once)
    table.key("how_long_left")
    table.wait(2.0)
    table.hear("we are done", at_once=at_once)
    _answer_to_the_end(table)
    record, entries = kept(CHANCE, table)
    path = tmp_path / "evening.yaml"
    assert write_test(record, entries, path) == ""
    assert sum(step.value == "own/time_left" for step in read_plan(path).steps) >= 3


def test_a_question_asked_into_a_line_is_asked_into_it_again(tmp_path: Path) -> None:
    table = begun(CHANCE, 0.6)
    table.wait(5.0)
    table.hear("how much time is left", at_once=True)
    table.wait(0.3)
    assert table.speaking
    table.hear("how much time is left", at_once=True)
    table.hear("we are done", at_once=True)
    _answer_to_the_end(table)
    record, entries = kept(CHANCE, table)
    path = tmp_path / "evening.yaml"
    assert write_test(record, entries, path) == ""
    assert any(step.extras.get("at once") for step in read_plan(path).steps)


def test_a_test_of_an_evening_that_went_otherwise_does_not_hold(tmp_path: Path) -> None:
    table = begun(CHANCE, 1.0)
    table.hear("we are done")
    _answer_to_the_end(table)
    record, entries = kept(CHANCE, table)
    other = replace(record, result={**record.result, "winners": ["Nobody"]})
    assert "result winners" in write_test(other, entries, tmp_path / "evening.yaml")
