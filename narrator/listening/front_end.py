"""What happens to sound before anything listens to it: rate, channels, rumble, level."""

from __future__ import annotations

from functools import cache
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from narrator.audio.resampling import resampler
from narrator.ports.audio import MIC_RATE, Pcm

Floats: TypeAlias = NDArray[np.float64]

QUIET = -96.0
"""Level of digital silence, dB of full scale."""
_CUT = 80.0
_TAPS = 401


class FrontEnd:
    """Turns blocks of any rate and channel count into 16 kHz mono without rumble."""

    def __init__(self, rate: int = MIC_RATE, channels: int = 1) -> None:
        """Make one for a stream of this rate and this many channels."""
        self._channels = channels
        self._resampler = resampler(rate, MIC_RATE, "float64") if rate != MIC_RATE else None
        self._past = np.zeros(_TAPS - 1)

    def feed(self, block: NDArray[np.int16], *, last: bool = False) -> Pcm:
        """Return what is ready: delayed by 12.5 ms, and by the resampler where there is one.

        Args:
            block: Samples, shape (n,) or (n, channels); interleaved where it is flat.
            last: Whether the stream ends here.
        """
        mono = _mono(block, self._channels)
        if self._resampler is not None:
            mono = np.asarray(self._resampler.resample_chunk(mono, last=last), np.float64)
        return self._without_rumble(mono)

    def _without_rumble(self, mono: Floats) -> Pcm:
        sound = np.concatenate([self._past, mono])
        self._past = sound[len(sound) - _TAPS + 1 :]
        if not len(mono) or not sound.any():
            return np.zeros(len(mono), np.int16)
        cleaned = np.convolve(sound, _high_pass(), mode="valid")
        return np.clip(np.rint(cleaned), -32768, 32767).astype(np.int16)


class LevelMeter:
    """The level of the last sound, and of the room when nobody speaks."""

    def __init__(self) -> None:
        """Start knowing nothing of the room."""
        self.level = QUIET
        """Of the last sound, dB of full scale."""
        self.noise = QUIET
        """Of the room, dB of full scale; QUIET until something was heard."""

    def feed(self, sound: Pcm, *, speech: bool) -> None:
        """Measure sound, which holds speech or not."""
        self.level = decibels(sound)
        if speech or self.level <= QUIET:
            return
        # Down at once, up slowly: a door that bangs is not the room.
        rise = min(self.level - self.noise, 0.5) if self.noise > QUIET else self.level - self.noise
        self.noise += rise if rise > 0 else 0.3 * (self.level - self.noise)


def decibels(sound: Pcm) -> float:
    """Return the level of sound in dB of full scale, QUIET for nothing."""
    if not len(sound):
        return QUIET
    power = float(np.mean(np.square(sound.astype(np.float64) / 32768)))
    return max(QUIET, 10 * float(np.log10(power))) if power > 0 else QUIET


def _mono(block: NDArray[np.int16], channels: int) -> Floats:
    shaped = block.reshape(-1, channels)
    mono: Floats = shaped.mean(axis=1) if channels > 1 else shaped[:, 0].astype(np.float64)
    return mono


@cache
def _high_pass() -> Floats:
    steps = np.arange(_TAPS) - _TAPS // 2
    low = np.sinc(2 * _CUT / MIC_RATE * steps) * np.hamming(_TAPS)
    kernel: Floats = -low / low.sum()
    kernel[_TAPS // 2] += 1
    return kernel
