"""Evenings that are stored: listed, read, and forgotten for good."""

from __future__ import annotations

import contextlib
import json
import re
import sqlite3
from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict
from typing import Any

from narrator.adapters.journal.file import LONG_PATIENCE, JournalFile, is_damaged
from narrator.adapters.journal.lock import is_held, remove
from narrator.adapters.journal.rows import (
    COLUMNS,
    UnreadableError,
    effects_of,
    event_of,
    heard_of,
    loaded,
    raw_effects,
    record_of,
    script_of,
    seconds_of,
    state_of,
    written,
)
from narrator.core.effects import Finish
from narrator.core.events import Event
from narrator.core.record import Past, Record
from narrator.core.values import Seat, Value
from narrator.ports.errors import JournalError
from narrator.ports.faults import FaultCode
from narrator.ports.session import Heard
from narrator.ports.storage import Entry

FORGOTTEN = "Somebody"
"""Name of a player who asked to be forgotten, followed by the number of the seat."""


class Archive:
    """Reads and forgets stored evenings. Every method raises JournalError."""

    def __init__(self, file: JournalFile) -> None:
        """Read from an open journal, which stays its owner's to close."""
        self._file = file
        self._notes: list[str] = []

    def notes(self) -> list[str]:
        """Return plain sentences about what was found damaged so far, each once."""
        about = self._file.note or self._file.lost_before()
        return [*([about] if about else []), *self._notes]

    def records(self, where: str = "", *values: object) -> list[Record]:
        """Return the evenings that fit, the oldest first; one that is damaged is noted.

        Args:
            where: An SQL condition of our own, never a person's words.
            values: Its values.
        """
        condition = f"WHERE {where}" if where else ""
        # Not by the index: that may be damaged though every evening is whole.
        query = f"SELECT {COLUMNS} FROM evenings NOT INDEXED {condition} ORDER BY id"  # noqa: S608
        found = []
        for row in self._all(query, values):
            try:
                found.append(record_of(row))
            except UnreadableError as fault:
                self._note(f"Evening {row[0]} cannot be read: its {fault} is damaged.")
        return found

    def record(self, evening: int) -> Record:
        """Return one evening, without its script."""
        found = self.records("id = ?", evening)
        if found:
            return found[0]
        if self.has(evening):
            raise JournalError(FaultCode.EVENING_UNREADABLE, number=evening)
        raise JournalError(FaultCode.EVENING_UNKNOWN, number=evening)

    def has(self, evening: int) -> bool:
        """Whether there is such an evening, damaged or not."""
        return bool(self._all("SELECT 1 FROM evenings WHERE id = ?", (evening,)))

    def script(self, record: Record) -> dict[str, str] | None:
        """Return the script's files of an evening; None where they are missing or damaged."""
        for (files,) in self._all(
            "SELECT files FROM scripts WHERE hash = ?", (record.opening.script_hash,)
        ):
            with contextlib.suppress(UnreadableError):
                return script_of(files)
        return None

    def unfinished(self, game: str = "") -> Record | None:
        """Return the last evening that was broken off and that nobody is playing; None: no such.

        Args:
            game: Of this game only.
        """
        condition = "ended = '' AND game = ?" if game else "ended = ''"
        for record in reversed(self.records(condition, *([game] if game else []))):
            if not self.is_played(record.number):
                return record
        return None

    def end_of(self, evening: int) -> Finish | None:
        """Return how an evening ended by its last event; None where it goes on, or is damaged."""
        for (effects,) in self._all(
            "SELECT effects FROM entries WHERE evening = ? ORDER BY number DESC LIMIT 1", (evening,)
        ):
            with contextlib.suppress(UnreadableError):
                for effect in effects_of(effects, (Finish.__name__,)):
                    return effect if isinstance(effect, Finish) else None
        return None

    def finish(
        self,
        evening: int,
        ended: str,
        result: Mapping[str, Value],
        totals: Mapping[str, Value],
        *,
        moment: str,
        seconds: float,
    ) -> None:
        """Note how an evening ended, at which local time and after how many session seconds."""
        told = (ended, moment, seconds, written(result), written(totals), evening)
        with self._file.transaction(LONG_PATIENCE) as db:
            db.execute(
                "UPDATE evenings SET ended = ?, finished = ?, seconds = ?, result = ?, totals = ? "
                "WHERE id = ?",
                told,
            )
            db.execute("DELETE FROM snapshots WHERE evening = ?", (evening,))

    def is_played(self, evening: int) -> bool:
        """Whether a process is playing it now."""
        return is_held(self._file.path.parent, evening)

    def count(self, evening: int) -> int:
        """Return how many events an evening has."""
        found = self._all("SELECT max(number) FROM entries WHERE evening = ?", (evening,))[0][0]
        return found + 1 if isinstance(found, int) else 0

    def entries(self, evening: int, kinds: Collection[str] = ()) -> list[Entry]:
        """Return everything that happened, in order; what is damaged is noted and left out.

        Args:
            evening: Its number.
            kinds: Names of the effects that are wanted; none: all. It saves time.
        """
        found, lost = [], 0
        for number, now, event, effects in self._rows(evening):
            try:
                found.append(
                    Entry(number, seconds_of(now), event_of(event), effects_of(effects, kinds))
                )
            except UnreadableError:
                lost += 1
        self._note_lost(evening, lost + self._holes(found, lost))
        return found

    def raw(self, evening: int) -> list[tuple[float, Any, list[Any]]]:
        """Return session seconds, event and effects of each entry as they were written down.

        It ends before the first that is damaged: what came after it follows from it.
        """
        found: list[tuple[float, Any, list[Any]]] = []
        rows = self._rows(evening)
        for number, now, event, effects in rows:
            try:
                if number != len(found):
                    raise UnreadableError("number")
                event_of(event)
                found.append((seconds_of(now), loaded(event), raw_effects(effects)))
            except UnreadableError:
                self._note(
                    f"Event {len(found)} of evening {evening} is damaged: of {len(rows)} events "
                    "only those before it are used."
                )
                break
        return found

    def past(self, evening: int, *, saved: bool = True) -> Past:
        """Return what the game is rebuilt from, as far as it is whole.

        Args:
            evening: Its number.
            saved: From the saved state and what came after it, where that is whole; else from the
                first event on.
        """
        number, then, state = (self._saved(evening) if saved else None) or (0, 0.0, None)
        rows = self._all(
            "SELECT number, now, event FROM entries WHERE evening = ? AND number >= ? "
            "ORDER BY number",
            (evening, number),
        )
        events: list[tuple[float, Event]] = []
        for at, now, event in rows:
            try:
                if at != number + len(events):
                    raise UnreadableError("number")
                events.append((seconds_of(now), event_of(event)))
            except UnreadableError:
                break
        beat = self._all("SELECT seconds FROM evenings WHERE id = ?", (evening,))[0][0]
        last = [now for now, _ in events[-1:]]
        if len(events) == len(rows) and isinstance(beat, (int, float)):
            last.append(beat)
        return Past(state, then, tuple(events), max([then, *last]), number)

    def _saved(self, evening: int) -> tuple[int, float, dict[str, Any]] | None:
        """Return the saved state, with its number and its time; None where it is of no use."""
        rows = self._all("SELECT number, now, state FROM snapshots WHERE evening = ?", (evening,))
        for number, then, state in rows:
            with contextlib.suppress(UnreadableError):
                if isinstance(number, int) and 0 < number <= self.count(evening):
                    return number, seconds_of(then), state_of(state)
        if rows:
            self._note(f"The saved state of evening {evening} is damaged; its events are used.")
        return None

    def _rows(self, evening: int) -> list[Any]:
        return self._all(
            "SELECT number, now, event, effects FROM entries WHERE evening = ? ORDER BY number",
            (evening,),
        )

    def heard(self, evening: int) -> list[Heard]:
        """Return what was made of each utterance, in order; what is damaged is noted."""
        rows = self._all(
            "SELECT now, begin, end, text, verdict, reason, score, margin, stands_out, step "
            "FROM heard WHERE evening = ? ORDER BY id",
            (evening,),
        )
        found = []
        for row in rows:
            try:
                found.append(heard_of(row))
            except UnreadableError:
                self._note(f"Not every utterance of evening {evening} can be read.")
        return found

    def _holes(self, found: Sequence[Entry], lost: int) -> int:
        """Return how many numbers are missing before the last that is there."""
        return max(0, found[-1].number + 1 - len(found) - lost) if found else 0

    def _note_lost(self, evening: int, count: int) -> None:
        if count:
            events = "1 event" if count == 1 else f"{count} events"
            self._note(f"{events} of evening {evening} cannot be read.")

    def _note(self, sentence: str) -> None:
        if sentence not in self._notes:
            self._notes.append(sentence)

    def decline(self, evening: int) -> None:
        """Stop offering an evening; it can still be resumed by its number."""
        with self._file.transaction() as db:
            db.execute(
                "UPDATE evenings SET ended = 'declined' WHERE id = ? AND ended = ''", (evening,)
            )

    def reopen(self, evening: int) -> None:
        """Take up an evening that was declined."""
        with self._file.transaction() as db:
            db.execute(
                "UPDATE evenings SET ended = '' WHERE id = ? AND ended = 'declined'", (evening,)
            )

    def forget(self, evenings: Sequence[int]) -> None:
        """Delete evenings, damaged or not, and whatever is left of them in the file."""
        with self._file.transaction(LONG_PATIENCE) as db:
            for evening in evenings:
                self._drop_words(db, evening)
                db.execute("DELETE FROM evenings WHERE id = ?", (evening,))
            db.execute("DELETE FROM scripts WHERE hash NOT IN (SELECT script FROM evenings)")
        for evening in evenings:
            remove(self._file.path.parent, evening)
        self._vacuum()

    def forget_player(self, name: str) -> tuple[int, int]:
        """Take a player out of every evening.

        Of finished evenings the outcome stays, under another name, and nothing of what was said;
        unfinished ones are deleted, and so are damaged ones in which the name stands anywhere.

        Returns:
            How many evenings were changed, and how many deleted.
        """
        met = [r for r in self.records() if _seat_of(r, name) is not None]
        deleted = [record.number for record in met if not record.is_over()]
        deleted += self.damaged_with(name)
        kept = [record for record in met if record.is_over()]
        with self._file.transaction(LONG_PATIENCE) as db:
            for record in kept:
                self._drop_words(db, record.number)
                self._rename(db, record, name)
        self.forget(deleted)
        return len(kept), len(deleted)

    def damaged_with(self, name: str) -> list[int]:
        """Return the evenings that cannot be read and in which a name stands somewhere."""
        whole = {record.number for record in self.records()}
        return [
            row[0]
            for row in self._all(f"SELECT {COLUMNS} FROM evenings", ())  # noqa: S608
            if isinstance(row[0], int)
            and row[0] not in whole
            and any(name.casefold() in value.casefold() for value in row if isinstance(value, str))
        ]

    def _rename(self, db: sqlite3.Connection, record: Record, name: str) -> None:
        seat = _seat_of(record, name)
        assert seat is not None  # noqa: S101 - only evenings with this player come here
        other = f"{FORGOTTEN} {seat.number}"
        seats = [Seat(seat.number, other) if s == seat else s for s in record.opening.seats]
        values = [
            json.dumps(renamed(value, seat.name, other), ensure_ascii=False)
            for value in (record.opening.options, record.result, record.totals)
        ]
        db.execute(
            "UPDATE evenings SET seats = ?, options = ?, result = ?, totals = ? WHERE id = ?",
            (json.dumps([asdict(s) for s in seats]), *values, record.number),
        )

    def _drop_words(self, db: sqlite3.Connection, evening: int) -> None:
        db.execute("DELETE FROM entries WHERE evening = ?", (evening,))
        db.execute("DELETE FROM heard WHERE evening = ?", (evening,))
        db.execute("DELETE FROM snapshots WHERE evening = ?", (evening,))

    def _vacuum(self) -> None:
        try:
            self._file.db.execute("VACUUM")
            self._file.db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        except sqlite3.Error as fault:
            raise self._file.failure(fault) from fault

    def _all(self, query: str, values: Sequence[object]) -> list[Any]:
        try:
            return self._file.db.execute(query, tuple(values)).fetchall()
        except sqlite3.Error as fault:
            if not (is_damaged(fault) and self._file.repair()):
                raise self._file.failure(fault) from fault
        return self._all(query, values)


def _seat_of(record: Record, name: str) -> Seat | None:
    wanted = name.casefold()
    return next((s for s in record.opening.seats if s.name.casefold() == wanted), None)


def renamed(value: Any, name: str, other: str) -> Any:
    """Return a value with a name replaced wherever it stands as a word of its own."""
    if isinstance(value, str):
        return re.sub(rf"(?<!\w){re.escape(name)}(?!\w)", other, value, flags=re.IGNORECASE)
    if isinstance(value, dict):
        return {renamed(k, name, other): renamed(v, name, other) for k, v in value.items()}
    return [renamed(item, name, other) for item in value] if isinstance(value, list) else value
