"""A journal that lives as long as the program, and may be written along as lines of JSON; and two
journals that are written as one.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, TextIO

from narrator.config import private
from narrator.core.codec import encode
from narrator.core.effects import Effect
from narrator.core.events import Event
from narrator.core.values import Value
from narrator.ports.errors import JournalError
from narrator.ports.faults import FaultCode, reason
from narrator.ports.session import Heard
from narrator.ports.storage import Entry, Journal


class MemoryJournal:
    """A Journal in memory.

    Args:
        file: Also gets each entry as one line of JSON, at once; an older one is replaced.

    Raises:
        JournalError: The file cannot be written.
    """

    def __init__(self, file: Path | None = None) -> None:
        self._entries: list[Entry] = []
        self.utterances: list[Heard] = []
        """What was made of each utterance, in order."""
        self._path = file
        self._file: TextIO | None = None
        if file is not None:
            try:
                self._file = private.opened(file)
            except OSError as fault:
                raise self._failure(fault) from fault

    def append(self, now: float, event: Event, effects: Iterable[Effect]) -> None:
        """Store an event and what it caused."""
        entry = Entry(len(self._entries), now, event, tuple(effects))
        self._entries.append(entry)
        if self._file is None:
            return
        line = {
            "now": round(now, 3),
            "event": encode(event),
            "effects": encode(list(entry.effects)),
        }
        try:
            self._file.write(json.dumps(line, ensure_ascii=False) + "\n")
            self._file.flush()
        except OSError as fault:
            self._file = None
            raise self._failure(fault) from fault

    def keep(self, now: float, state: Mapping[str, Any]) -> None:
        """Need no saved state: nothing of this outlives the program."""

    def beat(self, now: float) -> None:
        """Need not know how long it lasts."""

    def finish(
        self, now: float, ended: str, result: Mapping[str, Value], totals: Mapping[str, Value]
    ) -> None:
        """Recognise the end by its effect."""

    def heard(self, heard: Heard) -> None:
        """Store what was made of an utterance."""
        self.utterances.append(heard)

    def entries(self) -> list[Entry]:
        """Return everything stored so far, in order."""
        return list(self._entries)

    def close(self) -> None:
        """Finish writing."""
        if self._file is not None:
            self._file.close()
            self._file = None

    def _failure(self, fault: OSError) -> JournalError:
        return JournalError(FaultCode.RECORD_UNWRITABLE, path=str(self._path), reason=reason(fault))


class JournalPair:
    """Two journals written as one; what one of them cannot store the other still gets."""

    def __init__(self, first: Journal, second: Journal) -> None:
        """Write to both; entries are read from the first."""
        self._first, self._second = first, second

    def append(self, now: float, event: Event, effects: Iterable[Effect]) -> None:
        """Store an event and what it caused."""
        caused = tuple(effects)
        try:
            self._first.append(now, event, caused)
        finally:
            self._second.append(now, event, caused)

    def keep(self, now: float, state: Mapping[str, Any]) -> None:
        """Store a saved state."""
        self._first.keep(now, state)
        self._second.keep(now, state)

    def beat(self, now: float) -> None:
        """Note that this many seconds were played."""
        self._first.beat(now)
        self._second.beat(now)

    def finish(
        self, now: float, ended: str, result: Mapping[str, Value], totals: Mapping[str, Value]
    ) -> None:
        """Note how the game ended."""
        self._first.finish(now, ended, result, totals)
        self._second.finish(now, ended, result, totals)

    def heard(self, heard: Heard) -> None:
        """Store what was made of an utterance."""
        self._first.heard(heard)
        self._second.heard(heard)

    def entries(self) -> list[Entry]:
        """Return everything stored so far, in order."""
        return self._first.entries()

    def close(self) -> None:
        """Finish writing."""
        self._first.close()
        self._second.close()
