"""The worked cases of the folk games: by `score_case`, and at a table through the whole script."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from narrator.script.authoring.score import score_case
from narrator.testing.table import Table
from tests.games.at_the_table import load_game

pytestmark = pytest.mark.unit

CASES: dict[str, list[dict[str, Any]]] = json.loads(
    (Path(__file__).parent / "scoring-examples.json").read_text(encoding="utf-8")
)
FOLK = ("mafia", "two-truths-and-a-lie", "fictionary")
# Single letters are no names that anybody could say; the cases' seats get real ones.
NAMES = dict(zip("ABCDEFGHIJ", "Ana Ben Cy Dee Eli Fay Gus Hal Ida Jon".split(), strict=True))


def renamed(value: Any) -> Any:
    if isinstance(value, list):
        return [renamed(item) for item in value]
    if isinstance(value, dict):
        return {NAMES.get(key, key): renamed(item) for key, item in value.items()}
    return NAMES.get(value, value)


def cases(game: str, *needed: str) -> list[Any]:
    found = [case for case in CASES[game] if set(needed) <= set(case["input"])]
    assert found, f"no case of {game} has {needed}"
    return [pytest.param(case, id=case["case"]) for case in found]


def opened(game: str, seats: list[str], **settings: Any) -> Table:
    loaded = load_game(game)
    table = Table(loaded.game, seats, settings=settings, locale=loaded.locale)
    table.start()
    return table


def until(table: Table, step: str, answers: dict[str, str]) -> None:
    """Answer by the last part of each step's path until the game asks at a step; timers run out."""
    for _ in range(300):
        listen = table.expect_next()
        if f"/{step}" in listen.step:
            return
        if listen.timed or listen.limited:
            sit_out(table, listen.step)
            continue
        table.wait(listen.opens_after)
        table.hear(answers[listen.step.split("/")[-1]])
    raise AssertionError(f"The game does not come to {step}; it is at {table.at}.")


def sit_out(table: Table, step: str) -> None:
    assert table.wait_until(lambda: table.at != step, 3_600)


@pytest.mark.parametrize(
    ("game", "case"),
    [pytest.param(g, c, id=f"{g}: {c['case']}") for g in FOLK for c in CASES[g]],
)
def test_the_script_scores_the_case(game: str, case: dict[str, Any]) -> None:
    found = score_case(load_game(game).game, case["input"])
    if case["expect"].get("refused"):
        assert set(found) == {"refused"}
    else:
        assert found == case["expect"]


@pytest.mark.parametrize("case", cases("mafia", "target", "saved"))
def test_mafia_at_dawn(case: dict[str, Any]) -> None:
    given, expected = renamed(case["input"]), renamed(case["expect"])
    seats = list(NAMES.values())[:6]
    table = opened("mafia", seats, brief=False)
    until(table, "red", {"ready": "ready"})
    table.hear(given["target"] or "nobody")
    if given["target"]:
        table.expect_next()
        table.hear("yes" if given["saved"] == given["target"] else "no")
    listen = table.expect_next()
    if expected["out"] is None:
        assert table.at == "day/discussion"
        assert [line.text for line in table.said if line.text == "Nobody is out."]
        return
    assert listen.step.endswith("/card")
    assert table.said[-1].text == f"{expected['out']} is out. Show your card. Mafia or town?"
    table.hear("town")
    table.expect_next()
    assert table.engine.public()["living"] == [s for s in seats if s != expected["out"]]


@pytest.mark.parametrize("case", cases("mafia", "mafia", "town"))
def test_mafia_wins_or_goes_on_after_a_death(case: dict[str, Any]) -> None:
    """The last death that leads to the case's numbers is played; all before it are played too."""
    mafia, town = case["input"]["mafia"], case["input"]["town"]
    last_is_mafia = mafia == 0
    mafiosi = mafia + 1 if last_is_mafia else mafia
    seats = [*NAMES.values(), "Kim", "Leo"][: max(5, 2 * mafiosi + 1, mafia + town + 1)]
    table = opened("mafia", seats, brief=False, mafiosi=mafiosi)
    gone = [*seats[mafia + town :]]
    for number, seat in enumerate(gone, 1):
        last = number == len(gone)
        until(table, "red" if number % 2 else "votes/ask", {"ready": "ready", "red": "nobody"})
        die(table, seat, "mafia" if last and last_is_mafia else "town")
    if case["expect"]["winner"] == "mafia":
        table.expect_next()
        table.hear(" and ".join(seats[:mafia]))
        table.expect_next()
        table.hear("yes")
    if case["expect"]["winner"]:
        assert table.wait_until(lambda: table.result is not None, 60)
        assert table.result is not None
        assert table.result["winner"] == case["expect"]["winner"]
    else:
        table.expect_next()
        assert table.result is None
        public = table.engine.public()
        assert (public["mafia"], public["town"], public["winner"]) == (mafia, town, None)


def die(table: Table, seat: str, card: str) -> None:
    """Have a seat found dead, or voted out by all the others, and its card shown."""
    if table.expect_next().step.endswith("/red"):
        table.hear(seat)
        table.expect_next()
        table.hear("no")
    else:
        living = table.engine.public()["living"]
        assert isinstance(living, list)
        for _ in living:
            voter = table.expect_next().seat
            table.hear(seat if voter != seat else str(next(s for s in living if s != seat)))
        table.expect_next()
        table.hear("yes")
    assert table.expect_next().step.endswith("/card")
    table.hear(card)


@pytest.mark.parametrize("case", cases("two-truths-and-a-lie"))
def test_two_truths_and_a_lie(case: dict[str, Any]) -> None:
    given, expected = renamed(case["input"]), renamed(case["expect"])
    seats = [given["teller"], *given["guesses"]]
    table = opened("two-truths-and-a-lie", seats, first_teller=given["teller"])
    until(table, "guesses/ask", {"statement": "done"})
    for _ in given["guesses"]:
        table.hear(str(given["guesses"][table.expect_next().seat]))
    assert table.expect_next().reads_back == {"guesses": given["guesses"]}
    table.hear("yes")
    table.expect_next()
    table.hear(str(given["lie"]))
    table.expect_next()
    table.hear("yes")
    table.expect_next()
    assert table.engine.public()["points"] == expected["points"]
    assert table.engine.state.totals == expected["points"]


@pytest.mark.parametrize("case", cases("fictionary"))
def test_fictionary(case: dict[str, Any]) -> None:
    given, expected = renamed(case["input"]), renamed(case["expect"])
    seats = list(NAMES.values())[:4]
    table = opened("fictionary", seats, first_picker=given["picker"])
    until(table, "choices/ask", {"word": "done", "known": "no", "reading": "done"})
    writers = [seat for seat in seats if seat != given["picker"]]
    numbers = {"TRUE": 1, **{seat: at for at, seat in enumerate(writers, 2)}}
    for _ in writers:
        seat = table.expect_next().seat or ""
        table.hear(str(numbers[given["votes"].get(seat, "TRUE")]))
    table.expect_next()
    table.hear("yes")
    reveal(table, writers)
    table.expect_next()
    if expected.get("refused"):
        assert table.said[-1].text.startswith("Ben, number 2 is your own, and nobody may choose")
        assert table.engine.state.totals == {}
        table.hear("two")
        assert table.expect_next().seat == "Ben"
        return
    assert table.engine.public()["points"] == expected["points"]
    assert table.engine.state.totals == expected["points"]


def reveal(table: Table, writers: list[str]) -> None:
    table.expect_next()
    table.hear("one")
    for writer in writers[:-1]:
        table.expect_next()
        table.hear(writer)
    table.expect_next()
    table.hear("yes")
