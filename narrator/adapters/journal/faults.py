"""What SQLite's failures mean, each in one plain sentence with the remedy."""

from __future__ import annotations

import sqlite3
from pathlib import Path

from narrator.ports.errors import JournalError
from narrator.ports.faults import FaultCode

_FULL = (sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR)
_CLOSED = (sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_PERM)
_BUSY = (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)
_DAMAGED = (
    sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_FORMAT, sqlite3.SQLITE_SCHEMA,
    sqlite3.SQLITE_TOOBIG,
)  # fmt: skip
_MISSING = ("no such table", "no such column", "malformed")
"""How a plain error begins where the description of the tables is damaged."""


class JournalBusyError(JournalError):
    """Another program is writing to the file, and does not finish."""


def told(path: Path, fault: sqlite3.Error) -> JournalError:
    """Return what is wrong."""
    number = _code(fault)
    if is_damage(fault):
        return JournalError(FaultCode.JOURNAL_DAMAGED, path=str(path))
    if number in _FULL:
        return JournalError(FaultCode.JOURNAL_FULL, path=str(path))
    if is_closed(fault) or isinstance(fault, sqlite3.ProgrammingError):
        return JournalError(FaultCode.JOURNAL_READ_ONLY, path=str(path))
    if number in _BUSY:
        return JournalBusyError(FaultCode.JOURNAL_BUSY, path=str(path))
    return JournalError(FaultCode.JOURNAL_FAILED, path=str(path), number=number)


def is_damage(fault: sqlite3.Error) -> bool:
    """Whether the file itself is damaged."""
    if _code(fault) in _DAMAGED or _full_code(fault) == sqlite3.SQLITE_IOERR_SHORT_READ:
        return True
    return _code(fault) == sqlite3.SQLITE_ERROR and str(fault).startswith(_MISSING)


def is_closed(fault: sqlite3.Error) -> bool:
    """Whether the file or its folder cannot be written to."""
    return _code(fault) in _CLOSED


def _full_code(fault: sqlite3.Error) -> int:
    return getattr(fault, "sqlite_errorcode", None) or 0


def _code(fault: sqlite3.Error) -> int:
    return _full_code(fault) & 0xFF
