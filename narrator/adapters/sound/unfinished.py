"""WAV files whose header does not know how long they are: a recorder that was cut off wrote it."""

from __future__ import annotations

import io
from pathlib import Path

from narrator.files.bounded import read_bytes

_UNKNOWN = (0, 0xFFFFFFFF)
_LONGEST_HEAD = 4_096
"""Bytes in which the sound has to begin; what stands before it is names and dates."""
_LARGEST = 300_000_000
"""Bytes of such a file: an hour at 44.1 kHz in two channels has 640 MB, and is not mended."""


def mended(path: Path) -> io.BytesIO | None:
    """Return the file with the true length in its header; None where that is fine as it is."""
    with path.open("rb") as file:
        head = file.read(_LONGEST_HEAD)
    at = _size_of_sound(head)
    if at is None or int.from_bytes(head[at : at + 4], "little") not in _UNKNOWN:
        return None
    data = bytearray(read_bytes(path, _LARGEST))
    data[4:8] = (len(data) - 8).to_bytes(4, "little")
    data[at : at + 4] = (len(data) - at - 4).to_bytes(4, "little")
    return io.BytesIO(bytes(data))


def _size_of_sound(head: bytes) -> int | None:
    """Return where a WAV's header has the length of its sound; None where it has no such place."""
    if head[:4] != b"RIFF" or head[8:12] != b"WAVE":
        return None
    at = 12
    while at + 8 <= len(head):
        if head[at : at + 4] == b"data":
            return at + 4
        size = int.from_bytes(head[at + 4 : at + 8], "little")
        at += 8 + size + size % 2
    return None
