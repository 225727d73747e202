"""The journal's file: one SQLite database, private, migrated in order, never overwritten."""

from __future__ import annotations

import contextlib
import os
import shutil
import sqlite3
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

from narrator.adapters.journal import faults, health
from narrator.adapters.journal.lock import EveningLock, somebody_plays
from narrator.adapters.journal.salvage import Saved, salvage
from narrator.adapters.journal.setting_aside import put_in_place
from narrator.ports.errors import JournalError
from narrator.ports.faults import FaultCode, reason

NAME = "journal.sqlite3"
OURS = 0x4E617272
"""The file's application id: `Narr`."""
PATIENCE = 0.5
"""Seconds in which another process may finish writing; longer would hold the game up."""
LONG_PATIENCE = 10.0
"""The same before and after a game, when nobody waits for the next line."""

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


class NewerJournalError(JournalError):
    """The file was written by a later Narrator."""


class JournalFile:
    """An open journal.

    A damaged one is set aside, and a new one begun with what could be saved of it. To be read only,
    nothing is renamed, made or changed: what could be saved is then held in memory.

    Args:
        path: Of the file; to be written to, it and its folder are made where there are none.
        version: Of Narrator, for the file to tell what it needs.
        moment: Local time in ISO 8601, for the name of a damaged file.
        migrations: In order; a test may give others.
        reading: Only read.

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
        *,
        reading: bool = False,
    ) -> None:
        self.path = path
        self.note = ""
        """A plain sentence about what had to be done to open it; empty where nothing had."""
        self.reading = reading
        self._version, self._moment, self._migrations = version, moment, migrations
        self._copies: list[tempfile.TemporaryDirectory[str]] = []
        self._repaired = False
        self._identity = health.identity(path)
        try:
            self._open()
        except BaseException:
            self._clean()
            raise

    def _open(self) -> None:
        try:
            self.db = self._to_read() if self.reading else self._opened(self.path)
        except sqlite3.Error as fault:
            if not faults.is_damage(fault):
                raise self.failure(fault) from fault
            self.repair()

    @contextlib.contextmanager
    def transaction(self, patience: float = PATIENCE) -> Iterator[sqlite3.Connection]:
        """Do everything within or nothing. Raises JournalError.

        Args:
            patience: Seconds in which another process may finish writing.
        """
        try:
            self.db.execute(f"PRAGMA busy_timeout = {round(patience * 1000)}")
            with _transaction(self.db):
                yield self.db
        except sqlite3.Error as fault:
            raise self.failure(fault) from fault

    def close(self) -> None:
        """Finish writing; what cannot be written any more is left to the next start."""
        with contextlib.suppress(sqlite3.Error):
            self.db.close()
        self._clean()

    def _clean(self) -> None:
        while self._copies:
            self._copies.pop().cleanup()

    def failure(self, fault: sqlite3.Error) -> JournalError:
        """Say in one plain sentence what is wrong, and the remedy."""
        return faults.told(self.path, fault)

    def repair(self, mine: int | None = None) -> bool:
        """Continue with what can be saved of the file, once; False if that was done before.

        Args:
            mine: The evening that is being played here.

        Raises:
            JournalError: It cannot be done, or not now. The file is as it was.
        """
        if self._repaired:
            return False
        self._repaired = True
        if hasattr(self, "db"):
            self.close()
        try:
            if self.reading:
                self.db, saved = self._saved_in(":memory:")
                self.note = (
                    f"The journal {self.path} is damaged. {saved} It stays as it is; the next "
                    "game sets it aside and goes on with what was saved."
                )
            else:
                self._replace(mine)
        except sqlite3.Error as fault:
            raise self.failure(fault) from fault
        except OSError as fault:
            raise JournalError(
                FaultCode.JOURNAL_NOT_SET_ASIDE, path=str(self.path), reason=reason(fault)
            ) from fault
        return True

    def _replace(self, mine: int | None) -> None:
        if somebody_plays(self.path.parent, mine):
            raise JournalError(FaultCode.JOURNAL_DAMAGED_IN_USE, path=str(self.path))
        lock = EveningLock(self.path.parent, 0)
        if not lock.take():
            raise faults.JournalBusyError(FaultCode.JOURNAL_BEING_SAVED, path=str(self.path))
        try:
            if health.identity(self.path) != self._identity:
                self.db = self._opened(self.path)  # it has been replaced already
            else:
                self._save_and_set_aside()
        finally:
            lock.release(remove=True)

    def _save_and_set_aside(self) -> None:
        draft = self.path.with_name(f"{self.path.name}.{os.getpid()}.part")
        try:
            os.close(os.open(draft, os.O_RDWR | os.O_CREAT | os.O_TRUNC, 0o600))
            db, saved = self._saved_in(str(draft))
            db.close()
            other = put_in_place(draft, self.path, self._moment)
        finally:
            draft.unlink(missing_ok=True)
        self.db = self._opened(self.path, checked=True)
        self.note = (
            f"The journal was damaged. It was set aside as {other}, and a new one was started. "
            f"{saved}"
        )
        self.db.execute("REPLACE INTO about VALUES ('damaged', ?)", (f"{other}\n{saved}",))

    def _saved_in(self, place: str) -> tuple[sqlite3.Connection, Saved]:
        """Return a new journal with what could be saved."""
        db = self._connected(place)
        try:
            db.execute("PRAGMA secure_delete = ON")
            self._migrate(db)
            return db, salvage(self.path, db)
        except BaseException:
            db.close()
            raise

    def lost_before(self) -> str:
        """Return what was said when a journal was set aside, as long as that lies there."""
        with contextlib.suppress(sqlite3.Error, ValueError):
            found = self.db.execute("SELECT value FROM about WHERE key = 'damaged'").fetchone()
            if found is not None:
                other, saved = str(found[0]).split("\n")
                if Path(other).exists():
                    return f"A damaged journal was set aside as {other}. {saved}"
        return ""

    def _to_read(self) -> sqlite3.Connection:
        if health.is_hollow(self.path):
            raise health.damage()
        if health.is_empty(self.path):
            db = self._connected(":memory:")
            self._migrate(db)
            return db
        try:
            return self._read_only()
        except sqlite3.Error as fault:
            if not faults.is_closed(fault):
                raise
        return self._copied()

    def _read_only(self) -> sqlite3.Connection:
        frames = health.committed(self.path)
        db = self._connected(f"{self.path.absolute().as_uri()}?mode=ro")
        try:
            self._check_owner(db)
            health.check(db, self.path, frames, thorough=True)
            if health.version(db) == len(self._migrations):
                return db
        except BaseException:
            db.close()
            raise
        db.close()
        return self._copied()  # an older one is migrated, and the file left as it is

    def _copied(self) -> sqlite3.Connection:
        """Open a copy: the file's own folder cannot be written to, and SQLite would have to."""
        folder = tempfile.TemporaryDirectory()
        self._copies.append(folder)
        copy = Path(folder.name) / self.path.name
        try:
            for tail in ("", "-wal"):
                part = Path(f"{self.path}{tail}")
                if part.exists():
                    shutil.copyfile(part, f"{copy}{tail}")
        except OSError as fault:
            raise self._closed(fault) from fault
        return self._opened(copy)

    def _opened(self, path: Path, *, checked: bool = False) -> sqlite3.Connection:
        if health.is_hollow(path):
            raise health.damage()
        crashed = self._prepare(path)
        if path == self.path:
            self._identity = health.identity(path)
        frames = health.committed(path)
        db = self._connected(str(path))
        try:
            self._check_owner(db)
            _configure(db)
            if not checked:
                health.check(db, path, frames, thorough=crashed)
            self._migrate(db)
        except BaseException:
            db.close()
            raise
        return db

    def _connected(self, place: str) -> sqlite3.Connection:
        # The end of a session is written by another thread than its events, never at the same time.
        db = sqlite3.connect(
            place, timeout=LONG_PATIENCE, isolation_level=None, check_same_thread=False,
            uri=place.startswith("file:"),
        )  # fmt: skip
        # A letter that is damaged must not keep the rest of the row from being read.
        db.text_factory = lambda data: data.decode("utf-8", "surrogateescape")
        return db

    def _prepare(self, path: Path) -> bool:
        """Make the file with private rights; tell whether the last writer could not finish."""
        wal = Path(f"{path}-wal")
        try:
            path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            os.close(os.open(path, os.O_RDWR | os.O_CREAT, 0o600))
            if os.name == "posix" and path.stat().st_mode & 0o077:
                path.chmod(0o600)
            return wal.exists() and wal.stat().st_size > 0
        except OSError as fault:
            raise self._closed(fault) from fault

    def _closed(self, fault: OSError) -> JournalError:
        return JournalError(FaultCode.JOURNAL_UNUSABLE, path=str(self.path), reason=reason(fault))

    def _check_owner(self, db: sqlite3.Connection) -> None:
        owner = db.execute("PRAGMA application_id").fetchone()[0]
        tables = {str(name) for (name,) in db.execute("SELECT name FROM sqlite_master")}
        if tables and owner != OURS and not tables >= {"evenings", "entries", "scripts"}:
            raise JournalError(FaultCode.JOURNAL_OF_ANOTHER, path=str(self.path))
        version, latest = health.version(db), len(self._migrations)
        as_known = health.columns(db) == self._reference(min(max(version, 0), latest))
        if version > latest and not as_known:
            raise self._newer(db)
        if tables and (owner != OURS or not as_known or not 0 < version <= latest):
            raise health.damage()  # its head does not agree with what is in it

    def _reference(self, version: int) -> dict[str, list[tuple[str, str]]]:
        """Return the tables that a journal of this version has."""
        db = sqlite3.connect(":memory:")
        try:
            for statements in self._migrations[:version]:
                for statement in statements:
                    db.execute(statement)
            return health.columns(db)
        finally:
            db.close()

    def _newer(self, db: sqlite3.Connection) -> NewerJournalError:
        found = None
        with contextlib.suppress(sqlite3.Error):
            found = db.execute("SELECT value FROM about WHERE key = 'needs'").fetchone()
        needed = str(found[0])[:40] if found else ""
        if not needed:
            return NewerJournalError(
                FaultCode.JOURNAL_MUCH_NEWER, path=str(self.path), version=self._version
            )
        return NewerJournalError(
            FaultCode.JOURNAL_NEWER,
            path=str(self.path), needed=str(needed), version=self._version,
        )  # fmt: skip

    def _migrate(self, db: sqlite3.Connection) -> None:
        while (version := health.version(db)) < len(self._migrations):
            with _transaction(db):
                if health.version(db) != version:
                    continue  # another process was quicker
                for statement in self._migrations[version]:
                    db.execute(statement)
                db.execute("REPLACE INTO about VALUES ('needs', ?)", (self._version,))
                db.execute(f"PRAGMA application_id = {OURS}")
                db.execute(f"PRAGMA user_version = {version + 1}")


def is_damaged(fault: BaseException | None) -> bool:
    """Whether a failure means that the file itself is damaged."""
    return isinstance(fault, sqlite3.Error) and faults.is_damage(fault)


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
