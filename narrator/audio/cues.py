"""The cues: short sounds that are made, not recorded."""

from __future__ import annotations

import functools

import numpy as np
from numpy.typing import NDArray

from narrator.audio.loudness import levelled
from narrator.ports.audio import SPEAKER_RATE, Pcm

_Wave = NDArray[np.float64]


# Each cue is a few notes: frequency in hertz, seconds. Rising asks for something, falling ends it.
_CUES: dict[str, tuple[tuple[float, float], ...]] = {
    "listen": ((660.0, 0.07), (880.0, 0.09)),
    "understood": ((880.0, 0.09),),
    "again": ((440.0, 0.09), (392.0, 0.13)),
    "tick": ((523.0, 0.06),),
    "time": ((784.0, 0.16), (784.0, 0.16), (587.0, 0.28)),
}
_CUE_LEVEL = 7000.0
CUE = -17.0
"""LUFS of every cue before the volume of its bus; the usual volume makes it as loud as speech."""
_EDGE = 0.012

CUES: tuple[str, ...] = tuple(_CUES)
"""The names of the cues there are."""


@functools.cache
def cue(name: str) -> Pcm:
    """Make a short cue sound at SPEAKER_RATE. Raises KeyError for a name that is not in CUES."""
    notes = [_note(frequency, seconds) for frequency, seconds in _CUES[name]]
    return _read_only(levelled(_pcm(np.concatenate(notes) * _CUE_LEVEL), target=CUE))


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
