"""The sound that masks movement at night: made by us, endless, and of one level.

Every kind is the sum of two loops that are made from their spectra, so that each one's end runs
into its beginning; their lengths have no common factor, so that the sum repeats after weeks only.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Literal, TypeAlias, get_args

import numpy as np
from numpy.typing import NDArray

from narrator.audio.loudness import loudness
from narrator.ports.audio import SPEAKER_RATE

CoverKind: TypeAlias = Literal["brown", "rain", "waves", "drone"]
KINDS: tuple[CoverKind, ...] = get_args(CoverKind)
COVER = -27.5
"""LUFS of every kind before the volume of its bus."""

_Wave = NDArray[np.float64]
_Sound = NDArray[np.float32]

_SIZES = (24 * SPEAKER_RATE, 11 * 11 * 13 * 13 * 19)
"""In samples; they have no common factor."""
_LOWEST, _HIGHEST = 60.0, 5000.0
_STRIDE = 0x9E3779B97F4A7C15
_DROPS = 90
"""Drops of rain a second in each loop."""
_TONES = (98.0, 147.0, 196.0, 294.0)
"""Of the drone, in hertz: what small loudspeakers can play too."""


class Cover:
    """One kind of masking sound, to be read at any place of the player's clock."""

    def __init__(self, loops: tuple[_Sound, ...]) -> None:
        self._loops = loops

    def at(self, position: int, count: int) -> _Sound:
        """Return a number of samples from a position on, full scale 32768."""
        total = np.zeros(count, np.float32)
        for loop in self._loops:
            total += loop[np.arange(position, position + count) % loop.size]
        return total


@functools.lru_cache(maxsize=4)
def make_cover(kind: CoverKind, seed: int = 1) -> Cover:
    """Make a masking sound; the same seed gives the same. Takes about a tenth of a second."""
    loops = [_loop(kind, size, 2 * seed + i) for i, size in enumerate(_SIZES)]
    level = loudness(Cover(tuple(loops)).at(0, _SIZES[0]))
    gain = np.float32(10 ** ((COVER - level) / 20))
    return Cover(tuple(loop * gain for loop in loops))


def _loop(kind: CoverKind, size: int, seed: int) -> _Sound:
    wave = _MAKERS[kind](size, seed)
    loop: _Sound = (wave * (1000 / wave.std())).astype(np.float32)
    return loop


def _brown(size: int, seed: int) -> _Wave:
    return _noise(size, seed, 1.0) * _swell(size, 3, 0.25)


def _waves(size: int, seed: int) -> _Wave:
    """Make surf that comes and goes, at its own pace in each loop, and never falls silent."""
    surf = _noise(size, seed, 0.7) * _swell(size, 3, 0.5)
    return surf + 0.5 * _noise(size, seed + 1000, 1.0)


def _rain(size: int, seed: int) -> _Wave:
    """Add drops, each of which rings for a few milliseconds, to an even hiss."""
    drops = np.zeros(size)
    count = _DROPS * size // SPEAKER_RATE
    places = (_scattered(count, seed + 2000) * size).astype(np.int64)
    np.add.at(drops, places, _scattered(count, seed + 3000) ** 2)
    moments = np.arange(SPEAKER_RATE // 20) / SPEAKER_RATE
    rings = [np.sin(2 * np.pi * f * moments) * np.exp(-moments * f / 4) for f in (900, 1700, 2900)]
    falling = np.fft.irfft(np.fft.rfft(drops) * np.fft.rfft(sum(rings), size), size)
    hiss = _noise(size, seed, 0.5)
    wave: _Wave = hiss / hiss.std() + 0.5 * falling / falling.std()
    return wave


def _drone(size: int, seed: int) -> _Wave:
    """Make low tones that beat slowly against each other; noise hides what the tones do not."""
    turns = np.arange(size) / size
    pitch = size / SPEAKER_RATE
    starts = _scattered(len(_TONES), seed + 4000)
    tones = [
        np.sin(2 * np.pi * (round(tone * pitch) * turns + start)) / (1 + index)
        for index, (tone, start) in enumerate(zip(_TONES, starts, strict=True))
    ]
    noise = _noise(size, seed, 1.0)
    wave: _Wave = np.sum(tones, axis=0) + 0.8 * noise / noise.std()
    return wave


_MAKERS: dict[CoverKind, Callable[[int, int], _Wave]] = {
    "brown": _brown,
    "rain": _rain,
    "waves": _waves,
    "drone": _drone,
}


def _noise(size: int, seed: int, slope: float) -> _Wave:
    """Make noise whose amplitude falls with a power of the frequency."""
    frequencies = np.fft.rfftfreq(size, 1 / SPEAKER_RATE)
    heard = (frequencies >= _LOWEST) & (frequencies <= _HIGHEST)
    strength = np.where(heard, np.maximum(frequencies, _LOWEST) ** -slope, 0.0)
    turns = _scattered(frequencies.size, seed)
    noise: _Wave = np.fft.irfft(strength * np.exp(2j * np.pi * turns), size)
    noise /= noise.std()
    return noise


def _swell(size: int, times: int, depth: float) -> _Wave:
    swell: _Wave = 1 + depth * np.sin(2 * np.pi * times * np.arange(size) / size)
    return swell


def _scattered(count: int, seed: int) -> _Wave:
    """Return numbers from 0 to 1 without any pattern (splitmix64), the same for the same seed."""
    mixed = (np.arange(1, count + 1) + seed * count).astype(np.uint64) * np.uint64(_STRIDE)
    mixed = (mixed ^ (mixed >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    mixed = (mixed ^ (mixed >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    scattered: _Wave = (mixed ^ (mixed >> np.uint64(31))) / 2.0**64
    return scattered
