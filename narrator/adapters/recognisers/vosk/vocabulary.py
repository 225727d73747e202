"""Which words a Vosk model knows, read from its files: nothing has to be loaded for it."""

from __future__ import annotations

import mmap
import struct
from collections.abc import Iterator
from pathlib import Path

from narrator.files.bounded import read_text
from narrator.ports.errors import RecogniserError
from narrator.ports.faults import FaultCode

_FST, _SYMBOLS = 0x7EB2FDD6, 0x7EB2FB74
_HAS_INPUTS, _HAS_OUTPUTS = 1, 2
_HEADER = struct.Struct("<iiQqqq")
_TABLE = struct.Struct("<qq")
_LENGTH = struct.Struct("<i")
_LONGEST = 4096
_LONGEST_LIST = 40_000_000
"""Bytes of a word list; that of the largest model offered has 7 million."""
"""Bytes of a name in the file: more means that the file is damaged."""


def vosk_words(folder: Path) -> list[str]:
    """Return the words of a model, in its own order; marks such as `<eps>` are among them.

    A large model has them in a list of its own, a small one within its grammar.

    Args:
        folder: The model's own, which Vosk can use; see `check_vosk_model`.

    Raises:
        RecogniserError: They cannot be read.
    """
    graph = folder / "graph" if (folder / "graph").is_dir() else folder
    try:
        if (graph / "words.txt").is_file():
            lines = read_text(graph / "words.txt", _LONGEST_LIST).splitlines()
            return [line.split()[0] for line in lines if line.strip()]
        with (graph / "Gr.fst").open("rb") as file:
            return _embedded(file.fileno())
    except (OSError, ValueError, struct.error) as error:
        raise RecogniserError(FaultCode.MODEL_WORDS_UNREADABLE, path=str(folder)) from error


def _embedded(file: int) -> list[str]:
    with mmap.mmap(file, 0, access=mmap.ACCESS_READ) as data:
        at = 4
        if _LENGTH.unpack_from(data)[0] != _FST:
            raise ValueError("no finite state transducer")
        for _ in ("its type", "its arcs'"):
            _, at = _string(data, at)
        flags = _HEADER.unpack_from(data, at)[1]
        if not flags & (_HAS_INPUTS | _HAS_OUTPUTS):
            raise ValueError("no words within")
        # What goes in and what comes out are the same words: the first table will do.
        return list(_table(data, at + _HEADER.size))


def _table(data: mmap.mmap, at: int) -> Iterator[str]:
    if _LENGTH.unpack_from(data, at)[0] != _SYMBOLS:
        raise ValueError("no table of words")
    _, at = _string(data, at + _LENGTH.size)
    _, count = _TABLE.unpack_from(data, at)
    at += _TABLE.size
    for _ in range(count):
        word, at = _string(data, at)
        at += 8
        yield word.decode("utf-8", "replace")


def _string(data: mmap.mmap, at: int) -> tuple[bytes, int]:
    (size,) = _LENGTH.unpack_from(data, at)
    begin = at + _LENGTH.size
    if not 0 <= size <= min(_LONGEST, len(data) - begin):
        raise ValueError("damaged")
    return data[begin : begin + size], begin + size
