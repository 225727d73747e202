"""Simulated players: what they answer, how long they think, and whether they heard themselves
right.

They know what a player knows: what they meant to say, and what the narrator read back. They
never look at the engine.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from narrator.core.effects import Listen
from narrator.core.expect import Expectation, Meaning
from narrator.core.values import Seat, Value
from narrator.language.grammar.grammar import Grammar

Draw: TypeAlias = Callable[[random.Random, Expectation], Value]
THINKS = (0.5, 1.4)
"""Seconds a player takes to answer, least and most."""
WORKS = (0.4, 5.0)
"""Seconds a player takes at night, beyond the floor."""
TALKS = (20.0, 40.0)
"""Seconds a table talks before it wants to stop early."""
FREE = "something that nobody here expected"


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a list of answers: what is said, and where, if it says where."""

    say: str
    at: str = ""

    def fits(self, step: str) -> bool:
        """Whether it is meant for this step."""
        return (
            not self.at or self.at == step or self.at in step.split("/") or step.startswith(self.at)
        )


@dataclass(frozen=True, slots=True)
class Reply:
    """What somebody is going to say."""

    seat: str
    text: str
    delay: float
    """Seconds from when it may be said."""
    means: Meaning | None = None


UNDO, RESUME = "command:undo", "command:resume"
ASKED_WHOSE = "_wrong"
"""Where the answer goes to whose vote or answer is wrong."""
INSTEAD = 0.4
"""How often something is said that may be said instead of an answer."""


@dataclass(slots=True)
class SimulatedPlayers:
    """The players of a rehearsal.

    Args:
        seats: Everybody, clockwise.
        seed: Decides what they answer where no list of answers says so.
        lines: What they say, in the order they are asked; when it runs out they draw.
        patient: Whether they let timers run to their end.
    """

    seats: Sequence[Seat]
    seed: int = 0
    lines: list[Line] = field(default_factory=list)
    patient: bool = False
    _chance: random.Random = field(init=False)
    _pauses: random.Random = field(init=False)
    """Of what is said once more: what was misheard changes nobody's later answers."""
    _meant: dict[str, Value] = field(default_factory=dict)
    _spoken: dict[tuple[str, str, str], Reply] = field(default_factory=dict)
    _misheard: dict[tuple[str, str, str], int] = field(default_factory=dict)
    _takes_back: bool = False
    _corrects: bool = False
    """What was read back was wrong: it is going to be said once more."""
    _wrong: list[str] = field(default_factory=list)
    """Seats whose answers were read back wrong."""

    def __post_init__(self) -> None:
        """Seed the players' own chance, which the game's knows nothing of."""
        self._chance, self._pauses = random.Random(self.seed), random.Random(self.seed)

    def reply(self, listen: Listen, grammar: Grammar, attempt: int) -> Reply | None:
        """Decide what is said to this, and by whom; None where everybody may keep silent.

        Args:
            listen: What may be said.
            grammar: Its grammar.
            attempt: 1 for the first time, more where it was not understood.
        """
        expected = self._awaited(listen, self._chance if attempt == 1 else self._pauses)
        if expected is None:
            return self._go_on(listen, grammar)
        undo = next((e for e in listen.expectations if e.intent == UNDO), None)
        if self._takes_back and undo is not None:
            self._takes_back, self._corrects = False, True
            who = self._chance.choice(self.seats).name
            text = grammar.sample(undo, None) or "undo"
            return Reply(who, text, self._delay(expected, listen), Meaning(UNDO))
        key = (listen.step, listen.key, listen.seat or "")
        again = attempt > 1 or (self._corrects and not listen.reads_back)
        before = self._spoken.get(key) if again else None
        if before is not None and _is_possible(before, expected):
            return self._once_more(before, expected, grammar, attempt + self._put_right(key))
        reply = self._fresh(listen, expected, grammar)
        if reply is not None:
            self._spoken[key] = reply
            self._keep(listen, reply.means)
        return reply

    def _go_on(self, listen: Listen, grammar: Grammar) -> Reply | None:
        """Answer a pause that nobody asked for: a word was taken for one."""
        resume = next((e for e in listen.expectations if e.intent == RESUME), None)
        if resume is None:
            return None
        text = grammar.sample(resume, None) or "go on"
        who = self._chance.choice(self.seats).name
        return Reply(who, text, self._chance.uniform(*THINKS), Meaning(RESUME))

    def take_back(self) -> None:
        """Hear the narrator say points that nobody called: undo them as soon as may be."""
        self._takes_back = True

    def meant(self, variable: str) -> Value:
        """Return what the last speaker meant for a variable; None if nobody spoke."""
        return self._meant.get(variable)

    def recall(self, listen: Listen, means: Meaning) -> None:
        """Take over what was said in an earlier session of the same evening."""
        self._keep(listen, means)
        self.agreed(listen, means)

    def agreed(self, listen: Listen, means: Meaning) -> None:
        """Know that an answer was accepted: what was read back right is settled.

        The same variable may be set by the script in a later round, and nobody's earlier answer
        says what it must be then.
        """
        if means.value is True:
            for name in listen.reads_back:
                self._meant.pop(name, None)

    def _awaited(self, listen: Listen, chance: random.Random) -> Expectation | None:
        """Return the answer that is wanted, or now and then what may be said instead of one."""
        expected = listen.answers
        plain = [
            e
            for e in expected
            if e.templates and e.kind == "sentence" and "{" not in "".join(e.templates)
        ]
        if plain and not self.lines and chance.random() < INSTEAD:
            # What a script names first is said most; what ends the game usually comes last.
            return plain[int(chance.random() ** 2 * len(plain))]
        return expected[0] if expected else None

    def _fresh(self, listen: Listen, expected: Expectation, grammar: Grammar) -> Reply | None:
        seat = listen.seat or self._chance.choice(self.seats).name
        line = self._line(listen, expected, grammar)
        if line is not None:
            return Reply(seat, line, self._delay(expected, listen), grammar.interpret(line).meaning)
        if self._is_early_end(listen, expected) and self.patient:
            return None
        if listen.limited and expected.kind == "choice":
            return None  # nothing went wrong, and the time passes
        value = self._value(listen, expected)
        text = grammar.sample(expected, value) or str(value)
        means = grammar.interpret(text).meaning
        return Reply(seat, text, self._delay(expected, listen), means)

    def _put_right(self, key: tuple[str, str, str]) -> int:
        """Count how often an answer was misheard: who repeats it to no avail uses other words."""
        if self._corrects:
            self._corrects = False
            self._misheard[key] = self._misheard.get(key, 1) + 1
        return self._misheard.get(key, 0)

    def _once_more(
        self, before: Reply, expected: Expectation, grammar: Grammar, attempt: int
    ) -> Reply:
        """Say it again; from the third time on in other words, such as the seat's number."""
        text, means = before.text, before.means
        if means is not None and attempt > 2:
            same = (e for e in grammar.expectations if e.intent == means.intent)
            ways = grammar.samples(next(same, expected), means.value, 8)
            text = ways[(attempt - 2) % len(ways)] if ways else text
        return Reply(before.seat, text, self._pauses.uniform(*THINKS), before.means)

    def _line(self, listen: Listen, expected: Expectation, grammar: Grammar) -> str | None:
        """Take the next line of the list if it is an answer to this."""
        if not self.lines or not self.lines[0].fits(listen.step):
            return None
        line = self.lines[0].say
        meaning = grammar.interpret(line).meaning
        understood = meaning is not None and meaning.intent == expected.intent
        if (listen.limited or expected.kind in ("phrase", "yesno")) and not understood:
            return None
        if listen.reads_back and meaning is not None and meaning.value is not self._agrees(listen):
            return None
        self.lines.pop(0)
        return line

    def _value(self, listen: Listen, expected: Expectation) -> Value:
        if listen.reads_back:
            self._corrects = not self._agrees(listen)
            self._wrong = self._differing(listen)
            return self._judgement(listen, expected)
        if listen.into == ASKED_WHOSE and self._wrong:
            return self._wrong[0]
        if self._corrects and listen.key and listen.key in self._held(listen.into):
            self._corrects = False
            return self._held(listen.into)[listen.key]
        if expected.kind == "number" and not listen.into:
            return expected.high
        draw = _DRAWS.get(expected.kind)
        return draw(self._chance, expected) if draw else None

    def _judgement(self, listen: Listen, expected: Expectation) -> Value:
        """Answer what was read back: truthfully, by what everybody meant to say."""
        if expected.kind == "yesno":
            return self._agrees(listen)
        return self._wrong[0] if self._wrong else self.seats[0].name

    def _differing(self, listen: Listen) -> list[str]:
        """Return the seats whose answers were read back otherwise than they were meant."""
        return [
            seat
            for name, told in listen.reads_back.items()
            for seat in (told if isinstance(told, dict) else {})
            if self._differs(name, told, seat)
        ]

    def _held(self, variable: str) -> Mapping[str, Value]:
        held = self._meant.get(variable)
        return held if isinstance(held, dict) else {}

    def _agrees(self, listen: Listen) -> bool:
        return all(self._is_meant(name, told) for name, told in listen.reads_back.items())

    def _is_meant(self, name: str, told: Value) -> bool:
        meant = self._meant.get(name, told)
        if isinstance(meant, dict) and isinstance(told, dict):
            # A seat that is not asked this time may have been asked in an earlier round, and one
            # that agreed to what was read back may not be asked when another's is corrected.
            return all(meant.get(seat, value) == value for seat, value in told.items())
        return meant == told

    def _differs(self, name: str, told: Value, seat: str) -> bool:
        meant = self._meant.get(name)
        if not isinstance(meant, dict) or not isinstance(told, dict):
            return False
        return meant.get(seat, told.get(seat)) != told.get(seat)

    def _keep(self, listen: Listen, means: Meaning | None) -> None:
        """Remember what was meant, to compare it with what is read back."""
        if not listen.into or means is None or listen.reads_back:
            return
        if not listen.key:
            self._meant[listen.into] = means.value
            return
        self._meant[listen.into] = {**self._held(listen.into), listen.key: means.value}

    def _delay(self, expected: Expectation, listen: Listen) -> float:
        if self._is_early_end(listen, expected):
            return self._chance.uniform(*TALKS)
        span = WORKS if listen.eyes_closed else THINKS
        return listen.opens_after + self._chance.uniform(*span)

    @staticmethod
    def _is_early_end(listen: Listen, expected: Expectation) -> bool:
        return expected.kind == "phrase" and listen.timed


def _points(chance: random.Random, expected: Expectation) -> Value:
    some = chance.sample(expected.allowed, min(len(expected.allowed), 1 + int(chance.random() * 2)))
    points = {name: chance.randint(max(expected.low, 1), min(expected.high, 12)) for name in some}
    return {name: points[name] for name in expected.allowed if name in points}


def _is_possible(reply: Reply, expected: Expectation) -> bool:
    """Whether it makes sense to say it again: what the rules refuse they refuse again."""
    if expected.kind not in ("seat", "letter") or reply.means is None:
        return True
    value = reply.means.value
    return expected.nobody if value is None else not expected.allowed or value in expected.allowed


def _several(chance: random.Random, expected: Expectation) -> Value:
    if expected.nobody and chance.random() < 0.2:
        return []
    wanted = max(expected.low, min(expected.high, 1 + int(chance.random() * 2)))
    drawn = set(chance.sample(expected.allowed, min(len(expected.allowed), wanted)))
    return [seat for seat in expected.allowed if seat in drawn]


_DRAWS: Mapping[str, Draw] = {
    "yesno": lambda chance, expected: chance.random() < 0.7,
    "number": lambda chance, expected: chance.randint(
        expected.low, max(expected.low, expected.high)
    ),
    "seat": lambda chance, expected: chance.choice(expected.allowed) if expected.allowed else None,
    "letter": lambda chance, expected: chance.choice(expected.allowed or ("A", "B", "C")),
    "choice": lambda chance, expected: chance.choice([value for value, _ in expected.choices]),
    "seats": _several,
    "points": _points,
    "sentence": lambda chance, expected: {},
    "free": lambda chance, expected: FREE,
    "names": lambda chance, expected: [FREE],
}
