"""A whole game whose only players are pages, in time that runs faster while nobody is asked."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from narrator.adapters.journal.memory import MemoryJournal
from narrator.adapters.page.board import Board
from narrator.adapters.system.inbox import ThreadInbox
from narrator.app.games import load_game
from narrator.app.wiring.page import Table, show_page
from narrator.config.settings import Settings
from narrator.core.effects import Effect
from narrator.core.engine import Engine
from narrator.core.events import Event
from narrator.core.values import Seat, Value
from narrator.ports.errors import PlayError
from narrator.ports.session import Asked, Heard, LineBegun, Update
from narrator.session.buttons import answers
from narrator.session.endpoints import Endpoints
from narrator.session.keyboard_input import KeyboardInput
from narrator.session.outcome import Outcome
from narrator.session.session import QUIT, Session
from narrator.simulation.text_world import TextWorld
from narrator.simulation.virtual_inbox import FOREVER
from narrator.testing.fakes import ListScreen

ASKED_SPEED, SPEED = 15.0, 300.0
"""Session seconds in a real one, while an answer is awaited, and else."""
NAMES = ("Ana", "Ben", "Cleo", "Dov", "Eve", "Fay")


@dataclass(slots=True)
class PacedInbox:
    """The inbox of a virtual table whose time passes by itself, faster than real."""

    world: TextWorld
    is_asking: Callable[[], bool]

    def post(self, event: Event | Heard) -> None:
        """Queue an event."""
        self.world.inbox.post(event)

    def take(self, timeout: float | None) -> Event | Heard | None:
        """Return the next event; time moves on to what is due, as fast as it is to pass."""
        clock, inbox = self.world.clock, self.world.inbox
        end = clock.now() + (FOREVER if timeout is None else timeout)
        while (event := inbox.take_now()) is None:
            moments = [mover.next_moment() for mover in inbox.movers]
            due = min((moment for moment in moments if moment is not None), default=end)
            began, now = time.monotonic(), clock.now()
            speed = ASKED_SPEED if self.is_asking() else SPEED
            event = ThreadInbox.take(inbox, max(0.0, min(due, end) - now) / speed)
            if event is not None:
                clock.advance_to(min(due, end, now + (time.monotonic() - began) * speed))
                return event
            clock.advance_to(min(due, end))
            if due > end or not any(moments):
                return None
            for mover in inbox.movers:
                mover.tick()
        return event


class KeptJournal(MemoryJournal):
    """Keeps the events that were stored."""

    def __init__(self) -> None:
        super().__init__()
        self.events: list[Event] = []

    def append(self, now: float, event: Event, effects: Iterable[Effect]) -> None:
        """Keep one."""
        self.events.append(event)


@dataclass(slots=True)
class Evening:
    """One game at a table without sound, with its page. Use it as a context manager."""

    game: str
    options: Mapping[str, Value] = field(default_factory=dict)
    names: Sequence[str] = NAMES
    seed: int = 3
    page: str = "local"
    language: str = "en"
    url: str = field(init=False, default="")
    journal: KeptJournal = field(init=False, default_factory=KeptJournal)
    updates: list[Update] = field(init=False, default_factory=list)
    typed: KeyboardInput = field(init=False)
    world: TextWorld = field(init=False)
    outcome: Outcome | None = field(init=False, default=None)
    _close: Callable[[], None] = field(init=False)
    _session: Session = field(init=False)
    _thread: threading.Thread = field(init=False)
    on_asked: Callable[[Asked], None] | None = None
    """Told of every question, in the thread of the session."""

    def __enter__(self) -> Evening:
        loaded = load_game(self.game, self.language)
        seats = tuple(Seat(number, name) for number, name in enumerate(self.names, start=1))
        settings = Settings(page=self.page, plain=True)
        self.world = world = TextWorld(seats, loaded.locale, settings)
        self.typed = KeyboardInput(world.understanding, piped=False)
        screen = ListScreen()
        untold: list[PlayError] = []
        seated = Table(seats, loaded.locale.language, world.understanding)
        world.watch.add(self)
        inbox = PacedInbox(world, self._is_asking) if self.page == "local" else world.inbox
        self._close = show_page(
            settings, seated, self.typed, world.clock, inbox, screen, world.watch, untold.append
        )
        assert untold == []
        self.url = next((line.split()[4].rstrip(".") for line in screen.lines), "")
        engine = Engine(loaded.game, list(seats), seed=self.seed, settings=dict(self.options))
        ends = Endpoints(world.clock, inbox, world.ears, world.speech, self.typed, (world.watch,))
        self._session = Session(engine, ends, self.journal, world.understanding)
        self._thread = threading.Thread(target=self._play, name="evening", daemon=True)
        self._thread.start()
        return self

    def __exit__(self, *fault: object) -> None:
        self.world.inbox.post(QUIT)
        self._thread.join(10.0)
        self._close()
        assert not self._thread.is_alive()

    def observe(self, update: Update) -> None:
        """Keep what happened."""
        self.updates.append(update)
        if isinstance(update, Asked) and self.on_asked is not None:
            self.on_asked(update)

    def told(self, asked: Asked) -> Mapping[str, Any]:
        """Return a question as a page is told it."""
        board = Board(partial(answers, understanding=self.world.understanding), lambda: 0.0)
        board.observe(asked)
        return board.state()[0]

    def wait(self, seconds: float = 60.0) -> Outcome:
        """Wait until the game is over; return how."""
        self._thread.join(seconds)
        assert self.outcome is not None, f"The game is at {self._session.engine.at()}."
        return self.outcome

    @property
    def asked(self) -> Asked | None:
        """What was asked last."""
        asked = [update for update in self.updates if isinstance(update, Asked)]
        return asked[-1] if asked else None

    @property
    def said(self) -> list[str]:
        """Every line so far."""
        return [update.text for update in self.updates if isinstance(update, LineBegun)]

    def _is_asking(self) -> bool:
        listen = self.world.ears.listen
        return bool(listen and listen.answers) and self.world.speech.is_silent()

    def _play(self) -> None:
        self.outcome = self._session.run()


def chosen(ask: Mapping[str, Any]) -> str:
    """Return what is answered to a question, by what a page is told of it: a line to be typed."""
    seat, labels = ask["seat"] or "", [line for line, _, _ in ask["buttons"]]
    if ask["eyes_closed"] or labels == ["y", "n"]:
        return labels[0]  # the words that are expected, or yes
    if ask["picking"] == "several":
        return " ".join(labels[1:3])
    if ask["picking"] == "points":
        return f"{labels[0]} 3 {labels[1]} 2"
    if labels[0].isdigit():
        return labels[-1]
    return labels[len(seat) % len(labels)]
