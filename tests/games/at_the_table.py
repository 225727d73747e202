"""What the scoring tests share: names for the cases' letters, and a table that answers by step."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from narrator.app import games
from narrator.core.effects import Listen
from narrator.script.authoring.score import score_case
from narrator.testing.table import Table

HERE = Path(__file__).resolve().parent
CASES = json.loads((HERE / "scoring-examples.json").read_text(encoding="utf-8"))
# Single letters are no names that anybody could say; the cases' seats get real ones.
NAMES = dict(
    zip("ABCDEFGHIJKL", "Ana Ben Cy Dee Eli Fay Gus Hal Ida Jon Kim Leo".split(), strict=True)
)
MOST_ANSWERS = 600

load_game = cache(games.load_game)
"""Compiling takes longer than playing a round does."""

Answer = str | Callable[[Listen], str]


def renamed(value: Any) -> Any:
    """Return the cases' seats their names; letters of drawings are left to the tests."""
    if isinstance(value, list):
        return [renamed(item) for item in value]
    if isinstance(value, dict):
        return {NAMES.get(key, key): renamed(item) for key, item in value.items()}
    return NAMES.get(value, value) if isinstance(value, str) else value


def table_of(game: str, seats: list[str], **settings: Any) -> Table:
    """Seat a table for a game and begin."""
    loaded = load_game(game)
    table = Table(loaded.game, seats, settings=settings, locale=loaded.locale)
    table.start()
    return table


def play(table: Table, answers: Mapping[str, Answer], until: str) -> Listen | None:
    """Answer every question by its step, until one is asked at a step; None at the game's end."""
    for _ in range(MOST_ANSWERS):
        table.wait_until(lambda: table.finish is not None or _is_asked(table))
        if table.finish is not None:
            assert until == "ended", f"the game is over and was never at {until}"
            return None
        listen = table.expect_next()
        if until in listen.step.split("/"):
            return listen
        table.wait(listen.opens_after)
        table.hear(_answer(answers, listen))
    raise AssertionError(f"never at {until}; at {table.at}\n{table.story()}")


def _is_asked(table: Table) -> bool:
    return table.asks() is not None and not table.speaking


def _answer(answers: Mapping[str, Answer], listen: Listen) -> str:
    for name in reversed(listen.step.split("/")):
        if name in answers:
            found = answers[name]
            return found if isinstance(found, str) else found(listen)
    raise AssertionError(f"no answer for {listen.step}")


def say(table: Table, *answers: str) -> None:
    """Answer the next questions, one after the other."""
    for answer in answers:
        table.expect_next()
        table.hear(answer)


def scored(game: str, case: Mapping[str, Any]) -> None:
    """Check that a case comes out as told without playing."""
    found = score_case(load_game(game).game, case["input"])
    if case["expect"] == {"refused": True}:
        assert set(found) == {"refused"}
        assert str(found["refused"]).endswith(".")
    else:
        assert found == case["expect"]
