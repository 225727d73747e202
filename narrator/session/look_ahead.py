"""What is likely to be said next, found by playing on in a shadow of the engine.

The shadow takes every line as heard, every timer as due and every question as answered in the
first way that is allowed, and the first question in a few other ways, too; only the texts it would
speak are used, to have them rendered in time.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
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
ANSWERS = 6
"""Answers to the first question that are tried: each takes about 2 ms."""
AFTER_ANSWER = 6
"""Events of each other answer: the line that follows it, and often the next."""

Likely = tuple[str, float, str, str]
"""A text, its rate as a factor on the normal one, its role and its style."""


class LookAhead:
    """Yields the lines that are likely to be spoken from a saved state on."""

    def __init__(self, game: Game, seats: Sequence[Seat]) -> None:
        self._game, self._seats = game, seats
        self._made: Engine | None = None

    def lines(self, state: Mapping[str, Any], now: float) -> list[Likely]:
        """Play on from a saved state, in the way that is most likely, then briefly in others.

        Args:
            state: what `Engine.to_dict` gave; its history is not needed.
            now: session seconds at which it was saved.

        Returns:
            The lines on the way, then those after other answers to the first question, then the
            questions to one player as they are asked of another.
        """
        found, answers = self._walk(state, now)
        for other in range(1, min(answers, ANSWERS)):
            found |= self._walk(state, now, other, AFTER_ANSWER)[0]
        return list(found | dict.fromkeys(self._asked_of_others(found)))

    def _walk(
        self, state: Mapping[str, Any], now: float, answer: int = 0, events: int = EVENTS
    ) -> tuple[dict[Likely, None], int]:
        """Return the lines on one way, and how many answers the first question has.

        Args:
            state: Where it begins.
            now: Its session seconds.
            answer: Which of the first question's answers is given; all others are the first.
            events: After which it ends.
        """
        # Made when it is first needed: the first line is not to wait for it.
        self._made = self._made or Engine(self._game, self._seats)
        self._shadow.restore(state, now)
        listen = self._last_listen(self._shadow.take_up(now))
        found: dict[Likely, None] = {}
        answers = 0
        for _ in range(events):
            event = self._next(listen, 0 if answers else answer)
            if event is None or len(found) >= LINES:
                break
            due = self._shadow.deadline()
            if due is not None and isinstance(event, TimerFired):
                now = max(now, due.due)
            elif isinstance(event, Transcript):
                now = self._shadow.opens_at(now) or now
                answers = answers or (len(_answers(listen.answers[0])) if listen else 0)
            effects = self._shadow.step(event, now)
            listen = self._last_listen(effects) or listen
            found |= dict.fromkeys(likely for e in effects for likely in _spoken(e))
            if any(isinstance(effect, Finish) for effect in effects):
                break
        return found, answers

    def _asked_of_others(self, found: Iterable[Likely]) -> Iterator[Likely]:
        """Yield the questions that name one player, with each other's name."""
        names = [seat.name for seat in self._seats if seat.name]
        for text, rate, role, style in found:
            named = [name for name in names if re.search(rf"\b{re.escape(name)}\b", text)]
            if role == "question" and len(named) == 1:
                before, after = re.split(rf"\b{re.escape(named[0])}\b", text, maxsplit=1)
                for other in names:
                    yield f"{before}{other}{after}", rate, role, style

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

    def _next(self, listen: Listen | None, answer: int) -> Event | None:
        shadow = self._shadow
        if shadow.awaited:
            return SpeechFinished(shadow.awaited)
        expected = listen.answers if listen else ()
        if listen is not None and expected and shadow.awaits_answer(math.inf):
            answers = _answers(expected[0])
            meaning = Meaning(expected[0].intent, answers[min(answer, len(answers) - 1)])
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


def _answers(expected: Expectation) -> list[Value]:
    """Return answers that are likely to be allowed, at least one."""
    allowed, kind = expected.allowed, expected.kind
    answers: dict[str, list[Value]] = {
        "yesno": [True, False],
        "number": [expected.high, *range(expected.high - 1, expected.low - 1, -1)],
        "seat": [*allowed],
        "seats": [[seat] for seat in allowed],
        "letter": [*allowed] or ["A"],
        "points": [{seat: 1} for seat in allowed],
        "choice": [value for value, _ in expected.choices],
    }
    empty: dict[str, Value] = {"seat": None, "choice": None, "seats": [], "points": {}}
    return answers.get(kind) or [empty.get(kind, "")]
