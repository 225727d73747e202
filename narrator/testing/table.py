"""A whole table without sound, on a clock that moves only when the test says so.

The narrator's lines take as long as they are long, timers fire when they are due, and what
players say goes through the same interpretation as in a real game.
"""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

from narrator.core.codec import encode
from narrator.core.effects import (
    Adjust,
    Chosen,
    CountDown,
    Cover,
    Cue,
    Effect,
    Finish,
    Hush,
    Listen,
    Refused,
    Say,
    Show,
)
from narrator.core.engine import Engine
from narrator.core.events import Event, Key, SpeechFinished, Start, TimerFired
from narrator.core.game import Game
from narrator.core.values import Seat, Value
from narrator.language.locale import Locale
from narrator.listening.interpreter import Interpreter
from narrator.ports.errors import NarratorError
from narrator.script.files.locales import load_locale
from narrator.simulation.clock import VirtualClock
from narrator.simulation.timed_speech import Spoken, TimedSpeech

GUARD = 0.3
"""Seconds after the narrator's last sample before which nobody is heard."""
PATIENCE = 3_600.0
"""Seconds after which waiting for something to happen is given up."""
MOST_EVENTS = 20_000
"""Events that one wait may cause; more means that something goes round in circles."""

Player: TypeAlias = str | Seat
"""A name, or a whole seat with respelling and spoken forms."""


class TableError(NarratorError):
    """What was asked of the table did not happen."""

    code = "table"


@dataclass(frozen=True, slots=True)
class Happening:
    """One entry of the timeline."""

    at: float
    """Session seconds."""
    kind: str
    """`says`, `hears`, `key`, `timer`, `step`, `shows`, `cue`, `cut`, `refuses`, `ends`."""
    text: str


@dataclass(frozen=True, slots=True)
class Record:
    """One entry of the journal: what happened when, and what it caused, in its written form."""

    now: float
    event: Event
    effects: str
    """JSON."""


def seats_of(players: Sequence[Player]) -> list[Seat]:
    """Seat the players clockwise, numbered from 1."""
    return [
        replace(player, number=index + 1) if isinstance(player, Seat) else Seat(index + 1, player)
        for index, player in enumerate(players)
    ]


def written(effects: Sequence[Effect]) -> str:
    """Return effects in the form in which a journal keeps them."""
    return json.dumps(encode(list(effects)), ensure_ascii=False)


class Table:
    """One game at a table, driven by a test.

    Args:
        game: The compiled script.
        players: Who sits there, clockwise.
        seed: Decides everything that is drawn.
        settings: Options and posts, as the engine takes them (durations in seconds).
        locale: The language; by default the game's own.
        saving: After every event, save the game, and let a new engine take it up.
    """

    def __init__(
        self,
        game: Game,
        players: Sequence[Player],
        *,
        seed: int = 0,
        settings: Mapping[str, Value] | None = None,
        locale: Locale | None = None,
        saving: bool = False,
    ) -> None:
        self.game = game
        self.seats = seats_of(players)
        self.said: list[Spoken] = []
        """Every line that was begun, in order."""
        self.shown: list[str] = []
        """What was put on the screen without being spoken."""
        self.timeline: list[Happening] = []
        self.journal: list[Record] = []
        self.effects: list[Effect] = []
        """All effects so far."""
        self.listen: Listen | None = None
        """What may be said now."""
        self.finish: Finish | None = None
        """The game's end, once it has come."""
        self.engine = Engine(game, self.seats, seed=seed, settings=settings)
        self._make: Callable[[], Engine] = lambda: Engine(
            game, self.seats, seed=seed, settings=settings, like=self.engine
        )
        self._saving = saving
        self._clock = VirtualClock()
        self._mouth = TimedSpeech()
        self._silent_since = 0.0
        self._step = ""
        self._pending: deque[Event] = deque()
        self._understanding = Interpreter(self.seats, locale or load_locale(game.language))

    @property
    def now(self) -> float:
        """Session seconds."""
        return self._clock.now()

    @property
    def at(self) -> str:
        """Path of the step the game is at; `ready` before the game, `ended` after it."""
        return self.engine.at()

    @property
    def result(self) -> Mapping[str, Value] | None:
        """What the game ended with; None while it goes on."""
        return None if self.finish is None else self.finish.result

    @property
    def speaking(self) -> bool:
        """Whether a line is being said."""
        return self._mouth.ends is not None

    def start(self) -> None:
        """Begin the game."""
        self.tell(Start())

    def tell(self, event: Event) -> list[Effect]:
        """Hand an event to the engine now, and do what it wants done; return its effects."""
        self._pending.append(event)
        caused: list[Effect] = []
        while self._pending:
            caused += self._step_engine(self._pending.popleft())
        return caused

    def wait(self, seconds: float) -> None:
        """Let so many seconds go by; everything that is due happens in its order."""
        until = self.now + seconds
        for _ in range(MOST_EVENTS):
            due = self._due()
            if due is None or due > until:
                self._clock.advance_to(until)
                return
            self.advance()
        raise TableError(f"More than {MOST_EVENTS} things happened in {seconds:g} seconds.")

    def advance(self) -> bool:
        """Let the next thing that is due happen; False where nothing ever will by itself."""
        ends, deadline = self._mouth.ends, self.engine.deadline()
        if ends is not None and (deadline is None or ends <= deadline.due):
            self._clock.advance_to(ends)
            self._finish_line()
        elif deadline is not None:
            self._clock.advance_to(deadline.due)
            self._note("timer", deadline.name)
            self.tell(TimerFired(deadline.name, deadline.generation))
        else:
            return False
        return True

    def wait_until(self, holds: Callable[[], bool], limit: float = PATIENCE) -> bool:
        """Let time go by until something holds; False where it does not within the limit."""
        until = self.now + limit
        for _ in range(MOST_EVENTS):
            if holds():
                return True
            due = self._due()
            if due is None or due > until:
                self._clock.advance_to(until)
                return holds()
            self.advance()
        return False

    def wait_for_silence(self) -> None:
        """Let time go by until the narrator has been silent for the guard time."""
        for _ in range(MOST_EVENTS):
            self.wait_until(lambda: not self.speaking)
            rest = self._silent_since + GUARD - self.now
            if rest <= 1e-9:
                return
            self.wait(rest)
        raise TableError("The narrator never stops speaking.")

    def hear(self, text: str, *, at_once: bool = False) -> list[Effect]:
        """Let somebody say something as soon as the narrator is silent; return what it caused.

        Args:
            text: The words.
            at_once: Do not wait for silence, as with a headset or a keyboard.
        """
        if not at_once:
            self.wait_for_silence()
        if self.listen is None:
            raise TableError("Nobody is listened to before the game begins.", "Start it first.")
        self._note("hears", text)
        typed = self._understanding.typed(self.listen, text)
        return self.tell(replace(typed, source="voice"))

    def key(self, command: str) -> list[Effect]:
        """Let somebody press a key that stands for a command; return what it caused."""
        self._note("key", command)
        return self.tell(Key(command))

    def asks(self) -> Listen | None:
        """Return what is asked of the table now; None where no answer is awaited."""
        listen = self.listen
        if listen is None or self.finish is not None or self.engine.is_paused:
            return None
        asked = any(not e.intent.startswith("command:") for e in listen.expectations)
        return listen if asked else None

    def expect_next(self, limit: float = PATIENCE) -> Listen:
        """Wait until the table is asked something and may answer; return what is asked.

        Raises:
            TableError: Nothing is asked within the limit, or the game is over.
        """
        if not self.wait_until(lambda: self.asks() is not None and not self.speaking, limit):
            raise TableError(f"Nothing is asked of the table; the game is at `{self.at}`.")
        self.wait_for_silence()
        listen = self.asks()
        return self.expect_next(limit) if listen is None else listen

    def story(self, last: int = 25) -> str:
        """Return the last entries of the timeline, one a line."""
        return "\n".join(f"{h.at:9.2f} s  {h.kind:<8}{h.text}" for h in self.timeline[-last:])

    def replay(self) -> str | None:
        """Replay the journal into a new engine; return the first difference, None where equal."""
        engine = self._make()
        for number, record in enumerate(self.journal, start=1):
            again = written(engine.step(record.event, record.now))
            if again != record.effects:
                return (
                    f"Event {number} ({record.event}) at {record.now:.2f} s gave other effects "
                    f"when it was replayed: {again} instead of {record.effects}."
                )
        return None

    def _due(self) -> float | None:
        ends, deadline = self._mouth.ends, self.engine.deadline()
        dues = [d for d in (ends, deadline.due if deadline else None) if d is not None]
        return min(dues, default=None)

    def _finish_line(self) -> None:
        utterance, following = self._mouth.finish()
        self._silent_since = self.now
        self._begun(following)
        self.tell(SpeechFinished(utterance))

    def _step_engine(self, event: Event) -> list[Effect]:
        effects = self.engine.step(event, self.now)
        self.journal.append(Record(self.now, event, written(effects)))
        self.effects += effects
        if self._saving:
            saved = json.loads(json.dumps(self.engine.to_dict(self.now)))
            self.engine = self._make()
            self.engine.restore(saved, self.now)
        if self.at != self._step:
            self._step = self.at
            self._note("step", self._step)
        for effect in effects:
            self._perform(effect)
        return effects

    def _perform(self, effect: Effect) -> None:
        if isinstance(effect, (Say, CountDown)):
            self._begun(self._mouth.say(effect, self.now))
        elif isinstance(effect, Hush):
            self._hush()
        elif isinstance(effect, Listen):
            self.listen = effect
        elif isinstance(effect, Finish):
            self.finish = effect
            self._note("ends", f"{effect.ended}: {dict(effect.result)}")
        else:
            self._perform_small(effect)

    def _perform_small(self, effect: Cue | Cover | Show | Adjust | Refused | Chosen) -> None:
        if isinstance(effect, Show):
            self.shown.append(effect.text)
            self._note("shows", effect.text)
        elif isinstance(effect, Refused):
            self._note("refuses", f"{effect.event}: {effect.reason}")
        elif isinstance(effect, Cue):
            self._note("cue", effect.name)

    def _hush(self) -> None:
        if self.speaking:
            self._silent_since = self.now
        for cut in self._mouth.hush(self.now):
            self._note("cut", f"line {cut.utterance} after {cut.at:.2f} s")
            self._pending.append(cut)

    def _begun(self, line: Spoken | None) -> None:
        if line is not None:
            self.said.append(line)
            self._note("says", line.text)

    def _note(self, kind: str, text: str) -> None:
        self.timeline.append(Happening(self.now, kind, text))
