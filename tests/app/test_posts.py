"""Who is announced as the next Controller is the next Controller."""

from __future__ import annotations

from typing import Any

import pytest

from narrator.app.records.posts import carried_on
from narrator.core.record import Opening, Record
from narrator.core.values import Seat
from tests.games.at_the_table import load_game

pytestmark = pytest.mark.unit

FOUR = ["Ana", "Ben", "Cy", "Dee"]


def seats(names: list[str]) -> tuple[Seat, ...]:
    return tuple(Seat(number, name) for number, name in enumerate(names, 1))


def evening(number: int, names: list[str], *, ended: str = "complete", **options: Any) -> Record:
    opening = Opening(
        "one-night-revolution", "", "en", seats(names), options, {}, 7, {}, "", "", ""
    )
    return Record(number, opening, ended)


def controller(names: list[str], *earlier: Record) -> object:
    game = load_game("one-night-revolution").game
    return carried_on(game, seats(names), earlier).get("controller")


def test_the_post_goes_one_seat_to_the_left() -> None:
    assert controller(FOUR, evening(1, FOUR, controller="Dee")) == "Ana"
    assert controller(FOUR, evening(1, FOUR, controller="Ben")) == "Cy"


def test_the_last_finished_game_counts() -> None:
    broken = evening(3, FOUR, ended="stopped", controller="Ana")
    last, older = evening(2, FOUR, controller="Ben"), evening(1, FOUR, controller="Dee")
    assert controller(FOUR, broken, last, older) == "Cy"


def test_a_post_that_was_drawn_is_carried_on_as_well() -> None:
    first = controller(FOUR, evening(1, FOUR))
    assert first in FOUR
    assert (
        controller(FOUR, evening(2, FOUR, controller=first))
        == FOUR[(FOUR.index(str(first)) + 1) % 4]
    )


def test_who_has_left_is_passed_over_and_who_came_takes_part() -> None:
    assert controller(["Ana", "Ben", "Dee"], evening(1, FOUR, controller="Ben")) == "Dee"
    assert controller([*FOUR, "Eli"], evening(1, FOUR, controller="Dee")) == "Ana"


def test_other_people_start_from_scratch() -> None:
    others = ["Fay", "Gus", "Hal", "Ana"]
    assert controller(others, evening(1, FOUR, controller="Ben")) is None
    assert controller(FOUR) is None
