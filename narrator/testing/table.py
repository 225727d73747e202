"""A whole table without sound, on a clock that moves only when the test says so.

The narrator's lines take as long as they are long, timers fire when they are due, and what
players say goes through the same interpretation as in a real game.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

from narrator.adapters.journal.memory import MemoryJournal
from narrator.config.settings import Settings
from narrator.core.codec import encode
from narrator.core.effects import CountDown, Cue, Effect, Finish, Listen, Refused, Show
from narrator.core.engine import Engine
from narrator.core.events import Event, Key, SpeechCut, Start, TimerFired
from narrator.core.game import Game
from narrator.core.values import Seat, Value
from narrator.language.locale import Locale
from narrator.ports.audio import SPEAKER_RATE, Clip
from narrator.ports.errors import NarratorError
from narrator.ports.session import LineBegun, Update
from narrator.script.files.locales import load_locale
from narrator.session.endpoints import Endpoints
from narrator.session.session import Session
from narrator.simulation.text_world import TextWorld

PATIENCE = 3_600.0
"""Seconds after which waiting for something to happen is given up."""
MOST_EVENTS = 20_000
"""Events that one wait may cause; more means that something goes round in circles."""

Player: TypeAlias = str | Seat
"""A name, or a whole seat with respelling and spoken forms."""


class TableError(NarratorError):
    """What was asked of the table did not happen."""


@dataclass(frozen=True, slots=True)
class Spoken:
    """A line that was begun."""

    at: float
    """Session seconds of its first sample."""
    text: str
    line: str
    """Its id in the script; `own/...` for the narrator's own."""
    utterance: int
    seconds: float
    """How long it takes."""

    def matches(self, wanted: str) -> bool:
        """Whether the line has this id, or contains this text in any case."""
        return wanted == self.line or wanted.casefold() in self.text.casefold()


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


class SavedEngine(Engine):
    """A game that is saved after every event, and taken up by a new engine."""

    def step(self, event: Event, now: float) -> list[Effect]:
        """Take one event, and restart from what was saved then."""
        effects = super().step(event, now)
        saved = json.loads(json.dumps(self.to_dict(now)))
        fresh = Engine(self.game, self.state.seats, like=self)
        fresh.restore(saved, now)
        self.state = fresh.state
        return effects


class _Log(MemoryJournal):
    """Hands everything that is stored on to the table."""

    def __init__(self, take: Callable[[float, Event, list[Effect]], None]) -> None:
        super().__init__()
        self._take = take

    def append(self, now: float, event: Event, effects: Iterable[Effect]) -> None:
        """Hand it on."""
        self._take(now, event, list(effects))


class Table:
    """One game at a table, driven by a test: the session itself, in a world without sound.

    Args:
        game: The compiled script.
        players: Who sits there, clockwise.
        seed: Decides everything that is drawn.
        settings: Options and posts, as the engine takes them (durations in seconds).
        locale: The language; by default the game's own.
        saving: After every event, save the game, and let a new engine take it up.
        program: Settings of the program: voices, guard time, how much is said.
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
        program: Settings | None = None,
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
        kind = SavedEngine if saving else Engine
        self.engine: Engine = kind(game, self.seats, seed=seed, settings=settings)
        """The game."""
        self._make: Callable[[], Engine] = lambda: Engine(
            game, self.seats, seed=seed, settings=settings, like=self.engine
        )
        self._step = ""
        self._lines: dict[int, LineBegun] = {}
        """Lines that are to be said, by their numbers."""
        self._counts: dict[int, CountDown] = {}
        locale = locale or load_locale(game.language)
        self.world = world = TextWorld(tuple(self.seats), locale, program or Settings())
        world.watch.add(self)
        world.player.begun = self._begun
        self._session = Session(
            self.engine,
            Endpoints(world.clock, world.inbox, world.ears, world.speech, None, (world.watch,)),
            _Log(self._write),
            world.understanding,
        )

    @property
    def now(self) -> float:
        """Session seconds."""
        return self.world.clock.now()

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
        """Whether a line or a signal is being heard."""
        return not self.world.speech.is_silent()

    def start(self) -> None:
        """Begin the game."""
        self.tell(Start())

    def tell(self, event: Event) -> list[Effect]:
        """Hand an event to the game now, and perform its effects; return them."""
        return self._caused(lambda: self._session.take(event))

    def wait(self, seconds: float) -> None:
        """Advance by a number of seconds; everything that is due happens in order."""
        self._wait_till(self.now + seconds)

    def _wait_till(self, until: float) -> None:
        for _ in range(MOST_EVENTS):
            if not self._session.turn(until) and self.now >= until:
                return
        raise TableError(f"More than {MOST_EVENTS} things happened until {until:g} seconds.")

    def advance(self) -> bool:
        """Run the next thing that is due; False if nothing will ever be due."""
        until = self.now + PATIENCE
        for _ in range(MOST_EVENTS):
            if self._session.turn(self.now):
                return True
            movers = [mover.next_moment() for mover in self.world.inbox.movers]
            if all(moment is None for moment in (self._session.next_moment(), *movers)):
                return False
            if self._session.turn(until):
                return True
        return False

    def wait_until(self, holds: Callable[[], bool], limit: float = PATIENCE) -> bool:
        """Advance until a condition holds; False if it does not within the limit."""
        until = self.now + limit
        for _ in range(MOST_EVENTS):
            if holds():
                return True
            if not self._session.turn(until) and self.now >= until:
                return holds()
        return False

    def wait_for_silence(self) -> None:
        """Advance until the narrator has been silent for the guard time."""
        for _ in range(MOST_EVENTS):
            opens = self.world.gate.opens()
            if opens is None:
                self.wait_until(lambda: not self.speaking)
            elif opens <= self.now:
                return
            else:
                self._wait_till(opens)
        raise TableError("The narrator never stops speaking.")

    def hear(self, text: str, *, at_once: bool = False) -> list[Effect]:
        """Make a player speak as soon as the narrator is silent; return what it caused.

        Args:
            text: The words.
            at_once: Do not wait for silence, as with a headset or a keyboard.
        """
        if not at_once:
            self.wait_for_silence()
        if self.listen is None:
            raise TableError("Nobody is listened to before the game begins.", "Start it first.")
        self._note("hears", text)
        heard = self.world.ears.heard(self.listen, text, self.now, self.now)
        told = heard.transcript
        return [] if told is None else self._caused(lambda: self._session.take(told, heard))

    def key(self, command: str) -> list[Effect]:
        """Make a player press the key of a command; return what it caused."""
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

    def observe(self, update: Update) -> None:
        """Note the lines that are to be said."""
        if isinstance(update, LineBegun):
            self._lines[update.utterance] = update

    def _caused(self, happen: Callable[[], object]) -> list[Effect]:
        """Perform an event and what it brings about at once; return the effects."""
        before = len(self.effects)
        happen()
        while self._session.turn(self.now):
            continue
        return self.effects[before:]

    def _write(self, now: float, event: Event, effects: list[Effect]) -> None:
        """Keep an event and what it caused."""
        self.journal.append(Record(now, event, written(effects)))
        self.effects += effects
        if isinstance(event, TimerFired):
            self._note("timer", event.name)
        elif isinstance(event, SpeechCut):
            self._note("cut", f"line {event.utterance} after {event.at:.2f} s")
        if self.at != self._step:
            self._step = self.at
            self._note("step", self._step)
        for effect in effects:
            self._follow(effect)

    def _follow(self, effect: Effect) -> None:
        if isinstance(effect, Listen):
            self.listen = effect
        elif isinstance(effect, CountDown):
            self._counts[effect.utterance] = effect
        elif isinstance(effect, Finish):
            self.finish = effect
            self._note("ends", f"{effect.ended}: {dict(effect.result)}")
        elif isinstance(effect, Show):
            self.shown.append(effect.text)
            self._note("shows", effect.text)
        elif isinstance(effect, Refused):
            self._note("refuses", f"{effect.event}: {effect.reason}")
        elif isinstance(effect, Cue):
            self._note("cue", effect.name)

    def _begun(self, clip: Clip, at: float) -> None:
        """Note a line as its first sample is heard."""
        line = self._lines.pop(clip.utterance, None)
        if line is not None:
            count, seconds = self._counts.pop(clip.utterance, None), clip.pcm.size / SPEAKER_RATE
            text = " ".join(count.following(at)[0]) if count else line.text
            self.said.append(Spoken(at, text, line.line, line.utterance, seconds))
            self._note("says", text)

    def _note(self, kind: str, text: str) -> None:
        self.timeline.append(Happening(self.now, kind, text))
