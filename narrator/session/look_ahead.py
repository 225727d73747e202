"""What is likely to be said next, found by playing on in a shadow of the engine.

The shadow takes every line as heard, every timer as due and every question as answered in the
first way that is allowed; only the texts it would speak are used, to have them rendered in time.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any

from narrator.core.effects import CountDown, Effect, Finish, Listen, Say
from narrator.core.engine import Engine
from narrator.core.events import Event, SpeechFinished, TimerFired, Transcript
from narrator.core.expect import Expectation, Meaning
from narrator.core.game import Game
from narrator.core.values import ExpressionError, Seat, Value

LINES = 6
"""Lines looked ahead."""
EVENTS = 24
"""Events after which the shadow is stopped."""

Likely = tuple[str, float, str, str]
"""A text, its rate as a factor on the normal one, its role and its style."""


class LookAhead:
    """Yields the lines that are likely to be spoken from a saved state on."""

    def __init__(self, game: Game, seats: Sequence[Seat]) -> None:
        self._game, self._seats = game, seats
        self._made: Engine | None = None

    def lines(self, state: Mapping[str, Any], now: float) -> list[Likely]:
        """Play on from a saved state.

        Args:
            state: what `Engine.to_dict` gave; its history is not needed.
            now: session seconds at which it was saved.
        """
        # Made when it is first needed: the first line is not to wait for it.
        self._made = self._made or Engine(self._game, self._seats)
        self._shadow.restore(state, now)
        listen = self._last_listen(self._shadow.take_up(now))
        found: dict[Likely, None] = {}
        for _ in range(EVENTS):
            event = self._next(listen)
            if event is None or len(found) >= LINES:
                break
            due = self._shadow.deadline()
            if due is not None and isinstance(event, TimerFired):
                now = max(now, due.due)
            elif isinstance(event, Transcript):
                now = self._shadow.opens_at(now) or now
            effects = self._shadow.step(event, now)
            listen = self._last_listen(effects) or listen
            found |= dict.fromkeys(likely for e in effects for likely in _spoken(e))
            if any(isinstance(effect, Finish) for effect in effects):
                break
        return list(found)

    @property
    def _shadow(self) -> Engine:
        assert self._made is not None  # noqa: S101 - `lines` makes it
        return self._made

    @cached_property
    def own_lines(self) -> list[Likely]:
        """The narrator's own lines that are the same at any moment."""
        found = []
        for expression in self._game.own.values():
            try:
                found.append((" ".join(str(expression({})).split()), 1.0, "chatter", ""))
            except ExpressionError:
                continue
        return found

    def _next(self, listen: Listen | None) -> Event | None:
        shadow = self._shadow
        if shadow.awaited:
            return SpeechFinished(shadow.awaited)
        expected = listen.answers if listen else ()
        if listen is not None and expected and shadow.awaits_answer(math.inf):
            meaning = Meaning(expected[0].intent, _answer(expected[0]))
            return Transcript("", meaning, listen.listen)
        due = self._shadow.deadline()
        return TimerFired(due.name, due.generation) if due else None

    @staticmethod
    def _last_listen(effects: Sequence[Effect]) -> Listen | None:
        return next((e for e in reversed(effects) if isinstance(e, Listen)), None)


def _spoken(effect: Effect) -> list[Likely]:
    if isinstance(effect, Say):
        return [(effect.text, effect.rate, effect.role, effect.style)]
    words = effect.words if isinstance(effect, CountDown) else ()
    return [(word, 1.0, "narration", "") for word in words]


def _answer(expected: Expectation) -> Value:
    """Return an answer that is likely to be allowed."""
    first = expected.allowed[0] if expected.allowed else None
    answers: dict[str, Value] = {
        "yesno": True,
        "number": expected.high,
        "seat": first,
        "seats": [first] if first else [],
        "letter": first or "A",
        "points": {first: 1} if first else {},
        "choice": expected.choices[0][0] if expected.choices else None,
    }
    return answers.get(expected.kind, "")
