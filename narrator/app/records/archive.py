"""Opens the stored evenings to be read, and forgets them where somebody asks for that."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from narrator.adapters.journal.archive import Archive
from narrator.adapters.journal.file import NAME
from narrator.app.records import recordings
from narrator.app.records.journal_store import open_file
from narrator.app.wiring.configuration import load_configuration
from narrator.config import private
from narrator.config.sources import data_folder
from narrator.core.record import Record
from narrator.ports.errors import NarratorError


@contextmanager
def opened(*, reading: bool = True) -> Iterator[Archive]:
    """Open the stored evenings; recordings whose time is over go. Raises JournalError.

    Args:
        reading: Nothing is changed, whatever is found.
    """
    with suppress(NarratorError):  # a setting that is wrong is told of by what needs it
        recordings.discard_old(load_configuration({}).settings)
    file = open_file(reading=reading)
    try:
        yield Archive(file)
    finally:
        file.close()


def of_group(records: list[Record], players: list[str]) -> list[Record]:
    """Return the evenings of just these people, in any order; all where none is named."""
    wanted = sorted(name.strip().casefold() for name in players)
    if not wanted:
        return records
    return [r for r in records if sorted(n.casefold() for n in r.names()) == wanted]


def forget_spoken() -> None:
    """Delete the rendered lines: names were spoken in them. They are only a store for speed."""
    shutil.rmtree(data_folder() / "speech", ignore_errors=True)


def write(path: Path, text: str) -> None:
    """Write what was said and played to a file of its owner's only. Raises OSError."""
    private.write(path, text)


def left_aside() -> list[Path]:
    """Return the damaged journals that were set aside; what is forgotten may still be in them."""
    stem = Path(NAME).stem
    return sorted(data_folder().glob(f"{stem}-damaged-*"))
