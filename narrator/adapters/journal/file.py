"""The journal's file: one SQLite database, private, migrated in order, never overwritten."""

from __future__ import annotations

import contextlib
import os
import sqlite3
from collections.abc import Iterator, Sequence
from pathlib import Path

from narrator.ports.errors import JournalError

NAME = "journal.sqlite3"
OURS = 0x4E617272
"""The file's application id: `Narr`."""
PATIENCE = 0.5
"""Seconds in which another process may finish writing; longer would hold the game up."""

MIGRATIONS: tuple[tuple[str, ...], ...] = (
    (
        "CREATE TABLE about (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID",
        "CREATE TABLE scripts (hash TEXT PRIMARY KEY, files BLOB NOT NULL) WITHOUT ROWID",
        """CREATE TABLE evenings (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            game TEXT NOT NULL, title TEXT NOT NULL, language TEXT NOT NULL,
            script TEXT NOT NULL REFERENCES scripts (hash),
            seats TEXT NOT NULL, options TEXT NOT NULL, settings TEXT NOT NULL,
            seed INTEGER NOT NULL, version TEXT NOT NULL, begun TEXT NOT NULL,
            ended TEXT NOT NULL DEFAULT '', finished TEXT NOT NULL DEFAULT '',
            seconds REAL NOT NULL DEFAULT 0, result TEXT NOT NULL DEFAULT '{}',
            totals TEXT NOT NULL DEFAULT '{}')""",
        "CREATE INDEX unfinished ON evenings (game, id) WHERE ended = ''",
        """CREATE TABLE entries (
            evening INTEGER NOT NULL, number INTEGER NOT NULL, now REAL NOT NULL,
            event TEXT NOT NULL, effects BLOB NOT NULL,
            PRIMARY KEY (evening, number)) WITHOUT ROWID""",
        """CREATE TABLE snapshots (
            evening INTEGER PRIMARY KEY, number INTEGER NOT NULL, now REAL NOT NULL,
            state BLOB NOT NULL)""",
    ),
    (
        """CREATE TABLE heard (
            id INTEGER PRIMARY KEY, evening INTEGER NOT NULL, now REAL NOT NULL,
            begin REAL NOT NULL, end REAL NOT NULL, step TEXT NOT NULL, text TEXT NOT NULL,
            score REAL NOT NULL, margin REAL NOT NULL, stands_out REAL NOT NULL,
            verdict TEXT NOT NULL, reason TEXT NOT NULL)""",
        "CREATE INDEX heard_in ON heard (evening, id)",
    ),
)
"""Statements of each version, in order. Never changed once released; what is new comes after."""

_FULL = (sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR)
_CLOSED = (sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_PERM)
_BUSY = (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)
_DAMAGED = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)


class NewerJournalError(JournalError):
    """The file was written by a later Narrator."""

    code = "journal-newer"


class JournalFile:
    """An open journal.

    Args:
        path: Of the file; it and its folder are made where there are none.
        version: Of Narrator, for the file to tell what it needs.
        moment: Local time in ISO 8601, for the name of a damaged file.
        migrations: In order; a test may give others.

    Raises:
        NewerJournalError: The file needs a later Narrator.
        JournalError: It cannot be opened, or is no journal.
    """

    def __init__(
        self,
        path: Path,
        version: str,
        moment: str,
        migrations: Sequence[Sequence[str]] = MIGRATIONS,
    ) -> None:
        self.path = path
        self.note = ""
        """A plain sentence about what had to be done to open it; empty where nothing had."""
        self._version, self._moment, self._migrations = version, moment, migrations
        try:
            self.db = self._opened()
        except sqlite3.Error as fault:
            if not is_damaged(fault):
                raise self.failure(fault) from fault
            self.set_aside()
            self.db = self._anew()

    @contextlib.contextmanager
    def transaction(self) -> Iterator[sqlite3.Connection]:
        """Do everything within or nothing. Raises JournalError."""
        try:
            with _transaction(self.db):
                yield self.db
        except sqlite3.Error as fault:
            raise self.failure(fault) from fault

    def close(self) -> None:
        """Finish writing; what cannot be written any more is left to the next start."""
        with contextlib.suppress(sqlite3.Error):
            self.db.close()

    def failure(self, fault: sqlite3.Error) -> JournalError:
        """Say in one plain sentence what is wrong, and the remedy."""
        number = _code(fault)
        if number in _FULL:
            return JournalError(
                f"The journal {self.path} cannot be used: the disk is full or fails.",
                "Make room for it.",
            )
        if number in _CLOSED or isinstance(fault, sqlite3.ProgrammingError):
            return JournalError(
                f"The journal {self.path} cannot be used: it cannot be written to.",
                "NARRATOR_DATA names another folder.",
            )
        if number in _BUSY:
            return JournalError(f"Another program is writing to {self.path}.", "Try again.")
        if number in _DAMAGED:
            return JournalError(
                f"The journal {self.path} is damaged.", "The next start sets it aside."
            )
        return JournalError(f"The journal {self.path} cannot be used: {fault}.")

    def set_aside(self) -> None:
        """Rename a damaged file, never over another one. Raises JournalError."""
        stamp = self._moment[:19].replace(":", "-")
        stem = f"{self.path.stem}-damaged-{stamp}"
        for count in range(1, 1000):
            other = self.path.with_name(f"{stem}{f'-{count}' if count > 1 else ''}.sqlite3")
            if not other.exists():
                break
        try:
            for tail in ("-wal", "-shm", ""):
                part = Path(f"{self.path}{tail}")
                if part.exists():
                    part.rename(f"{other}{tail}")
        except OSError as fault:
            raise JournalError(
                f"The damaged journal {self.path} cannot be set aside: {_reason(fault)}."
            ) from fault
        self.note = (
            f"The journal was damaged. It was set aside as {other}, and a new one was begun."
        )

    def _anew(self) -> sqlite3.Connection:
        try:
            return self._opened()
        except sqlite3.Error as fault:
            raise self.failure(fault) from fault

    def _opened(self) -> sqlite3.Connection:
        crashed = self._prepare()
        # The end of a session is written by another thread than its events, never at the same time.
        db = sqlite3.connect(
            self.path, timeout=PATIENCE, isolation_level=None, check_same_thread=False
        )
        try:
            self._check_owner(db)
            _configure(db)
            if crashed and db.execute("PRAGMA quick_check(1)").fetchone()[0] != "ok":
                raise _damage()
            self._migrate(db)
        except BaseException:
            db.close()
            raise
        return db

    def _prepare(self) -> bool:
        """Make the file with private rights; tell whether the last writer could not finish."""
        wal = Path(f"{self.path}-wal")
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            os.close(os.open(self.path, os.O_RDWR | os.O_CREAT, 0o600))
            if os.name == "posix" and self.path.stat().st_mode & 0o077:
                self.path.chmod(0o600)
            return wal.exists() and wal.stat().st_size > 0
        except OSError as fault:
            raise JournalError(
                f"The journal {self.path} cannot be used: {_reason(fault)}.",
                "NARRATOR_DATA names another folder.",
            ) from fault

    def _check_owner(self, db: sqlite3.Connection) -> None:
        owner = db.execute("PRAGMA application_id").fetchone()[0]
        tables = db.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]
        if tables and owner != OURS:
            raise JournalError(
                f"{self.path} is no journal of Narrator.", "Move it, or choose another folder."
            )
        if _version(db) > len(self._migrations):
            needed = db.execute("SELECT value FROM about WHERE key = 'needs'").fetchone()
            raise NewerJournalError(
                f"The journal {self.path} was written by a later Narrator, {needed[0]}.",
                f"This is {self._version}: install {needed[0]} or later, or name another folder "
                "with NARRATOR_DATA.",
            )

    def _migrate(self, db: sqlite3.Connection) -> None:
        while (version := _version(db)) < len(self._migrations):
            with _transaction(db):
                if _version(db) != version:
                    continue  # another process was quicker
                for statement in self._migrations[version]:
                    db.execute(statement)
                db.execute("REPLACE INTO about VALUES ('needs', ?)", (self._version,))
                db.execute(f"PRAGMA application_id = {OURS}")
                db.execute(f"PRAGMA user_version = {version + 1}")


def is_damaged(fault: BaseException | None) -> bool:
    """Whether a failure means that the file itself is damaged."""
    return isinstance(fault, sqlite3.Error) and _code(fault) in _DAMAGED


def _configure(db: sqlite3.Connection) -> None:
    db.execute("PRAGMA journal_mode = WAL")
    # FULL and not NORMAL: after a power cut, too, at most the event in flight is lost. It costs a
    # few milliseconds an event, and there are few of them.
    db.execute("PRAGMA synchronous = FULL")
    db.execute("PRAGMA fullfsync = ON")
    db.execute("PRAGMA secure_delete = ON")
    db.execute("PRAGMA journal_size_limit = 4000000")


@contextlib.contextmanager
def _transaction(db: sqlite3.Connection) -> Iterator[None]:
    db.execute("BEGIN IMMEDIATE")
    try:
        yield
        db.execute("COMMIT")
    except BaseException:
        with contextlib.suppress(sqlite3.Error):
            db.execute("ROLLBACK")
        raise


def _version(db: sqlite3.Connection) -> int:
    return int(db.execute("PRAGMA user_version").fetchone()[0])


def _code(fault: sqlite3.Error) -> int:
    return (getattr(fault, "sqlite_errorcode", None) or 0) & 0xFF


def _damage() -> sqlite3.DatabaseError:
    fault = sqlite3.DatabaseError("the file is damaged")
    fault.sqlite_errorcode = sqlite3.SQLITE_CORRUPT
    return fault


def _reason(fault: OSError) -> str:
    return (fault.strerror or "it fails").lower()
