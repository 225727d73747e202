"""The worked scoring cases of One Missing Briefing: worked out alone, and played by text."""

import pytest

from tests.games.at_the_table import CASES, play, renamed, say, scored, table_of

pytestmark = pytest.mark.unit

GAME = "one-missing-briefing"
ROUNDS = [case for case in CASES[GAME] if case["expect"].get("counts")]
TIES = [case for case in CASES[GAME] if case["expect"].get("state") == "revote"]
READY = {
    "roles": "ready", "scene": "done", "clue": "done", "defence": "done", "right": "yes",
    "agreed-right": "yes",
}  # fmt: skip
SAID = {
    "match": ["it matches"],
    "wrong": ["another place"],
    "none": ["nothing was said"],
    "multiple": ["several places"],
    "paraphrase": ["not sure"],
}


def at_the_vote(seats, **settings):
    table = table_of(GAME, seats, first_keeper=seats[0], opening_speaker=seats[0], **settings)
    play(table, READY, "votes")
    return table


def vote(table, votes):
    for _ in votes:
        table.hear(votes[table.expect_next().seat])
    listen = table.expect_next()
    assert list(listen.reads_back.values()) == [votes]
    table.hear("yes")


def answer_the_reveal(table, given, accused):
    """Show the role of the accused, guess, and have the guess judged."""
    if accused is None or accused != given["bluffer"]:
        say(table, *(["briefed", "yes"] if accused else []), given["bluffer"])
        return
    say(table, "bluffer", "yes")
    guess = given["guess"]
    table.expect_next()
    if guess == "none":
        table.wait(11)
    else:
        table.hear("the bakery")
        table.hear("that is my guess")
    say(table, *SAID[guess])
    if guess == "paraphrase":
        say(table, str(given["yes"]), str(given["no"]))


@pytest.mark.parametrize("case", CASES[GAME], ids=lambda case: case["case"])
def test_a_case_is_scored_without_a_table(case):
    scored(GAME, case)


@pytest.mark.parametrize("case", ROUNDS, ids=lambda case: case["case"])
def test_a_round_comes_out_as_the_worked_case_says(case):
    given, expected = renamed(case["input"]), renamed(case["expect"])
    table = at_the_vote(given["seats"])
    vote(table, given["votes"])
    if "revotes" in given:
        play(table, READY, "revotes")
        vote(table, given["revotes"])
    answer_the_reveal(table, given, expected["accused"])
    assert table.expect_next().step.endswith("agreed-right")
    found = {key: table.engine.state.variables[key] for key in expected}
    assert found == expected
    assert table.engine.state.totals == {}
    table.hear("yes")
    assert table.engine.state.totals == expected["points"]


@pytest.mark.parametrize("case", TIES, ids=lambda case: case["case"])
def test_a_tie_leads_to_defences_and_a_second_vote_among_the_tied(case):
    given, expected = renamed(case["input"]), renamed(case["expect"])
    table = at_the_vote(given["seats"])
    vote(table, given["votes"])
    defended = []
    while "revotes" not in (listen := table.expect_next()).step:
        defended.append(listen.seat)
        table.hear("done")
    assert defended == expected["tied"]
    seat = given["seats"][0]
    allowed = list(listen.expectations[0].allowed)
    assert (listen.seat, allowed) == (seat, [s for s in expected["tied"] if s != seat])


def test_a_vote_for_oneself_is_refused_and_asked_again():
    given = renamed(next(c for c in CASES[GAME] if c["case"] == "self-vote")["input"])
    table = at_the_vote(given["seats"])
    seat = table.expect_next().seat
    assert given["votes"][seat] == seat
    table.hear(seat)
    assert table.said[-1].text == f"{seat}, one other player, please."
    assert table.expect_next().seat == seat
    assert table.engine.state.variables["votes"] == {}


def test_a_second_vote_for_somebody_who_is_not_tied_is_refused_and_asked_again():
    given = renamed(next(c for c in CASES[GAME] if c["case"] == "revote outside the tie")["input"])
    table = at_the_vote(given["seats"])
    vote(table, given["votes"])
    play(table, READY, "revotes")
    while given["revotes"][(seat := table.expect_next().seat)] in ("Ben", "Cy"):
        table.hear(given["revotes"][seat])
    table.hear(given["revotes"][seat])
    assert table.said[-1].text == f"{seat}, one of the tied players, please, and not yourself."
    assert table.expect_next().seat == seat
    assert seat not in table.engine.state.variables["revotes"]


def test_a_spoiled_round_counts_for_nobody_and_is_played_again():
    case = next(case for case in CASES[GAME] if case["case"] == "spoiled round")
    given = renamed(case["input"])
    table = table_of(GAME, given["seats"], first_keeper="Ben", opening_speaker="Dee")
    play(table, READY, "second-circuit")
    table.hear("spoiled round")
    say(table, "yes")
    assert table.expect_next().step.endswith("roles")
    state = table.engine.state
    assert (state.variables["round"], state.variables["keeper"]) == (1, "Ben")
    assert state.variables["speaker"] == "Dee"
    assert state.totals == {}


def test_the_win_is_shared_as_the_worked_case_says():
    case = next(case for case in CASES[GAME] if "totals" in case["input"])
    totals, winners = renamed(case["input"])["totals"], renamed(case["expect"])["winners"]
    table = table_of(GAME, list(totals), first_keeper="Ana", opening_speaker="Ana")
    caught = {"Ana": "Cy", "Ben": "Cy", "Cy": "Ana", "Dee": "Cy"}
    escaped = {"Ana": "Ben", "Ben": "Ana", "Cy": "Ana", "Dee": "Ana"}
    for votes, accused in ((caught, "Cy"), (escaped, "Ana"), (caught, "Cy"), (caught, "Cy")):
        play(table, READY, "votes")
        vote(table, votes)
        answer_the_reveal(table, {"bluffer": "Cy", "guess": "wrong"}, accused)
        say(table, "yes")
    table.wait_until(lambda: table.result is not None, 60)
    assert table.result == {"totals": totals, "winners": winners}
