"""The functions of scripts, and the rules that they were made for."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from narrator.core import library
from narrator.core.values import ExpressionError, Value

SEATS = ["Ana", "Ben", "Cy", "Dee"]
VOTES: dict[str, Value] = {"Ana": "Ben", "Ben": "Ana", "Cy": "Ben", "Dee": None}

pytestmark = pytest.mark.unit


@pytest.mark.parametrize(
    ("players", "hands"), [(3, 2), (4, 3), (5, 3), (6, 4), (7, 4), (8, 5), (9, 5), (10, 6)]
)
def test_majority_as_the_rules_list_it(players: int, hands: int) -> None:
    assert library.majority(players) == hands


@pytest.mark.parametrize(
    ("players", "seconds"), [(3, 300), (5, 300), (6, 360), (8, 480), (10, 600), (12, 600)]
)
def test_the_day_of_one_night_revolution(players: int, seconds: int) -> None:
    assert library.clamp(players * 60, 300, 600) == seconds


@pytest.mark.parametrize(("players", "last"), [(4, "C"), (5, "D"), (6, "E"), (7, "F"), (8, "G")])
def test_the_letters_of_subtext(players: int, last: str) -> None:
    assert library.letters(players - 1)[-1] == last


def test_round_the_table() -> None:
    assert library.left_of(SEATS, "Dee") == "Ana"
    assert library.right_of(SEATS, "Ana") == "Dee"
    assert library.left_of(SEATS, "Ana", 6) == "Cy"
    assert library.circle(SEATS, "Cy") == ["Cy", "Dee", "Ana", "Ben"]
    assert library.others(SEATS, "Ben", "Dee") == ["Ana", "Cy"]
    assert library.in_seat_order(SEATS, ["Dee", "Zed", "Ana"]) == ["Ana", "Dee", "Zed"]


@given(st.integers(-50, 50), st.sampled_from(SEATS))
def test_left_and_right_undo_each_other(steps: int, seat: str) -> None:
    assert library.right_of(SEATS, library.left_of(SEATS, seat, steps), steps) == seat


@pytest.mark.parametrize("act", [library.left_of, library.circle, library.others])
def test_who_is_no_seat_is_told(act: Callable[..., object]) -> None:
    for stranger in ("Zed", None, 3):
        with pytest.raises(ExpressionError, match="not a seat"):
            act(SEATS, stranger)


def test_maps_are_changed_entry_by_entry() -> None:
    assert library.minus({"Ana": 5, "Ben": 1}, {"Ben": 3, "Cy": 2}) == {
        "Ana": 5,
        "Ben": -2,
        "Cy": -2,
    }
    before: dict[str, Value] = {"1": "Ana"}
    assert library.put(before, 2, "Ben") == {"1": "Ana", "2": "Ben"}
    assert library.put(before, 1, "Ben") == {"1": "Ben"}
    assert before == {"1": "Ana"}


def test_numbers_are_replaced_by_what_they_stand_for() -> None:
    assert library.through({"Ana": 2, "Ben": 1}, {"1": "Cy", "2": "TRUE"}) == {
        "Ana": "TRUE", "Ben": "Cy",
    }  # fmt: skip
    with pytest.raises(ExpressionError, match="3 has no meaning"):
        library.through({"Ana": 3}, {"1": "Cy"})


def test_counting_a_vote() -> None:
    counts = library.tally(SEATS, VOTES)
    assert counts == {"Ana": 1, "Ben": 2, "Cy": 0, "Dee": 0}
    assert library.leaders(counts, at_least=2) == ["Ben"]
    assert library.leaders(counts, at_least=3) == []
    assert library.leaders({}, 0) == []
    assert library.leaders({"Ana": 0, "Ben": 0}) == []
    assert library.leaders({"Ana": 0, "Ben": 0}, 0) == ["Ana", "Ben"]
    assert library.self_votes({"Ana": "Ana", "Ben": "Ana"}) == ["Ana"]
    assert library.voters_of(VOTES, "Ben") == ["Ana", "Cy"]


@given(st.dictionaries(st.sampled_from(SEATS), st.sampled_from(SEATS), min_size=1))
def test_every_vote_is_counted_once(votes: dict[str, Value]) -> None:
    counts = library.tally(SEATS, votes)
    assert list(counts) == SEATS
    assert sum(n for n in counts.values() if isinstance(n, int)) == len(votes)


def test_lists_and_maps() -> None:
    assert library.any_of(["Ana"], "Ana")
    assert not library.any_of([], ["Ana"])
    assert library.without(SEATS, {"Ana": 1, "Cy": 2}) == ["Ben", "Dee"]
    assert library.without(SEATS, None) == SEATS
    assert library.only(SEATS, ["Dee", "Ana"]) == ["Ana", "Dee"]
    assert library.plus({"Ana": 1}, {"Ana": 2, "Ben": 5}) == {"Ana": 3, "Ben": 5}
    with pytest.raises(ExpressionError, match="'x' is not a number"):
        library.plus({"Ana": "x"}, {"Ana": 2})


@pytest.mark.parametrize(
    ("some", "said"),
    [
        ([], ""),
        (["Ana"], "Ana"),
        (["Ana", "Ben"], "Ana and Ben"),
        (["Ana", "Ben", "Cy"], "Ana, Ben and Cy"),
        ("Ana", "Ana"),
        ({"Ana": 3, "Ben": 0}, "Ana 3 and Ben 0"),
    ],
)
def test_names_aloud(some: Value, said: str) -> None:
    assert library.names(some) == said


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("lighthouse", True),
        ("The Light-House", True),
        ("a lighthouse!", True),
        ("lighthouse or harbour", False),
        ("light", False),
        ("not the lighthouse", False),
        ("", False),
        ("the", False),
        (None, False),
    ],
)
def test_a_text_says_a_wording_or_it_does_not(text: Value, says: bool) -> None:
    assert library.says(text, ["lighthouse", "light house"]) is says
    assert library.says(text, []) is False


def test_names_in_another_language() -> None:
    assert library.names(["Ana", "Ben"], "und") == "Ana und Ben"


@pytest.mark.parametrize(
    ("seconds", "said"),
    [
        (300, "5 minutes"), (260, "4 minutes and 20 seconds"), (60, "1 minute"),
        (61, "1 minute and 1 second"), (45, "45 seconds"), (0, "0 seconds"),
        (89.6, "1 minute and 30 seconds"),
    ],
)  # fmt: skip
def test_lengths_of_time_aloud(seconds: float, said: str) -> None:
    assert library.minutes(seconds) == said
