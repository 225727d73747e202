"""The worked scoring cases of Detective Club: worked out alone, and played at a table by text."""

from typing import Any

import pytest

from tests.games.at_the_table import CASES, play, renamed, say, scored, table_of

pytestmark = pytest.mark.unit

GAME = "detective-club"
ROUNDS = [case for case in CASES[GAME] if "points" in case["expect"]]
FINALS = [case for case in CASES[GAME] if "totals" in case["input"]]
READY = {
    "deal": "done", "card": "done", "second-card": "done", "word": "done", "explain": "done",
    "ready": "ready", "explained": "yes", "next": "ready", "right": "yes", "agreed-right": "yes",
}  # fmt: skip


def at_the_vote(seats, active):
    table = table_of(GAME, seats)
    play(table, READY | {"first": active}, "votes")
    return table


def refused_case(name):
    case = next(case for case in CASES[GAME] if case["case"] == name)
    return renamed(case["input"])


@pytest.mark.parametrize("case", CASES[GAME], ids=lambda case: case["case"])
def test_a_case_is_scored_without_a_table(case):
    scored(GAME, case)


@pytest.mark.parametrize("case", ROUNDS, ids=lambda case: case["case"])
def test_a_round_comes_out_as_the_worked_case_says(case):
    given, expected = renamed(case["input"]), renamed(case["expect"])
    table = at_the_vote(given["seats"], given["active"])
    for seat, suspect in given["votes"].items():
        assert table.expect_next().seat == seat
        table.hear(suspect)
    assert table.expect_next().reads_back == {"votes": given["votes"]}
    say(table, "yes", given["conspirator"])
    assert table.expect_next().reads_back == {
        "conspirator": given["conspirator"],
        "points": expected["points"],
    }
    table.hear("yes")
    assert table.engine.state.totals == expected["points"]


def test_a_vote_for_oneself_is_refused_and_asked_again():
    given = refused_case("vote for yourself")
    table = at_the_vote(given["seats"], given["active"])
    seat = table.expect_next().seat
    assert given["votes"][seat] == seat
    table.hear(seat)
    assert table.said[-1].text == f"{seat}, one other player, please, and not {given['active']}."
    assert table.expect_next().seat == seat
    say(table, given["active"])
    assert table.expect_next().seat == seat, "nor is the active player anybody's suspect"
    say(table, given["votes"][given["seats"][2]])
    assert table.expect_next().seat == given["seats"][2]


def test_the_active_player_is_never_asked_for_a_vote():
    given = refused_case("active player votes")
    table = at_the_vote(given["seats"], given["active"])
    asked = []
    while not (listen := table.expect_next()).reads_back:
        asked.append(listen.seat)
        table.hear(given["votes"][listen.seat])
    assert asked == [seat for seat in given["seats"] if seat != given["active"]]


@pytest.mark.parametrize("case", FINALS, ids=lambda case: case["case"])
def test_the_end_is_as_the_worked_case_says(case):
    given, winners = renamed(case["input"]), renamed(case["expect"])["winners"]
    seats = ["Ana", "Ben", "Cy", "Dee"]
    totals = dict.fromkeys(seats, 0) | given["totals"]
    table = table_of(GAME, seats)
    first_allowed = lambda listen: listen.expectations[0].allowed[0]  # noqa: E731
    answers: dict[str, Any] = READY | {
        "first": "Ana",
        "votes": first_allowed,
        "conspirator": first_allowed,
    }
    for _ in range(8):
        play(table, answers, "agreed-right")
        # No eight rounds come to just these totals: what the last one adds is taken off before.
        points: Any = table.engine.state.variables["points"]
        table.engine.state.totals = {seat: totals[seat] - points[seat] for seat in seats}
        table.hear("yes")
    level = [seat for seat in seats if totals[seat] == max(totals.values())]
    if len(level) > 1:
        play(table, answers, "tokens")
        for seat in level:
            assert table.expect_next().seat == seat
            table.hear(str(given["tokens"][seat]))
        say(table, "yes")
    table.wait_until(lambda: table.result is not None, 60)
    assert table.result == {"totals": totals, "winners": winners}
