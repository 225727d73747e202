"""The worked scoring cases, played at a table by text from the first line to the last."""

import json
from pathlib import Path

import pytest

from narrator.testing.table import Table
from tests.games.at_the_table import load_game

pytestmark = pytest.mark.unit

HERE = Path(__file__).resolve().parent
CASES = json.loads((HERE / "scoring-examples.json").read_text(encoding="utf-8"))
REVOLUTION = CASES["one-night-revolution"]
# Single letters are no names that anybody could say; the cases' seats get real ones.
NAMES = dict(zip("ABCDEFGHIJ", "Ana Ben Cy Dee Eli Fay Gus Hal Ida Jon".split(), strict=True))


def renamed(value):
    if isinstance(value, list):
        return [renamed(item) for item in value]
    if isinstance(value, dict):
        return {NAMES.get(key, key): renamed(item) for key, item in value.items()}
    return NAMES.get(value, value)


def at_the_vote(seats):
    """Play a table up to the first question of the vote."""
    loaded = load_game("one-night-revolution")
    settings = {"controller": seats[0], "brief": False}
    table = Table(loaded.game, seats, settings=settings, locale=loaded.locale)
    table.start()
    table.expect_next()
    table.hear("ready")
    while not (listen := table.expect_next()).timed:
        table.wait(listen.opens_after)
        table.hear("task complete" if listen.eyes_closed else "done")
    table.hear("we are done")
    table.hear(str(len(seats)))
    return table


@pytest.mark.parametrize("case", REVOLUTION, ids=lambda case: case["case"])
def test_one_night_revolution_ends_as_the_worked_case_says(case):
    given, expected = renamed(case["input"]), renamed(case["expect"])
    table = at_the_vote(given["seats"])
    if "refused" in expected or expected == "reject":
        refuses_the_impossible_vote(table, given["votes"])
        return
    for _ in given["seats"]:
        table.hear(given["votes"][table.expect_next().seat])
    assert table.expect_next().reads_back == {"votes": given["votes"]}
    table.hear("yes")
    table.expect_next()
    table.hear(" and ".join(given["informants"]) or "nobody")
    assert table.expect_next().reads_back == {"informants": given["informants"]}
    table.hear("yes")
    assert table.wait_until(lambda: table.result is not None, 60)
    assert table.result == expected


def refuses_the_impossible_vote(table, votes):
    seat = table.expect_next().seat
    assert votes[seat] == seat, "the case's impossible vote is the first one"
    table.hear(votes[seat])
    assert table.said[-1].text == f"{seat}, one other player, please."
    assert table.expect_next().seat == seat
    assert table.engine.public().get("votes") in (None, {})
    table.hear(next(s.name for s in table.seats if s.name != seat))
    assert table.expect_next().seat != seat
