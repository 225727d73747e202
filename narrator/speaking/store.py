"""Rendered lines on disk, as plain WAV files that can be listened to. Everything here may fail."""

from __future__ import annotations

import contextlib
import hashlib
import os
import wave
from collections.abc import Callable
from dataclasses import astuple
from pathlib import Path
from typing import BinaryIO

import numpy as np

from narrator.config import private
from narrator.ports.audio import SPEAKER_RATE, Pcm
from narrator.ports.errors import SynthesiserError
from narrator.ports.faults import FaultCode, reason
from narrator.ports.speech import Voice

_LIMIT = 256 * 1024 * 1024


class SpeechStore:
    """A folder of rendered lines; a damaged file is as good as none, a full disk no trouble."""

    def __init__(
        self,
        folder: Path,
        limit: int = _LIMIT,
        fault: Callable[[SynthesiserError], None] | None = None,
    ) -> None:
        """Keep lines in a folder, which is made when the first is saved.

        Args:
            folder: where the files lie; they are ours to delete.
            limit: bytes; what is oldest is deleted beyond it, now.
            fault: told once when lines cannot be kept; by any thread.
        """
        self._folder, self._fault = folder, fault
        with contextlib.suppress(OSError):
            self._close_to_others()
            self._prune(limit)

    def load(self, engine: str, text: str, voice: Voice) -> Pcm | None:
        """Return the line; None where it is missing or damaged."""
        path = self._path(engine, text, voice)
        try:
            with wave.open(str(path), "rb") as file:
                whole = (1, 2, SPEAKER_RATE) == file.getparams()[:3]
                frames = file.readframes(file.getnframes())
                whole = whole and len(frames) == 2 * file.getnframes() > 0
        except (OSError, EOFError, wave.Error, ValueError):
            return None
        return np.frombuffer(frames, "<i2").astype(np.int16) if whole else None

    def save(self, engine: str, text: str, voice: Voice, sound: Pcm) -> None:
        """Keep the line; where that fails, it is not kept."""
        path = self._path(engine, text, voice)
        draft = path.with_suffix(f".{os.getpid()}.part")
        try:
            private.make_folder(self._folder)
            with _private_file(draft) as raw, wave.open(raw, "wb") as file:
                file.setparams((1, 2, SPEAKER_RATE, sound.size, "NONE", ""))
                file.writeframes(sound.astype("<i2").tobytes())
            draft.replace(path)  # in one step: nobody ever reads half a file
        except OSError as error:
            with contextlib.suppress(OSError):
                draft.unlink(missing_ok=True)
            self._report(error)

    def _report(self, error: OSError) -> None:
        fault, self._fault = self._fault, None
        if fault is not None:
            fault(SynthesiserError(FaultCode.LINES_NOT_KEPT, reason=reason(error)))

    def _path(self, engine: str, text: str, voice: Voice) -> Path:
        key = repr((engine, astuple(voice), text)).encode("utf-8", "replace")
        return self._folder / f"{hashlib.sha256(key).hexdigest()[:32]}.wav"

    def _close_to_others(self) -> None:
        """Make what an earlier version left open to everybody its owner's only."""
        if os.name == "posix" and self._folder.stat().st_mode & 0o077:
            private.make_folder(self._folder)
            for path in self._folder.glob("*.wav"):
                path.chmod(private.FILE)

    def _prune(self, limit: int) -> None:
        stats = sorted(
            ((path.stat(), path) for path in self._folder.glob("*.wav")),
            key=lambda pair: pair[0].st_mtime,
        )
        total = sum(stat.st_size for stat, _ in stats)
        for stat, path in stats:
            if total <= limit:
                return
            path.unlink(missing_ok=True)
            total -= stat.st_size


def _private_file(path: Path) -> BinaryIO:
    """Open a new file that only its owner may read. Raises OSError."""
    flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | getattr(os, "O_BINARY", 0)
    return os.fdopen(os.open(path, flags, private.FILE), "wb")
