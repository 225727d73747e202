"""Recordings of what the microphone heard: written as it is heard, deleted when they are old."""

from __future__ import annotations

import contextlib
import os
import re
import threading
import wave
from collections.abc import Callable, Iterable
from datetime import datetime, timedelta
from pathlib import Path
from typing import BinaryIO

from narrator.ports.audio import MIC_RATE, Pcm
from narrator.ports.errors import SoundError
from narrator.ports.faults import FaultCode, reason

FOLDER = "recordings"
MOST = 1000
"""Parts that one evening may have: each time it is resumed is one."""


class Recorder:
    """Writes blocks of the microphone to a WAV file that can be played whatever ends the program.

    Args:
        fault: Told once where no more can be written.
    """

    def __init__(self, fault: Callable[[SoundError], None]) -> None:
        self._fault = fault
        self._lock = threading.Lock()
        self._file: BinaryIO | None = None
        self._wave: wave.Wave_write | None = None

    def begin(self, folder: Path, name: str) -> Path:
        """Write from now on to a new file of this name, which only its owner may read.

        Raises:
            SoundError: The place cannot be written to.
        """
        try:
            folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            path, file = _new(folder, name)
        except OSError as error:
            raise SoundError(
                FaultCode.RECORDING_IMPOSSIBLE, path=str(folder), reason=reason(error)
            ) from error
        with self._lock:
            self._file, self._wave = file, wave.open(file, "wb")
            self._wave.setparams((1, 2, MIC_RATE, 0, "NONE", ""))
        return path

    def write(self, block: Pcm) -> None:
        """Add samples at MIC_RATE; where that fails the recording ends with what it has."""
        with self._lock:
            if self._wave is None:
                return
            try:
                # Its length is written with every block: nobody knows when the program ends.
                self._wave.writeframes(block.astype("<i2").tobytes())
                if self._file is not None:
                    self._file.flush()
                return
            except (OSError, wave.Error):
                self._close()
        self._fault(SoundError(FaultCode.RECORDING_ENDED))

    def close(self) -> None:
        """Finish the file; what was heard is on the disk then."""
        with self._lock:
            if self._file is not None:
                with contextlib.suppress(OSError, ValueError):  # a pipe, or it has just failed
                    self._file.flush()
                    os.fsync(self._file.fileno())
            self._close()

    def _close(self) -> None:
        for file in (self._wave, self._file):
            if file is not None:
                with contextlib.suppress(OSError, wave.Error):
                    file.close()
        self._wave = self._file = None


def name_of(game: str, begun: str) -> str:
    """Return what the recordings of an evening are called by.

    Args:
        game: Its id.
        begun: Local time of the evening's begin in ISO 8601.
    """
    return re.sub(r"[^\w.-]", "-", f"{begun[:19]}-{game}")


def of_evening(folder: Path, name: str) -> list[Path]:
    """Return the recordings of an evening, the oldest part first."""
    parts = re.compile(re.escape(name) + r"(\.\d+)?\.wav")
    return sorted(p for p in _all(folder) if parts.fullmatch(p.name))


def is_over(path: Path, days: int, moment: str) -> bool:
    """Whether a recording is older than it may be.

    Args:
        path: Of the recording.
        days: How long it is kept, from when its last sample was written.
        moment: Local time now, in ISO 8601.
    """
    now = datetime.fromisoformat(moment).timestamp()
    with contextlib.suppress(OSError):  # another process has just deleted it
        return now - path.stat().st_mtime > timedelta(days=days).total_seconds()
    return False


def until(days: int, moment: str) -> str:
    """Return the date up to which what is recorded now is kept."""
    return (datetime.fromisoformat(moment) + timedelta(days=days)).date().isoformat()


def old(folder: Path, days: int, moment: str) -> list[Path]:
    """Return the recordings that are older than they may be."""
    return [path for path in _all(folder) if is_over(path, days, moment)]


def delete_old(folder: Path, days: int, moment: str) -> int:
    """Delete what is older than it may be; return how many recordings that were."""
    return delete(old(folder, days, moment))


def delete(paths: Iterable[Path]) -> int:
    """Delete recordings; return how many were."""
    count = 0
    for path in paths:
        with contextlib.suppress(OSError):
            path.unlink()
            count += 1
    return count


def _all(folder: Path) -> list[Path]:
    """Return the recordings in a folder; none where it cannot be looked into."""
    with contextlib.suppress(OSError):
        return sorted(folder.glob("*.wav"))
    return []


def _new(folder: Path, name: str) -> tuple[Path, BinaryIO]:
    """Make a file, never over another one; give it opened."""
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
    for part in range(1, MOST):
        path = folder / f"{name}{f'.{part}' if part > 1 else ''}.wav"
        with contextlib.suppress(FileExistsError):
            return path, os.fdopen(os.open(path, flags, 0o600), "wb")
    raise FileExistsError(17, "there are too many recordings of this evening")
