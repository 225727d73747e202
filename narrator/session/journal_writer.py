"""What is stored of an evening while it is played; what cannot be stored costs a line, no game."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from narrator.core.effects import Effect
from narrator.core.events import Event
from narrator.core.values import Value
from narrator.ports.errors import JournalError
from narrator.ports.session import Heard, Update
from narrator.ports.storage import Journal

JOURNAL = "journal"
"""What this is called where it fails."""
SAVED_EVERY = 20
"""Events after which the state is stored, so that resuming is quick."""
BEAT = 2.0
"""Seconds after which the time that was played is stored though nothing happened."""


class JournalWriter:
    """Writes to a journal; an observer too, which keeps what was heard.

    Args:
        journal: Where it is stored.
        tell: Told of the fault when it cannot be stored, and again when it can be (True).
        now: Session seconds at which it begins.
    """

    def __init__(
        self, journal: Journal, tell: Callable[[JournalError, bool], None], now: float
    ) -> None:
        self._journal, self._tell = journal, tell
        self._failed: JournalError | None = None
        self._unsaved = 0
        """Events since the state was stored."""
        self._beaten = now
        """When the time that was played was last stored."""

    def change(self, journal: Journal, now: float) -> None:
        """Write to another journal from now on."""
        self._journal, self._failed, self._unsaved, self._beaten = journal, None, 0, now

    def write(
        self,
        now: float,
        event: Event,
        effects: Sequence[Effect],
        state: Callable[[float], Mapping[str, Any]],
    ) -> None:
        """Store an event before anything of it is heard, and now and then the state as well."""
        self._unsaved += 1
        self._beaten = now
        try:
            self._journal.append(now, event, effects)
            if self._unsaved >= SAVED_EVERY:
                self._journal.keep(now, state(now))
                self._unsaved = 0
        except JournalError as fault:
            if self._failed is None:
                self._failed = fault
                self._tell(fault, False)
            return
        if self._failed is not None:
            over, self._failed = self._failed, None
            self._tell(over, True)

    def beat(self, now: float) -> None:
        """Store the time that was played, where nothing else did for a while."""
        if now - self._beaten >= BEAT:
            self._beaten = now
            with contextlib.suppress(JournalError):  # the next event tells of it
                self._journal.beat(now)

    def finish(
        self, now: float, ended: str, result: Mapping[str, Value], totals: Mapping[str, Value]
    ) -> None:
        """Store how the game ended."""
        with contextlib.suppress(JournalError):  # its last event told of it
            self._journal.finish(now, ended, result, totals)

    def observe(self, update: Update) -> None:
        """Store what was heard by ear; what was typed is an event of its own."""
        if not isinstance(update, Heard):
            return
        if update.transcript is not None and update.transcript.source != "voice":
            return
        with contextlib.suppress(JournalError):  # the next event tells of it
            self._journal.heard(update)
