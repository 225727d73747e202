"""Whether a journal is whole: what SQLite can check, and what it passes over in silence."""

from __future__ import annotations

import sqlite3
import struct
from pathlib import Path

from narrator.adapters.journal import pages

CHECKED = 64_000_000
"""Bytes of a file that is looked through at each start: a tenth of a second of reading."""
_MX_FRAME = 16
"""Where the index of the log says how many frames count (sqlite.org/walformat.html)."""


def damage() -> sqlite3.DatabaseError:
    """Return the fault of a damaged file."""
    fault = sqlite3.DatabaseError("the file is damaged")
    fault.sqlite_errorcode = sqlite3.SQLITE_CORRUPT
    return fault


def is_hollow(path: Path) -> bool:
    """Whether the file is empty or gone and its log is not: SQLite would delete the log."""
    return _size(path) == 0 and _size(Path(f"{path}-wal")) > 0


def is_empty(path: Path) -> bool:
    """Whether there is no journal so far."""
    return _size(path) == 0


def committed(path: Path) -> int:
    """Return how many frames of the log are finished by what they say; 0 where it has none."""
    try:
        return pages.committed(path)
    except OSError:
        return 0


def check(db: sqlite3.Connection, path: Path, frames: int, *, thorough: bool) -> None:
    """Look through the file. Raises sqlite3.Error where it is damaged.

    Args:
        db: The open file.
        path: Of it.
        frames: How many the log had, by what they say, before it was opened.
        thorough: However large it is.
    """
    db.execute("SELECT count(*) FROM sqlite_master").fetchone()
    if frames > _taken(path) and committed(path) > _taken(path):
        raise damage()  # a frame amid the log is bad: SQLite takes none of those after it
    if thorough or _size(path) <= CHECKED:
        found = db.execute("PRAGMA integrity_check(1)").fetchone()
        if found is None or found[0] != "ok":
            raise damage()


def version(db: sqlite3.Connection) -> int:
    """Return how many migrations a journal has had."""
    return int(db.execute("PRAGMA user_version").fetchone()[0])


def columns(db: sqlite3.Connection) -> dict[str, list[tuple[str, str]]]:
    """Return name and type of every column, by table."""
    found: dict[str, list[tuple[str, str]]] = {}
    rows = db.execute(
        "SELECT t.name, c.name, c.type FROM pragma_table_list AS t, pragma_table_info(t.name) AS c "
        "WHERE t.type = 'table' AND t.schema = 'main' AND t.name NOT LIKE 'sqlite%'"
    )
    for table, name, kind in rows:
        found.setdefault(table, []).append((name, kind))
    return found


def identity(path: Path) -> int:
    """Return what tells a file from another that takes its place; 0 where there is none."""
    try:
        return path.stat().st_ino
    except OSError:
        return 0


def _taken(path: Path) -> int:
    """Return how many frames SQLite takes for good, by the index that it keeps of them."""
    try:
        head = Path(f"{path}-shm").read_bytes()[: _MX_FRAME + 4]
        return int(struct.unpack_from("=I", head, _MX_FRAME)[0])
    except (OSError, struct.error):
        return 1 << 32  # it keeps none: nothing can be said


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except OSError:
        return 0
