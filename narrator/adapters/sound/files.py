"""Sound files: any of them comes in as 16 kHz mono, WAV goes out."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from narrator.adapters.sound.unfinished import mended
from narrator.audio.resampling import as_pcm, resampled
from narrator.files.bounded import judge
from narrator.ports.audio import MIC_RATE, Pcm
from narrator.ports.errors import SoundError
from narrator.ports.faults import FaultCode

LONGEST = 3_600
"""Seconds of a file: an hour of talk."""
MOST_SAMPLES = 60_000_000
"""Samples of one channel: that hour as we record it, or twenty minutes at 48 kHz; 240 MB."""
RATES = range(4_000, 384_001)
"""Samples a second: half of a telephone's, to the most that a studio has."""
_MOST_CHANNELS = 32
_LARGEST = 1_500_000_000
"""Bytes of a file."""
_CANCELLED = 0.2
"""Of the loudest channel's power: two that are one another's reverse leave next to nothing of it,
two different voices a half."""


def read(path: Path, rate: int = MIC_RATE) -> Pcm:
    """Read a sound file of any rate and number of channels as mono at `rate`.

    It is decoded in blocks, so that a small file that holds days of sound fills no memory.
    Channels are put together, unless they would cancel one another: then the loudest counts.

    Raises SoundError, in one sentence, when it is missing, no sound, or out of all bounds.
    """
    import soundfile

    try:
        judge(path, _LARGEST)
        with soundfile.SoundFile(mended(path) or path) as file:
            _refuse(path, file)
            loudest = _loudest(path, file)
            blocks = [_mono(block, loudest) for block in _blocks(path, file)]
            own_rate = file.samplerate
    except (soundfile.SoundFileError, OSError, TypeError) as error:
        raise SoundError(_why(path), path=str(path)) from error
    mono = np.concatenate(blocks) if blocks else np.zeros(0, np.float32)
    return as_pcm(resampled(mono, own_rate, rate))


def _refuse(path: Path, file: Any) -> None:
    if file.samplerate not in RATES:
        raise SoundError(FaultCode.SOUND_FILE_RATE, path=str(path), rate=file.samplerate)
    if file.channels > _MOST_CHANNELS:
        raise SoundError(FaultCode.SOUND_FILE_CHANNELS, path=str(path), channels=file.channels)


def _blocks(path: Path, file: Any) -> Iterator[Any]:
    """Yield a file's sound in blocks, from its beginning; what is no number is silence."""
    most = min(MOST_SAMPLES, LONGEST * file.samplerate)
    read_so_far = 0
    file.seek(0)
    for block in file.blocks(1 << 16, dtype="float32", always_2d=True):
        read_so_far += len(block)
        if read_so_far > most:
            minutes = most // file.samplerate // 60
            raise SoundError(FaultCode.SOUND_FILE_LONG, path=str(path), minutes=minutes)
        yield np.clip(np.nan_to_num(block, nan=0.0, posinf=0.0, neginf=0.0), -8.0, 8.0)


def _loudest(path: Path, file: Any) -> int | None:
    """Return the channel to be heard where all of them together would be silence; else None."""
    if file.channels == 1:
        return None
    together, each = 0.0, np.zeros(file.channels)
    for block in _blocks(path, file):
        together += float(np.square(block.mean(axis=1)).sum())
        each += np.square(block).sum(axis=0)
    return int(each.argmax()) if together < _CANCELLED * each.max() else None


def _mono(block: Any, channel: int | None) -> Any:
    return block.mean(axis=1) if channel is None else block[:, channel].copy()


def write(path: Path, pcm: Pcm, rate: int = MIC_RATE) -> None:
    """Write samples as a 16-bit WAV. Raises SoundError when the place cannot be written to."""
    import soundfile

    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        soundfile.write(path, pcm, rate, subtype="PCM_16", format="WAV")
    except (soundfile.SoundFileError, OSError) as error:
        raise SoundError(FaultCode.SOUND_FILE_UNWRITABLE, path=str(path)) from error


def _why(path: Path) -> FaultCode:
    if not path.exists():
        return FaultCode.SOUND_FILE_MISSING
    if not path.is_file() and not path.is_dir():
        return FaultCode.SOUND_FILE_DEVICE
    return FaultCode.SOUND_FILE_FOLDER if path.is_dir() else FaultCode.SOUND_FILE_UNREADABLE
