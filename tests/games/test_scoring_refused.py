"""What no table can have produced is refused with its reason; nothing is scored by halves."""

from __future__ import annotations

from typing import Any

import pytest

from narrator.script.authoring.score import score_case
from tests.games.at_the_table import load_game, play, table_of

pytestmark = pytest.mark.unit

FIVE = ["Ana", "Ben", "Cy", "Dee", "Eli"]
ON_CY = {"Ana": "Cy", "Ben": "Cy", "Cy": "Ben", "Dee": "Cy", "Eli": "Ben"}
ON_BEN = {"Ana": "Ben", "Ben": "Ana", "Cy": "Ben", "Dee": "Ben", "Eli": "Ana"}
LETTERS = {"Ana": "B", "Ben": "A", "Cy": "B", "Dee": "D", "Eli": "B"}
BRIEFING: dict[str, Any] = {"seats": FIVE, "bluffer": "Cy", "votes": ON_CY}
SUBTEXT: dict[str, Any] = {"seats": FIVE, "dealer": "Ana", "partner": "Cy", "letter": "B"}

REFUSED = [
    ("one-night-revolution", {"seats": FIVE, "votes": ON_BEN, "informants": FIVE[:4]},
     "There are no more than 3 Informants."),
    ("one-missing-briefing", BRIEFING, "Cy was accused, and what the guess came to is missing."),
    ("one-missing-briefing", BRIEFING | {"guess": "paraphrase"},
     "How many say yes and how many say no to the paraphrase is missing."),
    ("one-missing-briefing", BRIEFING | {"guess": "paraphrase", "yes": 2},
     "How many say yes and how many say no to the paraphrase is missing."),
    ("subtext", SUBTEXT | {"guesses": LETTERS, "letter": "G"},
     "The letters on the table go from A to D."),
    ("subtext", SUBTEXT | {"guesses": LETTERS | {"Dee": "E"}},
     "The letters on the table go from A to D."),
    ("subtext", SUBTEXT | {"guesses": {"Ana": "B"}},
     "The guess of Ben, Cy, Dee and Eli is missing."),
    ("detective-club", {"totals": {"Ana": 12, "Ben": 12}, "tokens": {}},
     "Ana and Ben are level, and how many tokens Ana and Ben hold is missing."),
    ("detective-club", {"totals": {"Ana": 12, "Ben": 12}, "tokens": {"Ana": 3}},
     "Ana and Ben are level, and how many tokens Ben hold is missing."),
    ("two-truths-and-a-lie",
     {"seats": FIVE[:3], "teller": "Ana", "lie": 2, "guesses": {"Ben": 1}},
     "The guess of Cy is missing."),
    ("two-truths-and-a-lie",
     {"seats": FIVE[:3], "teller": "Ana", "lie": 2, "guesses": {"Ben": 1, "Cy": 4}},
     "The lie is number one, two or three, and so is each guess."),
    ("fictionary", {"seats": FIVE, "picker": "Ana", "votes": {"Ben": "TRUE"}},
     "The vote of Cy, Dee and Eli is missing."),
    ("fictionary", {"seats": FIVE[:4], "picker": "Ana",
                    "votes": {"Ben": "Ana", "Cy": "TRUE", "Dee": "TRUE"}},
     "Each vote goes to the true meaning (TRUE) or to a player who wrote one."),
]  # fmt: skip


@pytest.mark.parametrize(("game", "given", "why"), REFUSED)
def test_the_impossible_is_refused_with_its_reason(game, given, why):
    assert score_case(load_game(game).game, given) == {"refused": why}


def test_a_spoiled_round_scores_nothing_although_votes_are_there():
    spoiled: dict[str, Any] = {"side": None, "points": {}, "counts": False}
    game = load_game("one-missing-briefing").game
    assert score_case(game, BRIEFING | {"spoiled": True}) == spoiled
    tied = dict(zip(FIVE, [*FIVE[1:], "Ana"], strict=True))
    assert score_case(game, BRIEFING | {"votes": tied, "spoiled": True}) == spoiled
    told = score_case(game, BRIEFING | {"guess": "wrong", "spoiled": False})
    assert told["side"] == "briefed"


def test_a_clear_winner_needs_no_tokens():
    totals: dict[str, Any] = {"Ana": 12, "Ben": 13}
    game = load_game("detective-club").game
    assert score_case(game, {"totals": totals}) == {"winners": ["Ben"]}
    assert score_case(game, {"totals": totals, "tokens": {}}) == {"winners": ["Ben"]}


def test_winners_come_in_the_order_of_the_seats():
    given: dict[str, Any] = {"seats": FIVE, "votes": ON_BEN, "informants": ["Eli", "Cy", "Ana"]}
    told = score_case(load_game("one-night-revolution").game, given)
    assert told["winners"] == ["Ana", "Cy", "Eli"]


def test_a_table_cannot_have_four_informants():
    table = table_of("one-night-revolution", FIVE, controller="Ana", brief=False)
    answers: dict[str, Any] = {
        "ready": "ready", "turn": "task complete", "controller-looks": "task complete",
        "morning": "everything is fine", "declare": "done", "discussion": "we are done",
        "hands": "five", "right": "yes",
        "votes": lambda listen: listen.expectations[0].allowed[0],
    }  # fmt: skip
    while (listen := play(table, answers, "reveal")) and not listen.step.endswith("reveal/ask"):
        table.hear("yes")
    table.hear("Ana and Ben and Cy and Dee")
    assert table.said[-1].text == "There are no more than 3 Informants. Who has one?"
    table.expect_next()
    table.hear("Ana and Ben and Cy")
    assert table.expect_next().reads_back == {"informants": ["Ana", "Ben", "Cy"]}
