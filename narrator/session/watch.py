"""Notifies the observers of a session of what happens in it, and never waits for them."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import replace

from narrator.core.effects import Effect, Listen, Refused
from narrator.core.events import Transcript
from narrator.core.values import Value
from narrator.core.view import GameView
from narrator.ports.session import (
    Asked,
    Heard,
    LineBegun,
    Observer,
    PublicView,
    Screen,
    Shown,
    TimerRunning,
    Update,
)

_log = logging.getLogger(__name__)


class Watch:
    """Sends updates to everybody who watches.

    Args:
        observers: Told in this order. One that fails is told nothing more: the game goes on.
    """

    def __init__(self, observers: Sequence[Observer]) -> None:
        self._observers = list(observers)
        self._due: float | None = None
        self._view: dict[str, Value] = {}

    def observe(self, update: Update) -> None:
        """Notify everybody: a group is an observer too."""
        self.tell(update)

    def add(self, observer: Observer) -> None:
        """Add an observer, to be notified from now on."""
        self._observers.append(observer)

    def tell(self, update: Update) -> None:
        """Notify all observers."""
        for observer in self._observers:
            try:
                observer.observe(update)
            except Exception as fault:  # an observer must not end the evening
                self._leave_out(observer, fault)

    def asked(self, now: float, listen: Listen) -> None:
        """Report what may be said from now on."""
        first = next(iter(listen.answers), None)
        choices = () if first is None else first.allowed or tuple(c for c, _ in first.choices)
        commands = (e.intent for e in listen.expectations if e.kind == "command")
        buttons = tuple(intent.removeprefix("command:") for intent in commands)
        kind = first.kind if first else "command"
        self.tell(Asked(now, listen, kind, choices, listen.seat, buttons))

    def heard(
        self, now: float, event: Transcript, effects: Sequence[Effect], heard: Heard | None
    ) -> None:
        """Report what became of an utterance once the game has decided."""
        if heard is None:
            heard = Heard(
                now, now, now, event.text, "unclear" if event.meaning is None else "accepted",
                transcript=event,
            )  # fmt: skip
        refused = next((e for e in effects if isinstance(e, Refused)), None)
        if refused is not None and event.meaning is not None:
            heard = replace(heard, verdict="refused", reason=refused.reason)
        self.tell(replace(heard, at=now))

    def look(self, now: float, engine: GameView) -> None:
        """Report the public timer and the public view, if they changed."""
        timer = engine.public_timer()
        if timer != self._due:
            self._due = timer
            self.tell(TimerRunning(now, timer))
        view = engine.public()
        if view != self._view:
            self._view = view
            self.tell(PublicView(now, view))

    def _leave_out(self, observer: Observer, fault: Exception) -> None:
        self._observers = [other for other in self._observers if other is not observer]
        name = type(observer).__name__
        _log.warning("%s does not watch any more (%s: %s).", name, type(fault).__name__, fault)


class ScreenObserver:
    """Shows on a screen every line that is said, and everything that is to be read."""

    def __init__(self, screen: Screen) -> None:
        self._screen = screen

    def observe(self, update: Update) -> None:
        """Show it; a fault comes as a line or a text as well."""
        if isinstance(update, (LineBegun, Shown)):
            self._screen.line(update.text)
