"""One writer an evening: a lock that the system gives back when its process ends, however it ends.

So there is no stale lock, and no process id to be guessed at.
"""

from __future__ import annotations

import contextlib
import os
import sys
from pathlib import Path

REPAIR = "evening-0.lock"
"""Held while a damaged journal is replaced; no evening has the number 0."""


class EveningLock:
    """Holds an evening until it is released, or the process ends."""

    def __init__(self, folder: Path, evening: int) -> None:
        """Name the lock of an evening; `take` takes it."""
        self._path = folder / f"evening-{evening}.lock"
        self._file: int | None = None

    def take(self) -> bool:
        """Take the lock; False where another process has it.

        A folder that cannot be written to has no locks: a reader harms no other writer.
        """
        try:
            self._file = os.open(self._path, os.O_RDWR | os.O_CREAT, 0o600)
        except OSError:
            return True
        try:
            _lock(self._file)
        except OSError:
            os.close(self._file)
            self._file = None
            return False
        return True

    def release(self, *, remove: bool = False) -> None:
        """Return the lock back.

        Args:
            remove: Delete its file as well: the evening is over and nobody will want it again.
        """
        if self._file is None:
            return
        if remove:
            with contextlib.suppress(OSError):
                self._path.unlink()
        os.close(self._file)
        self._file = None


def is_held(folder: Path, evening: int) -> bool:
    """Whether a process plays this evening now. Makes no file."""
    return _is_locked(folder / f"evening-{evening}.lock")


def somebody_plays(folder: Path, mine: int | None) -> bool:
    """Whether a process plays any evening but mine now."""
    locks = [lock for lock in folder.glob("evening-*.lock") if lock.name != f"evening-{mine}.lock"]
    return any(_is_locked(lock) for lock in locks if lock.name != REPAIR)


def remove(folder: Path, evening: int) -> None:
    """Delete the file of an evening that is no more."""
    with contextlib.suppress(OSError):
        (folder / f"evening-{evening}.lock").unlink()


def _is_locked(path: Path) -> bool:
    try:
        file = os.open(path, os.O_RDONLY)
    except OSError:
        return False
    try:
        _lock(file)
    except OSError:
        return True
    finally:
        os.close(file)
    return False


if sys.platform == "win32":
    import msvcrt

    def _lock(file: int) -> None:
        msvcrt.locking(file, msvcrt.LK_NBLCK, 1)

else:
    import fcntl

    def _lock(file: int) -> None:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
