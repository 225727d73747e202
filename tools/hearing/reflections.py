"""What a room does to a voice on its way to the microphone: direct sound and its reflections."""

from __future__ import annotations

from functools import cache
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from narrator.ports.audio import MIC_RATE

Sound: TypeAlias = NDArray[np.float32]
Point: TypeAlias = tuple[float, float, float]

ROOM: Point = (5.0, 4.0, 2.6)
"""Metres: a living room."""
MICROPHONE: Point = (2.4, 2.1, 0.8)
"""On the table."""
RT60 = 0.4
"""Seconds in which a sound fades by 60 dB: carpet, curtains and people."""
HEAD = 1.15
"""Metres above the floor at which somebody who sits speaks."""
_SPEED = 343.0
_ORDER = 14
"""Reflections followed in each direction: the last of them arrive after the sound has faded."""


def seat_at(metres: float, degrees: float) -> Point:
    """Return where somebody sits who is so far from the microphone, in this direction."""
    across = float(np.sqrt(max(0.0, metres**2 - (HEAD - MICROPHONE[2]) ** 2)))
    turn = np.radians(degrees)
    x = MICROPHONE[0] + across * float(np.cos(turn))
    y = MICROPHONE[1] + across * float(np.sin(turn))
    return (min(max(x, 0.2), ROOM[0] - 0.2), min(max(y, 0.2), ROOM[1] - 0.2), HEAD)


@cache
def response(source: Point) -> Sound:
    """Return what the microphone hears of a click at this place, by the image source method.

    Each wall mirrors the source. An image at a distance d arrives d / 343 s later, weaker by d and
    by what every wall on the way took; all walls take the same, as Eyring's formula has it.
    """
    size = np.array(ROOM)
    surface = 2 * (size[0] * size[1] + size[1] * size[2] + size[0] * size[2])
    kept = np.exp(-0.161 * size.prod() / (surface * RT60) / 2)  # of the pressure, at each wall
    steps = np.arange(-_ORDER, _ORDER + 1)
    n = np.stack(np.meshgrid(steps, steps, steps, indexing="ij"), axis=-1).reshape(-1, 3)
    flips = np.stack(np.meshgrid([0, 1], [0, 1], [0, 1], indexing="ij"), axis=-1).reshape(-1, 3)
    heard: Sound = np.zeros(round(1.2 * RT60 * MIC_RATE), np.float32)
    for flip in flips:
        images = 2 * n * size + np.where(flip == 1, -1, 1) * np.array(source)
        distance = np.linalg.norm(images - np.array(MICROPHONE), axis=1)
        walls = (np.abs(n - flip) + np.abs(n)).sum(axis=1)
        at = np.rint(distance / _SPEED * MIC_RATE).astype(int)
        near = at < len(heard)
        np.add.at(heard, at[near], (kept ** walls[near] / distance[near]).astype(np.float32))
    return heard


def heard_from(source: Point, speech: Sound) -> Sound:
    """Return speech as the microphone hears it from this place."""
    click = response(source)
    size = len(speech) + len(click) - 1
    span = 1 << (size - 1).bit_length()
    wet = np.fft.irfft(np.fft.rfft(speech, span) * np.fft.rfft(click, span), span)[:size]
    heard: Sound = wet.astype(np.float32)
    return heard
