"""Sound files: any of them comes in as 16 kHz mono, WAV goes out."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from narrator.audio.resampling import as_pcm, resampled
from narrator.ports.audio import MIC_RATE, Pcm
from narrator.ports.errors import SoundError
from narrator.ports.faults import FaultCode


def read(path: Path, rate: int = MIC_RATE) -> Pcm:
    """Read a sound file of any rate and number of channels as mono at `rate`.

    Raises SoundError, in one sentence, when it is missing or no sound.
    """
    import soundfile

    try:
        wave, own_rate = soundfile.read(path, dtype="float32", always_2d=True)
    except (soundfile.SoundFileError, OSError, TypeError) as error:
        raise SoundError(_why(path), path=str(path)) from error
    mono = np.nan_to_num(wave.mean(axis=1)) if wave.size else np.zeros(0, np.float32)
    return as_pcm(resampled(mono, own_rate, rate))


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
    return FaultCode.SOUND_FILE_FOLDER if path.is_dir() else FaultCode.SOUND_FILE_UNREADABLE
