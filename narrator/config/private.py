"""Files that only their owner may read: what was said and played is nobody else's business."""

from __future__ import annotations

import contextlib
import os
import stat
from pathlib import Path
from typing import TextIO

FILE, FOLDER = 0o600, 0o700


def opened(path: Path) -> TextIO:
    """Open a text file for writing from the start, readable by its owner only.

    Anything but a regular file, such as a pipe or the terminal, keeps its rights.

    Raises:
        OSError: It cannot be written.
    """
    number = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, FILE)
    try:
        restrict(number)
        return os.fdopen(number, "w", encoding="utf-8")
    except BaseException:
        os.close(number)
        raise


def write(path: Path, text: str) -> None:
    """Write a text to a file of its owner's only. Raises OSError."""
    with opened(path) as file:
        file.write(text)


def restrict(file: int) -> None:
    """Take everybody else's rights from an open file that was there before."""
    found = os.fstat(file)
    if os.name == "posix" and stat.S_ISREG(found.st_mode) and found.st_mode & 0o077:
        with contextlib.suppress(OSError):  # it is somebody else's, who let us write
            os.fchmod(file, FILE)


def make_folder(folder: Path) -> None:
    """Make a folder of its owner's only, and close one that is there to others. Raises OSError."""
    folder.mkdir(parents=True, exist_ok=True, mode=FOLDER)
    if os.name == "posix" and folder.stat().st_mode & 0o077:
        with contextlib.suppress(OSError):
            folder.chmod(FOLDER)
