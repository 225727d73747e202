"""The worked scoring cases of Subtext: worked out alone, and played at a table by text."""

import pytest

from tests.games.at_the_table import CASES, NAMES, play, renamed, say, scored, table_of

pytestmark = pytest.mark.unit

GAME = "subtext"
ROUNDS = [case for case in CASES[GAME] if "points" in case["expect"]]
READY = {
    "number": "one", "deal": "done", "draw": "ready", "lay-out": "done", "guess": "ready",
    "right": "yes", "agreed-right": "yes",
}  # fmt: skip


def at_the_reveal(seats, dealer, **settings):
    table = table_of(GAME, seats, **settings)
    play(table, READY | {"first": dealer}, "partner")
    return table


@pytest.mark.parametrize("case", CASES[GAME], ids=lambda case: case["case"])
def test_a_case_is_scored_without_a_table(case):
    scored(GAME, case)


@pytest.mark.parametrize("case", ROUNDS, ids=lambda case: case["case"])
def test_a_round_comes_out_as_the_worked_case_says(case):
    letter = case["input"].get("letter", "B")
    guesses = case["input"].get("guesses", {})
    given, expected = renamed(case["input"]), renamed(case["expect"])
    table = at_the_reveal(given["seats"], given["dealer"], guesses="seats" if guesses else "list")
    say(table, given["partner"], letter)
    if guesses:
        by_name = {NAMES[seat]: guess for seat, guess in guesses.items()}
        for _ in given["seats"]:
            say(table, by_name[table.expect_next().seat])
    else:
        say(table, " and ".join(given["correct"]) or "nobody")
    if guesses:
        say(table, "yes")
    told = table.expect_next().reads_back
    assert told["points"] == expected["points"]
    assert told["partner"] == given["partner"]
    assert guesses or told["correct"] == given["correct"]
    assert table.engine.state.totals == {}, "nothing counts before the table agrees"
    table.hear("yes")
    assert table.engine.state.totals == expected["points"]


def test_the_dealer_cannot_be_the_partner_and_the_table_is_asked_on():
    case = next(case for case in CASES[GAME] if case["expect"] == {"refused": True})
    given = renamed(case["input"])
    table = at_the_reveal(given["seats"], given["dealer"])
    say(table, given["partner"])
    assert table.said[-1].text == "Somebody other than the Dealer, please."
    assert table.expect_next().step.endswith("reveal/partner")
    assert table.engine.state.variables.get("partner") is None
    table.hear(given["seats"][1])
    assert table.expect_next().step.endswith("reveal/letter")


def test_the_final_tie_is_shared():
    case = next(case for case in CASES[GAME] if "totals" in case["input"])
    totals, winners = renamed(case["input"])["totals"], renamed(case["expect"])["winners"]
    seats = list(totals)
    table = table_of(GAME, seats)
    answers = READY | {
        "first": seats[0], "letter": "A", "correct": "nobody",
        "partner": lambda listen: listen.expectations[0].allowed[0],
    }  # fmt: skip
    for number in range(8):
        play(table, answers, "agreed-right")
        assert table.engine.state.variables["round"] == number + 1
        # No eight rounds come to just these totals; the last one adds nothing to what is put in.
        table.engine.state.totals = dict(totals)
        table.hear("yes")
    table.wait_until(lambda: table.result is not None, 60)
    assert table.result == {"totals": totals, "winners": winners}
    assert table.said[-1].text.endswith(
        f"{winners[0]} and {winners[1]} share the win with {totals[winners[0]]} points."
    )
