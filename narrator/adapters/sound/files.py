"""Sound files: any of them comes in as 16 kHz mono, WAV goes out."""

from __future__ import annotations

import importlib
from pathlib import Path
from typing import Any

import numpy as np

from narrator.ports.audio import MIC_RATE, Pcm
from narrator.ports.errors import SoundError


def read(path: Path, rate: int = MIC_RATE) -> Pcm:
    """Read a sound file of any rate and number of channels as mono at `rate`.

    Raises SoundError, in one sentence, when it is missing or no sound.
    """
    soundfile = importlib.import_module("soundfile")
    try:
        wave, own_rate = soundfile.read(path, dtype="float32", always_2d=True)
    except (soundfile.SoundFileError, OSError, TypeError) as error:
        raise SoundError(*_why(path)) from error
    mono = np.nan_to_num(wave.mean(axis=1)) if wave.size else np.zeros(0, np.float32)
    return _to_pcm(_resampled(mono, own_rate, rate))


def write(path: Path, pcm: Pcm, rate: int = MIC_RATE) -> None:
    """Write samples as a 16-bit WAV. Raises SoundError when the place cannot be written to."""
    soundfile = importlib.import_module("soundfile")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        soundfile.write(path, pcm, rate, subtype="PCM_16", format="WAV")
    except (soundfile.SoundFileError, OSError) as error:
        raise SoundError(f"The sound file {path} cannot be written.", "Choose another.") from error


def resample(pcm: Pcm, rate: int, wanted: int) -> Pcm:
    """Return mono samples that have one rate at another."""
    return _to_pcm(_resampled(pcm.astype(np.float32) / 32768, rate, wanted))


def _why(path: Path) -> tuple[str, str]:
    if not path.exists():
        return f"There is no file {path}.", "Check the path."
    if path.is_dir():
        return f"{path} is a folder, not a sound file.", "Name the files in it."
    return f"The file {path} is no sound that can be read.", "Use WAV, FLAC, OGG or MP3."


def _resampled(mono: Any, own_rate: int, rate: int) -> Any:
    if own_rate == rate or not mono.size:
        return mono
    return importlib.import_module("soxr").resample(mono, own_rate, rate)


def _to_pcm(mono: Any) -> Pcm:
    # The same scale as the file's own 16 bits, so that what is read is what was written.
    pcm: Pcm = np.rint(np.clip(mono * 32768, -32768, 32767)).astype(np.int16)
    return pcm
