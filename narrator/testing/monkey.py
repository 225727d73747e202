"""Random play: does a game hold out whatever a table does, and can it always be finished?"""

from __future__ import annotations

import json
import random
import zlib
from collections import Counter, deque
from collections.abc import Sequence
from dataclasses import dataclass, field

from narrator.core.effects import CountDown, Effect, Finish, Hush, Listen, Say
from narrator.core.engine import Engine
from narrator.core.events import (
    Event,
    Key,
    SpeechCut,
    SpeechFinished,
    Start,
    TimerFired,
    Transcript,
)
from narrator.core.expect import Expectation, Meaning
from narrator.core.game import Game
from narrator.core.library import names as in_a_row
from narrator.core.values import Seat, Value
from narrator.language.locale import Locale
from narrator.simulation.tries import Tries
from narrator.testing.monkey_checks import Checks, Numbers
from narrator.testing.monkey_moves import NAMES, Monkey, asked, fitting, settings

RANDOM = (20, 160)
"""Events of the random part, least and most."""
TO_THE_END = 4_000
"""Events within which a well-behaved table must be able to finish."""
STUBBORN = 12
"""Times that the well-behaved table says yes to one question; a round too often, and it may say no.
"""
PROMPT = 0.7
"""How often a line that was stopped is reported before anything else happens."""
LAST = 12
"""Events that a report keeps."""


@dataclass(slots=True)
class MonkeyReport:
    """How one random game went."""

    game: str
    seed: int
    players: int
    events: int = 0
    seconds: float = 0.0
    """Session seconds."""
    faults: list[str] = field(default_factory=list)
    """What did not hold, each in a plain sentence; empty where all did."""
    story: list[str] = field(default_factory=list)
    """The last events before the first fault."""
    ended: str = ""
    """`complete`, or `stopped` where the monkey ended the game."""


class Monkeys:
    """Plays random games of one script.

    Args:
        game: The script.
        locale: Its language, to check once for each question that its answers can be said.
    """

    def __init__(self, game: Game, locale: Locale | None = None) -> None:
        self._checks = Checks(game, locale)
        seats = [Seat(i + 1, name) for i, name in enumerate(NAMES[: game.low])]
        self._blank = Engine(game, seats)

    def run(self, seed: int, *, twice: bool = True) -> MonkeyReport:
        """Play the game of a seed.

        Args:
            seed: Decides everything in it.
            twice: Play it a second time; what differs between the two is a fault as well.
        """
        first = _Play(self._blank, seed, self._checks)
        report = first.run()
        if not twice:
            return report
        again = _Play(self._blank, seed, None)
        again.run()
        if not report.faults and first.effects != again.effects:
            report.faults.append("Two games with one seed differ.")
        return report


def run(game: Game, seed: int, locale: Locale | None = None) -> MonkeyReport:
    """Play one random game; `Monkeys` is quicker for many."""
    return Monkeys(game, locale).run(seed)


class _Play:
    """One random game."""

    def __init__(self, like: Engine, seed: int, checks: Checks | None) -> None:
        game = like.game
        # Neighbouring seeds must not draw alike, nor two games of one seed.
        self._chance = random.Random(zlib.crc32(f"{game.id} {seed}".encode()))
        names = NAMES[: self._chance.randint(game.low, min(game.high, len(NAMES)))]
        seats = [Seat(i + 1, name) for i, name in enumerate(names)]
        self._monkey = Monkey(self._chance, names)
        chosen = settings(self._chance, game, names)
        self._engine = Engine(game, seats, seed=seed, settings=chosen, like=like)
        self._checks = checks
        self._report = MonkeyReport(game.id, seed, len(seats))
        self._numbers = Numbers()
        self.effects: list[Effect] = []
        self._now = 0.0
        self._listen: Listen | None = None
        self._opens = 0.0
        self._unheard: list[int] = []
        """Lines that are queued or being said; each is reported exactly once, as a host does."""
        self._cut: deque[int] = deque()
        """Lines that were stopped and not reported yet."""
        self._asked: Counter[str] = Counter()
        """How often the well-behaved table answered at each step."""
        self._tries = Tries()
        """What the well-behaved table said at each step."""
        self._story: deque[tuple[float, str, Event]] = deque(maxlen=LAST)

    def run(self) -> MonkeyReport:
        """Play the random part, then to the end."""
        self._tell(Start())
        for _ in range(self._chance.randint(*RANDOM)):
            if not self._is_going_on():
                break
            self._tell(self._random())
        self._save()
        self._finish()
        self._report.seconds = self._now
        self._report.story = [f"{at:9.2f} s at {where}: {what}" for at, where, what in self._story]
        return self._report

    def _is_going_on(self) -> bool:
        return not self._engine.is_over and not self._report.faults

    def _random(self) -> Event:
        if self._chance.random() < 0.1:
            self._now += self._chance.choice((0.0, 0.5, 4.0, 30.0, 400.0))
        else:
            self._now += self._chance.random()
        if self._cut and self._chance.random() < PROMPT:
            return SpeechCut(self._cut.popleft(), 0.1)
        event = self._monkey.event(self._engine, self._listen, self._unheard)
        due = self._engine.deadline()
        if isinstance(event, TimerFired) and due and event.generation == due.generation:
            self._now = max(self._now, due.due)
        return event

    def _save(self) -> None:
        """Check that the game can be saved, wherever the random part left it."""
        if self._is_going_on():
            saved = json.loads(json.dumps(self._engine.to_dict(self._now)))
            self._engine.restore(saved, self._now)

    def _finish(self) -> None:
        for _ in range(TO_THE_END):
            if not self._is_going_on():
                return
            event = self._sensible()
            if event is None:
                at = self._engine.at()
                self._fault(f"Nothing can happen any more at `{at}`. {self._tries.told(at)}")
                return
            self._tell(event)
        if self._is_going_on():
            at = self._engine.at()
            self._fault(f"The game does not end; it is at `{at}`. {self._tries.told(at)}")

    def _sensible(self) -> Event | None:
        """Return what a well-behaved table does; None where there is nothing it could do."""
        due = self._engine.deadline()
        if self._cut:
            return SpeechCut(self._cut.popleft(), 0.1)
        if self._engine.is_confirming:
            return Key("no")
        if self._engine.is_paused:
            return Key("resume")
        if self._unheard:
            self._now += 0.5
            return SpeechFinished(self._unheard[0])
        expected = asked(self._chance, self._listen)
        if expected is not None and self._listen is not None:
            self._now = max(self._now, self._opens) + 0.5
            agree = 1.0 if self._asked[self._listen.step] < STUBBORN else 0.5
            self._asked[self._listen.step] += 1
            meaning = Meaning(expected.intent, fitting(self._chance, expected, agree))
            self._tries.add(self._listen.step, _said(expected, meaning.value))
            return Transcript("an answer", meaning, self._listen.listen)
        if due is None:
            return None
        self._now = max(self._now, due.due)
        return TimerFired(due.name, due.generation)

    def _tell(self, event: Event) -> None:
        self._report.events += 1
        self._remember(event)
        if isinstance(event, (SpeechFinished, SpeechCut)) and event.utterance in self._unheard:
            self._unheard.remove(event.utterance)
        try:
            effects = self._engine.step(event, self._now)
        except Exception as raised:  # the very thing that is looked for
            self._fault(f"The engine raised {type(raised).__name__}: {raised}")
            return
        self.effects += effects
        self._take(effects)
        if self._checks is not None:
            for fault in self._checks.faults(self._engine, effects, self._now, self._numbers):
                self._fault(fault)

    def _take(self, effects: Sequence[Effect]) -> None:
        for effect in effects:
            if isinstance(effect, Listen):
                self._listen, self._opens = effect, self._now + effect.opens_after
            elif isinstance(effect, Hush):
                self._cut += self._unheard
                self._unheard.clear()
            elif isinstance(effect, (Say, CountDown)):
                self._unheard.append(effect.utterance)
            elif isinstance(effect, Finish):
                self._report.ended = effect.ended

    def _remember(self, event: Event) -> None:
        if not self._report.faults:
            self._story.append((self._now, self._engine.at(), event))

    def _fault(self, what: str) -> None:
        if what not in self._report.faults:
            self._report.faults.append(what)


def _said(expected: Expectation, value: Value) -> str:
    """Return an answer as the table would say it."""
    if expected.kind in ("phrase", "sentence"):
        return next(iter(expected.templates), expected.intent)
    if isinstance(value, bool):
        return "yes" if value else "no"
    return in_a_row(value) or "nobody"
