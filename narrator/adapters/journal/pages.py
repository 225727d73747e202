"""The pages of a SQLite file and of its write-ahead log, and the rows on them, read one by one.

SQLite itself stops at the first fault of a damaged file. Here every page is taken for itself, so
that whatever is still whole is found. The format is that of sqlite.org/fileformat2.html.
"""

from __future__ import annotations

import struct
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

USUAL = 4096
"""Bytes of a page: what SQLite takes by itself, so what every journal has."""
LARGEST = 16_000_000
"""Bytes that one row may have: an evening's longest takes a few thousand."""
_TABLE, _INDEX, _INDEX_INNER = 13, 10, 2
"""Kinds of pages that hold rows: of tables with row ids, and of those without."""
_KINDS = (_TABLE, _INDEX, _INDEX_INNER)
_ROOM = 2048
"""Bytes that the list of a page's rows may have: no row takes less than two beside its content."""
_LOG_HEAD, _FRAME_HEAD = 32, 24
_INTEGERS = {1: 1, 2: 2, 3: 3, 4: 4, 5: 6, 6: 8}
"""Bytes of a whole number, by the serial type that a row gives for it."""

Cell = str | int | float | bytes | None


class _Broken(Exception):
    """This place holds no row."""


@dataclass(frozen=True, slots=True)
class Row:
    """A row as it stands in the file."""

    number: int | None
    """Its row id; None in a table without them."""
    values: tuple[Cell, ...]


@dataclass(frozen=True, slots=True)
class Frame:
    """A page in the write-ahead log."""

    page: int
    size: int
    """Pages of the database after it, where a transaction ends with it; else 0."""
    salt: bytes
    at: int
    """Where its content begins in the log."""


class Pages:
    """Pages of a database, the newest first, read from the disk as they are wanted.

    Args:
        path: Of the database; its log lies beside it. Either may be missing.

    Raises:
        OSError: They cannot be read.
    """

    def __init__(self, path: Path) -> None:
        self._main = path.open("rb") if path.exists() else None
        log = Path(f"{path}-wal")
        self._log = log.open("rb") if log.exists() else None
        self.size = _page_size(self._main)
        self._whole = -(-_length(self._main) // self.size)
        frames = list(log_frames(self._log, self.size)) if self._log is not None else []
        self._frames = _of_one_session(self._log, frames)
        self._newest = {frame.page: frame.at for frame in self._frames}

    def close(self) -> None:
        """Close the files."""
        for file in (self._main, self._log):
            if file is not None:
                file.close()

    def rows(self) -> Iterator[Row]:
        """Return every row that can be read, the newest first, older states of it as well."""
        for frame in reversed(self._frames):
            yield from self._of_page(self._read(self._log, frame.at), first=frame.page == 1)
        for number in range(1, self._whole + 1):
            data = self._read(self._main, (number - 1) * self.size)
            yield from self._of_page(data, first=number == 1)

    def _read(self, file: BinaryIO | None, at: int) -> bytes:
        if file is None:
            return b""
        file.seek(at)
        return file.read(self.size)

    def _page(self, number: int) -> bytes:
        if number in self._newest:
            return self._read(self._log, self._newest[number])
        if not 0 < number <= self._whole:
            raise _Broken
        return self._read(self._main, (number - 1) * self.size)

    def _of_page(self, data: bytes, *, first: bool) -> Iterator[Row]:
        head = 100 if first else 0
        if len(data) < head + 12:
            return
        data = data.ljust(self.size, b"\0")  # the last page of a file that was cut
        kinds = sorted(_KINDS, key=lambda kind: kind != data[head])
        for kind in kinds:  # what it says it is; and if it has no row as that, whatever it may be
            rows = list(self._cells(data, head, kind))
            if rows:
                yield from rows
                return

    def _cells(self, data: bytes, head: int, kind: int) -> Iterator[Row]:
        start = head + (12 if kind == _INDEX_INNER else 8)
        # Their number may be what is damaged: the list goes on as long as it says something.
        count = struct.unpack_from(">H", data, head + 3)[0]
        for number, (at,) in enumerate(struct.iter_unpack(">H", data[start : start + _ROOM])):
            if not start < at < self.size:
                if number >= count:
                    return
                continue
            try:
                yield self._cell(data, at, kind)
            except (_Broken, IndexError, struct.error, UnicodeDecodeError):
                continue

    def _cell(self, data: bytes, at: int, kind: int) -> Row:
        if kind == _INDEX_INNER:
            at += 4
        length, at = _varint(data, at)
        number: int | None = None
        if kind == _TABLE:
            number, at = _varint(data, at)
            number = number - (1 << 64) if number >> 63 else number
        return Row(number, _values(self._payload(data, at, length, table=kind == _TABLE)))

    def _payload(self, data: bytes, at: int, length: int, *, table: bool) -> bytes:
        if length > LARGEST:
            raise _Broken
        usable = self.size
        most = usable - 35 if table else (usable - 12) * 64 // 255 - 23
        if length <= most:
            return data[at : at + length]
        least = (usable - 12) * 32 // 255 - 23
        here = least + (length - least) % (usable - 4)
        here = here if here <= most else least
        parts, left = [data[at : at + here]], length - here
        following = struct.unpack_from(">I", data, at + here)[0]
        while left > 0:
            page = self._page(following)
            following = struct.unpack_from(">I", page)[0]
            parts.append(page[4 : 4 + left])
            left -= usable - 4
        return b"".join(parts)


def log_frames(log: BinaryIO, size: int) -> Iterator[Frame]:
    """Return what the heads of a log's frames say, whole frames only."""
    end = _length(log)
    for at in range(_LOG_HEAD, end - _FRAME_HEAD - size + 1, _FRAME_HEAD + size):
        log.seek(at)
        page, pages, salt = struct.unpack(">II8s", log.read(16))
        yield Frame(page, pages, salt, at + _FRAME_HEAD)


def committed(path: Path) -> int:
    """Return how many frames of a journal's log belong to finished transactions, by their heads.

    The last session alone counts: a log is written over from its beginning. Raises OSError.
    """
    log = Path(f"{path}-wal")
    if not log.exists():
        return 0
    with log.open("rb") as file:
        frames = list(log_frames(file, USUAL))
        salt = log_salt(file)
    wanted = [n for n, f in enumerate(frames, 1) if f.size and (not salt or f.salt == salt)]
    return max(wanted, default=0)


def log_salt(log: BinaryIO) -> bytes:
    """Return what the frames of the last session are marked with; empty where the head is bad."""
    log.seek(0)
    head = log.read(_LOG_HEAD)
    if len(head) < _LOG_HEAD or head[:3] != b"\x37\x7f\x06":
        return b""
    order = ">" if head[3] & 1 else "<"
    first = second = 0
    words = struct.unpack(f"{order}6I", head[:24])
    for one, other in zip(words[::2], words[1::2], strict=True):
        first = (first + one + second) & 0xFFFFFFFF
        second = (second + other + first) & 0xFFFFFFFF
    return head[16:24] if (first, second) == struct.unpack(">II", head[24:]) else b""


def _of_one_session(log: BinaryIO | None, frames: list[Frame]) -> list[Frame]:
    """Return the frames that belong together; where the head is bad, the most that do."""
    if log is None or not frames:
        return []
    salt = log_salt(log) or Counter(frame.salt for frame in frames).most_common(1)[0][0]
    # A frame with a bad head tells no page that can be believed, but its rows are rows.
    return [f if f.salt == salt else Frame(0, f.size, f.salt, f.at) for f in frames]


def _page_size(main: BinaryIO | None) -> int:
    if main is None:
        return USUAL
    main.seek(0)
    head = main.read(32)
    size, pages = int.from_bytes(head[16:18], "big"), int.from_bytes(head[28:32], "big")
    size = 65536 if size == 1 else size
    # A head that does not agree with the file is not to be believed.
    return size if size * pages == _length(main) > 0 else USUAL


def _length(file: BinaryIO | None) -> int:
    return 0 if file is None else file.seek(0, 2)


def _varint(data: bytes, at: int) -> tuple[int, int]:
    value = 0
    for count in range(9):
        byte = data[at + count]
        if count == 8:
            return value << 8 | byte, at + 9
        value = value << 7 | byte & 0x7F
        if not byte & 0x80:
            return value, at + count + 1
    raise _Broken


def _values(record: bytes) -> tuple[Cell, ...]:
    head, at = _varint(record, 0)
    if head > len(record):
        raise _Broken
    kinds = []
    while at < head:
        kind, at = _varint(record, at)
        kinds.append(kind)
    values, at = [], head
    for kind in kinds:
        value, length = _value(record, at, kind)
        values.append(value)
        at += length
    if at != len(record) or not values:
        raise _Broken
    return tuple(values)


def _value(record: bytes, at: int, kind: int) -> tuple[Cell, int]:
    if kind in _INTEGERS:
        length = _INTEGERS[kind]
        return int.from_bytes(record[at : at + length], "big", signed=True), length
    if kind == 7:
        return struct.unpack_from(">d", record, at)[0], 8
    if kind in (0, 8, 9):
        return (None, 0, 1)[(0, 8, 9).index(kind)], 0
    if kind < 12:
        raise _Broken
    length = (kind - 12) // 2
    data = record[at : at + length]
    if len(data) < length:
        raise _Broken
    return (data.decode("utf-8") if kind % 2 else data), length
