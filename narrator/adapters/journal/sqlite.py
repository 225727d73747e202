"""The journal of one evening in the SQLite file: a commit for every event."""

from __future__ import annotations

import contextlib
import sqlite3
import zlib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict
from typing import Any

from narrator.adapters.journal.archive import Archive
from narrator.adapters.journal.faults import JournalBusyError
from narrator.adapters.journal.file import LONG_PATIENCE, PATIENCE, JournalFile, is_damaged
from narrator.adapters.journal.lock import EveningLock
from narrator.adapters.journal.rows import written
from narrator.core.codec import encode
from narrator.core.effects import Effect
from narrator.core.events import Event
from narrator.core.record import Opening
from narrator.core.values import Value
from narrator.ports.errors import JournalError
from narrator.ports.faults import FaultCode
from narrator.ports.session import Heard
from narrator.ports.storage import Entry

WAITING = 40
"""Events that may wait for another program to finish writing before the table is told."""


class SqliteJournal:
    """A Journal that survives the end of the process, whatever ends it.

    What cannot be stored at one event is kept and stored with the next that can, so that an evening
    has no holes once there is room on the disk again.

    Args:
        file: The open journal; closed by `close`.
        moment: Gives the local time in ISO 8601.
        opening: Of a new evening, which is stored with its first event.
        evening: Number of a stored evening to go on with, instead.
        number: Of its events that are whole: from there on it goes on.

    Raises:
        JournalError: Another process plays this evening, or it cannot be read.
    """

    def __init__(
        self,
        file: JournalFile,
        moment: Callable[[], str],
        *,
        opening: Opening | None = None,
        evening: int | None = None,
        number: int | None = None,
    ) -> None:
        self._file, self._moment, self._opening = file, moment, opening
        self.evening = evening
        """Number of the evening; None until its first event is stored."""
        self._number = 0
        self._pending: list[tuple[int, float, str, bytes]] = []
        self._lock: EveningLock | None = None
        self._over = False
        self._beyond: int | None = None
        """The first damaged event: it goes with all after it once the game goes on before it."""
        if evening is not None:
            self._hold(evening)
            whole = Archive(file).count(evening)
            self._number = whole if number is None else number
            self._beyond = self._number if self._number < whole else None

    def append(self, now: float, event: Event, effects: Iterable[Effect]) -> None:
        """Store an event and what it caused, before the effects are heard."""
        row = (self._number, now, written(encode(event)), packed(encode(list(effects))))
        self._number += 1
        self._pending.append(row)
        self._flush()

    def keep(self, now: float, state: Mapping[str, Any]) -> None:
        """Store a saved state, so that resuming need not begin with the first event."""
        if self._pending or self.evening is None:
            return  # a state without the events before it would be of no use
        row = (self.evening, self._number, now, packed(state))
        with contextlib.suppress(JournalBusyError), self._file.transaction() as db:
            db.execute("REPLACE INTO snapshots VALUES (?, ?, ?, ?)", row)

    def beat(self, now: float) -> None:
        """Note that this many seconds were played, without waiting for the disk."""
        if self.evening is None:
            return
        with contextlib.suppress(JournalBusyError), self._file.transaction() as db:
            db.execute("UPDATE evenings SET seconds = ? WHERE id = ?", (now, self.evening))

    def finish(
        self, now: float, ended: str, result: Mapping[str, Value], totals: Mapping[str, Value]
    ) -> None:
        """Note how the game ended."""
        self._flush(LONG_PATIENCE)
        self._over = True
        if self.evening is not None:
            Archive(self._file).finish(
                self.evening, ended, result, totals, moment=self._moment(), seconds=now
            )

    def heard(self, heard: Heard) -> None:
        """Store what was made of an utterance, without waiting for an event."""
        if self.evening is None:
            return
        row = (
            *(self.evening, heard.at, heard.begin, heard.end, heard.step, heard.text),
            *(heard.score, heard.margin, heard.stands_out, heard.verdict, heard.reason),
        )
        with self._file.transaction() as db:
            db.execute(
                "INSERT INTO heard (evening, now, begin, end, step, text, score, margin, "
                "stands_out, verdict, reason) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                row,
            )

    def entries(self) -> list[Entry]:
        """Return everything stored so far, in order."""
        return [] if self.evening is None else Archive(self._file).entries(self.evening)

    def close(self) -> None:
        """Finish writing."""
        self._file.close()
        if self._lock is not None:
            self._lock.release(remove=self._over)

    def _hold(self, evening: int) -> None:
        lock = EveningLock(self._file.path.parent, evening)
        if not lock.take():
            self._file.close()
            raise JournalError(FaultCode.EVENING_BUSY, number=evening)
        self._lock = lock

    def _flush(self, patience: float = PATIENCE) -> None:
        """Write what is not stored yet. Raises JournalError."""
        if not self._pending:
            return
        try:
            self._store(patience)
        except JournalBusyError:
            # Another game is being stored. Nobody need hear of it: it is tried with every event.
            if len(self._pending) < WAITING and patience < LONG_PATIENCE:
                return
            raise
        except JournalError as fault:
            if not (is_damaged(fault.__cause__) and self._file.repair(self.evening)):
                raise
            self._store(patience)

    def _store(self, patience: float) -> None:
        with self._file.transaction(patience) as db:
            evening = self.evening or self._begun(db)
            if self._beyond is not None:
                for table in ("entries", "snapshots"):
                    db.execute(
                        f"DELETE FROM {table} WHERE evening = ? AND number >= ?",  # noqa: S608
                        (evening, self._beyond),
                    )
            rows = [(evening, *row) for row in self._pending]
            db.executemany("INSERT INTO entries VALUES (?, ?, ?, ?, ?)", rows)
        self._pending.clear()
        self._beyond = None
        if self.evening is None:
            self.evening = evening
            self._hold(evening)

    def _begun(self, db: sqlite3.Connection) -> int:
        """Store what the evening begins with; return its number."""
        opening = self._opening
        assert opening is not None  # noqa: S101 - an evening is either new or stored
        files = packed(dict(opening.script))
        db.execute("INSERT OR IGNORE INTO scripts VALUES (?, ?)", (opening.script_hash, files))
        row = (
            *(opening.game, opening.title, opening.language, opening.script_hash),
            written([asdict(seat) for seat in opening.seats]),
            *(written(opening.options), written(opening.settings)),
            *(opening.seed, opening.version, opening.begun),
        )
        names = "game, title, language, script, seats, options, settings, seed, version, begun"
        marks = ", ".join("?" * len(row))
        made = db.execute(f"INSERT INTO evenings ({names}) VALUES ({marks})", row)  # noqa: S608
        return int(made.lastrowid or 0)


def packed(value: Any) -> bytes:
    """Return a value as packed JSON: an evening's effects repeat the same words all the time."""
    return zlib.compress(written(value).encode(), 6)
