"""What the pages can look like: each state by the updates that lead to it."""

from __future__ import annotations

from collections.abc import Sequence

from narrator.core.effects import Listen
from narrator.core.expect import Expectation
from narrator.core.values import Value
from narrator.ports.page import Answers, Button
from narrator.ports.session import (
    Asked,
    Ended,
    LineBegun,
    LineEnded,
    PublicView,
    Shown,
    TimerRunning,
    Update,
)  # fmt: skip

SEATS = ("Ana", "Ben", "Cleo", "Dov", "Eve", "Maximiliane von Hohenstein")
COMMANDS = ("repeat", "pause", "undo", "more_time", "how_long_left", "whose_turn", "scores", "help")
WORDS = "What did you hear?"
_NAMES = tuple(Button(name, name) for name in SEATS)
ANSWERS: dict[str, Answers] = {
    "night": Answers("one", (Button("", "task complete"),), "Say: task complete."),
    "yesno": Answers("one", (Button("y", "yes"), Button("n", "no")), "Say: yes or no."),
    "vote": Answers("one", _NAMES[:1] + _NAMES[2:], "Say: Ana, Cleo, Dov, Eve or Maximiliane."),
    "several": Answers(
        "several", (*_NAMES, Button("nobody", "nobody", is_whole=True)), "Say names, or nobody."
    ),
    "points": Answers("points", _NAMES, "Say names with points.", low=-5, high=20),
    "numbers": Answers("one", tuple(Button(f"{n}", f"{n}") for n in range(1, 11)), "Say 1 to 10."),
    "words": Answers("words", (), WORDS),
}
"""The answers of a question by its step."""


def answers(listen: Listen) -> Answers:
    """Return the answers that a question of these states has."""
    return ANSWERS.get(listen.step, Answers("words", ()))


def asked(number: int, step: str, seat: str | None = None, *, closed: bool = False) -> Asked:
    """Return a question; `quiet` awaits nothing."""
    expected = () if step == "quiet" else (Expectation("answer", "phrase", ("done",)),)
    listen = Listen(number, expected, step, seat, closed)
    return Asked(0.0, listen, "phrase", seat=seat, buttons=COMMANDS)


def _lines(*texts: str) -> Sequence[Update]:
    begun = [LineBegun(0.0, number, text) for number, text in enumerate(texts, start=1)]
    return [u for b in begun for u in (b, LineEnded(1.0, b.utterance, 1.0, complete=True))][:-1]


_DAY = _lines(
    "Everyone, open your eyes. It is day. If something went wrong, say so now.",
    "You have five minutes. Talk it over: who has an Informant's token now?",
    "One minute left.",
)
_TOTALS: dict[str, Value] = {"Ana": 12, "Ben": 9, "Cleo": 9, "Dov": 4, "Eve": 0, SEATS[5]: 17}
STATES: dict[str, list[Update]] = {
    "night": [
        *_lines("Night. All eyes closed.", "Ben."), asked(2, "night", "Ben", closed=True),
    ],
    "day": [
        *_DAY, Shown(2.0, "One more minute."), PublicView(0.0, {"seat": "Dov", "totals": {}}),
        asked(3, "quiet"), TimerRunning(0.0, 275.0),
    ],
    "vote": [
        *_lines("Three, two, one, vote.", "Ben, whom do you point at?"), asked(4, "vote", "Ben"),
    ],
    "yesno": [*_lines("Ana points at Eve. Ben points at Cleo.", "Is that right?"),
              asked(5, "yesno")],
    "several": [*_lines("Who guessed letter C?"), asked(6, "several")],
    "points": [*_lines("Ben, what are the points of this round?"), asked(7, "points", "Ben")],
    "numbers": [*_lines("Lay a number card on the board. Which number?"), asked(8, "numbers")],
    "words": [*_lines("Ben, which place is it?"), asked(9, "words", "Ben")],
    "result": [
        *_lines("That was the last round. Maximiliane von Hohenstein wins with 17 points."),
        PublicView(0.0, {"seat": None, "totals": _TOTALS}), asked(10, "quiet"),
        Ended(9.0, "complete", {}, {}),
    ],
}  # fmt: skip
"""Each state by the updates that lead to it."""
