"""Evenings that are stored: listed, read, and forgotten for good."""

from __future__ import annotations

import json
import re
import sqlite3
import zlib
from collections.abc import Sequence
from dataclasses import asdict, replace
from typing import Any

from narrator.adapters.journal.file import JournalFile
from narrator.adapters.journal.lock import EveningLock
from narrator.core.codec import decode
from narrator.core.record import Opening, Past, Record
from narrator.core.values import Seat
from narrator.ports.errors import JournalError
from narrator.ports.session import Heard
from narrator.ports.storage import Entry

FORGOTTEN = "Somebody"
"""What a player is called who wants to be forgotten, with the number of the seat."""
_COLUMNS = (
    "id, game, title, language, script, seats, options, settings, seed, version, begun, "
    "ended, finished, seconds, result, totals"
)


class Archive:
    """Reads and forgets stored evenings. Every method raises JournalError."""

    def __init__(self, file: JournalFile) -> None:
        """Read from an open journal, which stays its owner's to close."""
        self._file = file

    def records(self, where: str = "", *values: object) -> list[Record]:
        """Return the evenings that fit, the oldest first.

        Args:
            where: An SQL condition of our own, never a person's words.
            values: Its values.
        """
        condition = f"WHERE {where}" if where else ""
        return [
            _record(row)
            for row in self._all(
                f"SELECT {_COLUMNS} FROM evenings {condition} ORDER BY id",  # noqa: S608
                values,
            )
        ]

    def record(self, evening: int) -> Record:
        """Return one evening with its script."""
        found = self.records("id = ?", evening)
        if not found:
            raise JournalError(
                f"There is no evening {evening}.", "`narrator history` lists those there are."
            )
        opening = found[0].opening
        files = self._all("SELECT files FROM scripts WHERE hash = ?", (opening.script_hash,))
        return replace(found[0], opening=replace(opening, script=unpacked(files[0][0])))

    def unfinished(self, game: str = "") -> Record | None:
        """Return the last evening that was broken off and that nobody is playing; None: no such.

        Args:
            game: Of this game only.
        """
        condition = "ended = '' AND game = ?" if game else "ended = ''"
        for record in reversed(self.records(condition, *([game] if game else []))):
            if not self.is_played(record.number):
                return self.record(record.number)
        return None

    def is_played(self, evening: int) -> bool:
        """Whether a process is playing it now."""
        lock = EveningLock(self._file.path.parent, evening)
        if not lock.take():
            return True
        lock.release()
        return False

    def count(self, evening: int) -> int:
        """Return how many events an evening has."""
        found = self._all("SELECT max(number) FROM entries WHERE evening = ?", (evening,))[0][0]
        return 0 if found is None else int(found) + 1

    def entries(self, evening: int) -> list[Entry]:
        """Return everything that happened, in order."""
        rows = self._all(
            "SELECT number, now, event, effects FROM entries WHERE evening = ? ORDER BY number",
            (evening,),
        )
        return [
            Entry(number, now, decode(json.loads(event)), tuple(decode(unpacked(effects))))
            for number, now, event, effects in rows
        ]

    def heard(self, evening: int) -> list[Heard]:
        """Return what was made of each utterance, in order."""
        rows = self._all(
            "SELECT now, begin, end, text, verdict, reason, score, margin, stands_out, step "
            "FROM heard WHERE evening = ? ORDER BY id",
            (evening,),
        )
        return [Heard(*row) for row in rows]

    def raw(self, evening: int) -> list[tuple[float, Any, list[Any]]]:
        """Return session seconds, event and effects of each entry as they were written down."""
        rows = self._all(
            "SELECT now, event, effects FROM entries WHERE evening = ? ORDER BY number", (evening,)
        )
        return [(now, json.loads(event), unpacked(effects)) for now, event, effects in rows]

    def past(self, evening: int) -> Past:
        """Return what the game is rebuilt from."""
        saved = self._all("SELECT number, now, state FROM snapshots WHERE evening = ?", (evening,))
        number, then, state = saved[0] if saved else (0, 0.0, None)
        rows = self._all(
            "SELECT now, event FROM entries WHERE evening = ? AND number >= ? ORDER BY number",
            (evening, number),
        )
        beat = self._all("SELECT seconds FROM evenings WHERE id = ?", (evening,))[0][0]
        return Past(
            None if state is None else unpacked(state),
            then,
            tuple((now, decode(json.loads(event))) for now, event in rows),
            max([beat, then, *(now for now, _ in rows[-1:])]),
        )

    def decline(self, evening: int) -> None:
        """Offer an evening no more; it can still be gone on with by its number."""
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
        """Delete evenings, and whatever is left of them in the file."""
        with self._file.transaction() as db:
            for evening in evenings:
                self._drop_words(db, evening)
                db.execute("DELETE FROM evenings WHERE id = ?", (evening,))
            db.execute("DELETE FROM scripts WHERE hash NOT IN (SELECT script FROM evenings)")
        self._vacuum()

    def forget_player(self, name: str) -> tuple[int, int]:
        """Take a player out of every evening.

        Of finished evenings the outcome stays, under another name, and nothing of what was said;
        unfinished ones are deleted.

        Returns:
            How many evenings were changed, and how many deleted.
        """
        met = [r for r in self.records() if _seat_of(r, name) is not None]
        deleted = [record.number for record in met if not record.is_over()]
        kept = [record for record in met if record.is_over()]
        with self._file.transaction() as db:
            for record in kept:
                self._drop_words(db, record.number)
                self._rename(db, record, name)
        self.forget(deleted)
        return len(kept), len(deleted)

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
            raise self._file.failure(fault) from fault


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


def _record(row: Sequence[Any]) -> Record:
    number, game, title, language, script, seats, options, settings, seed, version, begun = row[:11]
    opening = Opening(
        game, title, language,
        tuple(Seat(**{**s, "hear": tuple(s["hear"])}) for s in json.loads(seats)),
        json.loads(options), json.loads(settings), seed, {}, script, version, begun,
    )  # fmt: skip
    ended, finished, seconds, result, totals = row[11:]
    return Record(number, opening, ended, finished, seconds, json.loads(result), json.loads(totals))


def unpacked(data: bytes) -> Any:
    """Return what was packed."""
    return json.loads(zlib.decompress(data))
