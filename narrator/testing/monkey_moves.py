"""What a monkey does at a table: good and bad answers, commands, keys, stale events."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from typing import TypeAlias

from narrator.core.commands import lesson
from narrator.core.commands.table import TABLE
from narrator.core.effects import Listen
from narrator.core.engine import Engine
from narrator.core.events import (
    Event,
    Key,
    PortFailed,
    SpeechCut,
    SpeechFinished,
    Start,
    TimerFired,
    Transcript,
)
from narrator.core.expect import Expectation, Meaning
from narrator.core.game import Game, Option
from narrator.core.values import Value
from narrator.language.grammar.templates import slots_of

NAMES = (
    "Ana", "Ben", "Cy", "Dee", "Eli", "Fay", "Gus", "Hal", "Ida", "Jon", "Kim", "Leo",
    "Mia", "Ned", "Oda", "Pia", "Quin", "Rex", "Sue", "Tom",
)  # fmt: skip
COMMANDS = (*(name for name in TABLE if name != "end_the_game"), "yes", "no", "dance")
RARE = 0.02
"""Share of commands that end the game: most games should be played on."""
JUNK: tuple[Value, ...] = (
    None, True, False, -1, 0, 7, 10_000, 2.5, "", "Nobody Here", "Ana", "Z", [], ["Ana"],
    ["Nobody Here", None], {"Ana": 1},
)  # fmt: skip


def asked(chance: random.Random, listen: Listen | None) -> Expectation | None:
    """Draw one of the answers that are awaited, commands aside; None where nothing is asked."""
    expected = listen.expectations if listen else ()
    awaited = [e for e in expected if not e.intent.startswith("command:")]
    return chance.choice(awaited) if len(awaited) > 1 else next(iter(awaited), None)


def fitting(chance: random.Random, expected: Expectation, agree: float = 1.0) -> Value:
    """Draw an answer that the rules allow.

    Args:
        chance: The monkey's own.
        expected: What is awaited.
        agree: How often a yes-or-no question is answered with yes.
    """
    kind = expected.kind
    if kind == "yesno":
        return chance.random() < agree
    if kind == "number":
        return chance.randint(expected.low, max(expected.low, expected.high))
    if kind in ("seat", "letter"):
        possible: Sequence[Value] = expected.allowed or ((None,) if kind == "seat" else ("A", "B"))
        return chance.choice(possible)
    if kind == "seats":
        least = 0 if expected.nobody else 1
        return list(
            chance.sample(expected.allowed, min(len(expected.allowed), chance.randint(least, 3)))
        )
    if kind == "choice":
        return chance.choice(expected.choices)[0] if expected.choices else None
    if kind == "points":
        return _points(chance, expected.allowed, expected.low, expected.high)
    if kind == "sentence":
        return _slots(chance, expected)
    return expected.templates[0] if expected.templates else "any words"


def _points(chance: random.Random, names: Sequence[str], low: int, high: int) -> Value:
    some = chance.sample(names, min(len(names), chance.randint(1, 3)))
    return {name: chance.randint(max(low, -5), min(high, 20)) for name in some}


def _slots(chance: random.Random, expected: Expectation) -> Value:
    """Fill the slots of one of the sentences."""
    fills: Mapping[str, Callable[[], Value]] = {
        "number": lambda: chance.randint(1, 12),
        "seat": lambda: chance.choice(NAMES[:3]),
        "letter": lambda: chance.choice("ABC"),
        "points": lambda: _points(chance, NAMES[:3], -9, 20),
    }
    slots = slots_of(chance.choice(expected.templates)) if expected.templates else ()
    return {slot.slot_name: fills.get(slot.list_name, fills["number"])() for slot in slots}


class Monkey:
    """Draws one event after the other for one game.

    Args:
        chance: Its own; the same state gives the same events.
        names: Everybody at the table.
    """

    def __init__(self, chance: random.Random, names: Sequence[str]) -> None:
        self.chance = chance
        self._names = names

    def event(self, engine: Engine, listen: Listen | None, unheard: Sequence[int]) -> Event:
        """Return the next event, as likely as not one that makes no sense.

        Args:
            engine: The game.
            listen: What may be said now.
            unheard: Utterances that are not over yet.
        """
        moves = [_MOVES[name] for name in _MOVES]
        move = self.chance.choices(moves, _WEIGHTS)[0]
        return move(self, engine, listen, unheard) or self._key(engine, listen, unheard)

    def _finished(
        self, engine: Engine, listen: Listen | None, unheard: Sequence[int]
    ) -> Event | None:
        return SpeechFinished(unheard[0]) if unheard else None

    def _cut(self, engine: Engine, listen: Listen | None, unheard: Sequence[int]) -> Event | None:
        return SpeechCut(self.chance.choice(unheard), self.chance.random()) if unheard else None

    def _old_speech(self, engine: Engine, listen: Listen | None, unheard: Sequence[int]) -> Event:
        return SpeechFinished(self.chance.randint(0, engine.state.utterance + 2))

    def _timer(self, engine: Engine, listen: Listen | None, unheard: Sequence[int]) -> Event | None:
        due = engine.deadline()
        return TimerFired(due.name, due.generation) if due else None

    def _old_timer(self, engine: Engine, listen: Listen | None, unheard: Sequence[int]) -> Event:
        name = self.chance.choice(
            (*engine.state.timers, "step", "nudge", "warning", "hands", "no such")
        )
        return TimerFired(name, self.chance.randint(0, engine.state.generation + 1))

    def _answer(
        self, engine: Engine, listen: Listen | None, unheard: Sequence[int]
    ) -> Event | None:
        expected = asked(self.chance, listen)
        if expected is None or listen is None:
            return None
        meaning = Meaning(expected.intent, fitting(self.chance, expected, agree=0.7))
        return Transcript("an answer", meaning, listen.listen)

    def _wrong(self, engine: Engine, listen: Listen | None, unheard: Sequence[int]) -> Event:
        intent = self.chance.choice(("answer", "phrase", "no such intent"))
        value = self.chance.choice((*JUNK, *self._names, engine.state.seat))
        return Transcript("junk", Meaning(intent, value), engine.state.listen)

    def _unclear(self, engine: Engine, listen: Listen | None, unheard: Sequence[int]) -> Event:
        return Transcript("mumble", None, engine.state.listen, unclear=self.chance.random() < 0.7)

    def _stale(self, engine: Engine, listen: Listen | None, unheard: Sequence[int]) -> Event:
        number = self.chance.randint(0, max(0, engine.state.listen - 1))
        return Transcript("late", Meaning("answer", self.chance.choice(self._names)), number)

    def _command(self, engine: Engine, listen: Listen | None, unheard: Sequence[int]) -> Event:
        ruled = [e.intent.removeprefix("command:") for e in lesson.expectations_of(engine.game)]
        name = self.chance.choice(ruled) if ruled and self.chance.random() < 0.1 else self._named()
        value = self.chance.choice((None, None, 30, 120, -5, "soon"))
        return Transcript(name, Meaning(f"command:{name}", value), engine.state.listen)

    def _key(self, engine: Engine, listen: Listen | None, unheard: Sequence[int]) -> Event:
        return Key(self._named())

    def _named(self) -> str:
        return "end_the_game" if self.chance.random() < RARE else self.chance.choice(COMMANDS)

    def _port(self, engine: Engine, listen: Listen | None, unheard: Sequence[int]) -> Event:
        return PortFailed(
            "microphone", "device stopped", {"device": "microphone"}, self.chance.random() < 0.5
        )

    def _start(self, engine: Engine, listen: Listen | None, unheard: Sequence[int]) -> Event:
        return Start()


_Move: TypeAlias = Callable[[Monkey, Engine, Listen | None, Sequence[int]], Event | None]
_MOVES: Mapping[str, _Move] = {
    "finished": Monkey._finished,
    "cut": Monkey._cut,
    "old speech": Monkey._old_speech,
    "timer": Monkey._timer,
    "old timer": Monkey._old_timer,
    "answer": Monkey._answer,
    "wrong": Monkey._wrong,
    "unclear": Monkey._unclear,
    "stale": Monkey._stale,
    "command": Monkey._command,
    "key": Monkey._key,
    "port": Monkey._port,
    "start": Monkey._start,
}
_WEIGHTS = (30, 3, 2, 20, 2, 30, 6, 4, 3, 6, 6, 1, 1)


def settings(chance: random.Random, game: Game, names: Sequence[str]) -> dict[str, Value]:
    """Draw what the table chooses: each option and post in half of all games."""
    chosen: dict[str, Value] = {}
    for option in game.options:
        if chance.random() < 0.5:
            value = _option(chance, option, len(names))
            if value is not None:
                chosen[option.name] = value
    for post in game.posts:
        if chance.random() < 0.5:
            chosen[post.name] = chance.choice(names)
    return chosen


def _option(chance: random.Random, option: Option, players: int) -> Value:
    if option.kind == "yesno":
        return chance.random() < 0.5
    if option.kind == "choice":
        return chance.choice(option.choices) if option.choices else None
    low, high = option.low_for(players), option.high_for(players)
    if option.kind in ("duration", "number") and low is not None and high is not None:
        return (
            float(chance.randint(int(low), int(high)))
            if option.kind == "duration"
            else (chance.randint(int(low), int(high)))
        )
    return None
