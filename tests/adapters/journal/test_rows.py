"""Rows of the journal: a part of what they hold is read as the whole is."""

import zlib
from typing import Any

import pytest

from narrator.adapters.journal.rows import UnreadableError, effects_of, heard_of
from narrator.adapters.journal.sqlite import packed
from narrator.app import rehearse
from narrator.app.games import load_game
from narrator.core.codec import encode
from narrator.core.effects import Cover, Say
from narrator.core.values import Seat
from narrator.ports.session import Heard

pytestmark = pytest.mark.unit


@pytest.mark.parametrize("game", ["one-night-revolution", "mafia", "scorekeeper"])
def test_reading_some_kinds_of_effects_tells_the_same_as_reading_all(game):
    """An evening's row may say `"is":"Say"` in a text, or hold a list of what may be said."""
    loaded = load_game(game)
    seats = tuple(Seat(n, f"P{n}") for n in range(1, loaded.game.low + 1))
    report, _ = rehearse.rehearse_in_text(loaded, rehearse.Plan(seats, 1))
    tricky = (Say(7, '[{"is":"Say","utterance":1}] "is":"Refused"'), Cover(on=True))
    rows = [tricky, (), *(tuple(effects) for _, _, effects in report.journal)]
    assert {type(e).__name__ for row in rows for e in row} >= {"Say", "Listen", "Cover"}
    for kinds in (("Say", "Refused"), ("Say", "CountDown", "Listen"), ("Finish",)):
        for effects in rows:
            wanted = tuple(e for e in effects if type(e).__name__ in kinds)
            assert effects_of(packed(encode(list(effects))), kinds) == wanted


@pytest.mark.parametrize("text", ['{"is":"Say"}', '"Say"', "5", "", '[{"is":"Say"]'])
def test_effects_that_are_none_are_damage_for_a_part_of_them_too(text):
    with pytest.raises(UnreadableError):
        effects_of(zlib.compress(text.encode()), ("Say",))


HEARD: dict[str, Any] = {
    "at": 9.0, "begin": 7.5, "end": 8.5, "text": "yes", "verdict": "accepted", "reason": "",
    "score": -0.3, "margin": 2.0, "stands_out": 14.0, "step": "night/ask",
}  # fmt: skip


def test_a_score_may_be_larger_than_any_evening_is_long():
    """How large a score is depends on the engine: only moments are bounded by months."""
    row = HEARD | {"score": -3e9, "margin": 5e8}
    assert heard_of(tuple(row.values())) == Heard(**row)


@pytest.mark.parametrize(
    ("field", "value", "named"),
    [
        ("at", 1e8, "time"),
        ("begin", "soon", "time"),
        ("end", float("nan"), "time"),
        ("score", "high", "score"),
        ("score", float("inf"), "score"),
        ("margin", None, "margin"),
        ("stands_out", float("nan"), "loudness"),
        ("verdict", "perhaps", "verdict"),
        ("text", 5, "words"),
    ],
)
def test_damage_of_an_utterance_is_named_by_what_is_damaged(field, value, named):
    with pytest.raises(UnreadableError, match=f"^{named}$"):
        heard_of(tuple((HEARD | {field: value}).values()))
