"""Sounds that are made, not recorded: the masking noise and the cues."""

from __future__ import annotations

import functools

import numpy as np
from numpy.typing import NDArray

from narrator.host.loudness import levelled
from narrator.ports import SPEAKER_RATE, Pcm

_Wave = NDArray[np.float64]

_COVER_SECONDS = 24
_COVER_LEVEL = 1600.0
_LOWEST, _HIGHEST = 60.0, 5000.0
_SWELLS = 3
_SWELL_DEPTH = 0.25

# Each cue is a few notes: frequency in hertz, seconds. Rising asks for something, falling ends it.
_CUES: dict[str, tuple[tuple[float, float], ...]] = {
    "listen": ((660.0, 0.07), (880.0, 0.09)),
    "understood": ((880.0, 0.09),),
    "again": ((440.0, 0.09), (392.0, 0.13)),
    "time": ((784.0, 0.16), (784.0, 0.16), (587.0, 0.28)),
}
_CUE_LEVEL = 7000.0
CUE = -17.0
"""LUFS of every cue before the volume of its bus; the usual volume makes it as loud as speech."""
_EDGE = 0.012
_STRIDE = 0x9E3779B97F4A7C15

CUES: tuple[str, ...] = tuple(_CUES)
"""The names of the cues there are."""


@functools.lru_cache(maxsize=4)
def cover_loop(seed: int) -> Pcm:
    """Make the masking sound: brown noise that swells slowly, to be repeated without a seam.

    It is made from its spectrum, so its end runs into its beginning; the same seed gives the same.
    """
    count = _COVER_SECONDS * SPEAKER_RATE
    frequencies = np.fft.rfftfreq(count, 1 / SPEAKER_RATE)
    heard = (frequencies >= _LOWEST) & (frequencies <= _HIGHEST)
    strength = np.where(heard, 1 / np.maximum(frequencies, _LOWEST), 0.0)
    turns = _scattered(frequencies.size, seed)
    noise = np.fft.irfft(strength * np.exp(2j * np.pi * turns), count)
    swell = 1 + _SWELL_DEPTH * np.sin(2 * np.pi * _SWELLS * np.arange(count) / count)
    noise *= swell / np.sqrt(np.mean((noise * swell) ** 2))
    return _read_only(_pcm(np.clip(noise * _COVER_LEVEL, -32767, 32767)))


@functools.cache
def cue(name: str) -> Pcm:
    """Make a short cue sound at SPEAKER_RATE. Raises KeyError for a name that is not in CUES."""
    notes = [_note(frequency, seconds) for frequency, seconds in _CUES[name]]
    return _read_only(levelled(_pcm(np.concatenate(notes) * _CUE_LEVEL), target=CUE))


def _scattered(count: int, seed: int) -> _Wave:
    """Give numbers from 0 to 1 without any pattern (splitmix64), the same for the same seed."""
    mixed = (np.arange(1, count + 1) + seed * count).astype(np.uint64) * np.uint64(_STRIDE)
    mixed = (mixed ^ (mixed >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    mixed = (mixed ^ (mixed >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    scattered: _Wave = (mixed ^ (mixed >> np.uint64(31))) / 2.0**64
    return scattered


def _note(frequency: float, seconds: float) -> _Wave:
    moments = np.arange(round(seconds * SPEAKER_RATE)) / SPEAKER_RATE
    tone = np.sin(2 * np.pi * frequency * moments) + 0.2 * np.sin(4 * np.pi * frequency * moments)
    edge = np.minimum(moments, seconds - moments) / _EDGE
    faded: _Wave = tone * np.clip(edge, 0, 1)
    return faded


def _pcm(wave: _Wave) -> Pcm:
    return np.rint(wave).astype(np.int16)


def _read_only(pcm: Pcm) -> Pcm:
    pcm.setflags(write=False)
    return pcm
