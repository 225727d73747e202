"""Saves what can still be read of a damaged journal, row by row, into a new one."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from narrator.adapters.journal.pages import Cell, Pages, Row

_KINDS: dict[str, tuple[type, ...]] = {
    "INTEGER": (int,), "REAL": (int, float), "TEXT": (str,), "BLOB": (bytes,),
}  # fmt: skip
_AT_ONCE = 500
"""Rows that are added together."""
_OWN = ("about", "sqlite_sequence")
"""Tables that a new journal fills by itself."""


@dataclass(frozen=True, slots=True)
class Saved:
    """How much could be saved."""

    evenings: int = 0
    events: int = 0
    nameless: int = 0
    """Evenings that have events whose evening is not known."""

    def __str__(self) -> str:
        if not self.evenings:
            told = "No evening could be saved."
        else:
            evenings = "1 evening" if self.evenings == 1 else f"{self.evenings} evenings"
            told = f"{evenings} with {_counted(self.events, 'event')} could be saved."
        if self.nameless:
            told += f" Of {_counted(self.nameless, 'more evening')} only events are left, in there."
        return told


@dataclass(frozen=True, slots=True)
class Shape:
    """What a table's rows look like in the file."""

    table: str
    names: tuple[str, ...]
    kinds: tuple[str, ...]
    needed: tuple[bool, ...]
    """Whether a column is never empty."""
    alias: int | None
    """The column that is the row id; None in a table without row ids."""

    def fits(self, row: Row) -> bool:
        """Whether a row may be one of this table."""
        if len(row.values) != len(self.names) or (row.number is None) != (self.alias is None):
            return False
        columns = enumerate(zip(row.values, self.kinds, self.needed, strict=True))
        return all(
            value is None and (at == self.alias or not needed)
            if value is None or at == self.alias
            else isinstance(value, _KINDS[kind])
            for at, (value, kind, needed) in columns
        )

    def filled(self, row: Row) -> tuple[Cell, ...]:
        """Return the row's values with its row id among them."""
        return tuple(row.number if at == self.alias else v for at, v in enumerate(row.values))


def shapes(db: sqlite3.Connection) -> list[Shape]:
    """Return the shapes of a journal's tables, as the journal itself describes them."""
    tables = db.execute("SELECT name, wr FROM pragma_table_list WHERE type = 'table'").fetchall()
    return [
        _shape(db, str(name), bool(without))
        for name, without in tables
        if name not in _OWN and not str(name).startswith("sqlite_")
    ]


def _shape(db: sqlite3.Connection, table: str, without: bool) -> Shape:
    columns = db.execute(
        'SELECT name, type, "notnull", pk FROM pragma_table_info(?)', (table,)
    ).fetchall()
    alias = next((n for n, c in enumerate(columns) if c[3] and not without), None)
    return Shape(
        table,
        tuple(c[0] for c in columns),
        tuple(c[1] for c in columns),
        tuple(bool(c[2] or c[3]) for c in columns),
        alias,
    )


def salvage(path: Path, into: sqlite3.Connection) -> Saved:
    """Copy every row that can be read into an empty journal; the damaged one stays as it is.

    Args:
        path: Of the damaged journal; its log lies beside it.
        into: A new journal, with all its tables.

    Raises:
        OSError: The file cannot be read at all.
        sqlite3.Error: The new one cannot be written.
    """
    pages = Pages(path)
    try:
        known = shapes(into)
        into.execute("BEGIN IMMEDIATE")
        highest = _copied(pages, known, into)
        saved = _sum_up(into, known, highest)
        into.execute("COMMIT")
        return saved
    finally:
        pages.close()


def _copied(pages: Pages, known: Sequence[Shape], into: sqlite3.Connection) -> int:
    """Copy the rows; return the highest number that an evening has had."""
    waiting: dict[str, list[tuple[Cell, ...]]] = {shape.table: [] for shape in known}
    highest = 0
    for shape, row in _recognised(pages, known):
        if shape is None:
            highest = max(highest, int(row.values[1] or 0))
            continue
        waiting[shape.table].append(shape.filled(row))
        if len(waiting[shape.table]) >= _AT_ONCE:
            _add(into, shape, waiting[shape.table])
    for shape in known:
        _add(into, shape, waiting[shape.table])
    return highest


def _recognised(pages: Pages, known: Sequence[Shape]) -> Iterator[tuple[Shape | None, Row]]:
    """Return rows with their table; None for the note of the highest number."""
    for row in pages.rows():
        if len(row.values) == 2 and row.values[0] == "evenings" and isinstance(row.values[1], int):
            yield None, row
            continue
        shape = next((shape for shape in known if shape.fits(row)), None)
        if shape is not None:
            yield shape, row


def _add(into: sqlite3.Connection, shape: Shape, rows: list[tuple[Cell, ...]]) -> None:
    # What comes first is the newest, and what is there stays.
    marks = ", ".join("?" * len(shape.names))
    into.executemany(f"INSERT OR IGNORE INTO {shape.table} VALUES ({marks})", rows)  # noqa: S608
    rows.clear()


def _sum_up(into: sqlite3.Connection, known: Sequence[Shape], highest: int) -> Saved:
    """Drop what belongs to nothing; tell what is left."""
    evenings = into.execute("SELECT count(*) FROM evenings").fetchone()[0]
    lost = "evening NOT IN (SELECT id FROM evenings)"
    nameless = into.execute(
        f"SELECT count(DISTINCT evening) FROM entries WHERE {lost}"  # noqa: S608
    ).fetchone()[0]
    for shape in known:
        if "evening" in shape.names:
            into.execute(f"DELETE FROM {shape.table} WHERE {lost}")  # noqa: S608
    events = into.execute("SELECT count(*) FROM entries").fetchone()[0]
    if evenings:  # a number that was forgotten is nobody else's
        into.execute(
            "UPDATE sqlite_sequence SET seq = max(seq, ?) WHERE name = 'evenings'",
            (min(highest, 2**31),),
        )
    return Saved(evenings, events, nameless)


def _counted(number: int, what: str) -> str:
    return f"{number:,} {what}{'' if number == 1 else 's'}"
