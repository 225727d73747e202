"""A tone played and recorded: what the loudspeaker says does come in at the microphone."""

from __future__ import annotations

import threading
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from narrator.adapters.sound.portaudio import Devices
from narrator.adapters.system.clock import SessionClock
from narrator.ports.audio import MIC_RATE, SPEAKER_RATE, Pcm
from narrator.ports.errors import SoundError
from narrator.ports.faults import FaultCode

LENGTH = 0.4
"""Seconds of the tone, which sweeps from low to high: nothing in a room is taken for it."""
_WAIT, _LISTEN = 0.5, 1.6
_FROM, _TO = 400.0, 3000.0
_LEVEL = 7000.0
_CLEAR = 12.0
"""How many times the usual likeness the tone's own must be; noise alone gives about 5."""
_PATIENCE = 8.0

_Wave = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class RoundTrip:
    """What came in at the microphone."""

    silent: bool
    """Whether it gave nothing but zeros: it is muted, or the program may not use it."""
    seconds: float | None = None
    """From handing the tone to the loudspeaker to getting it from the microphone; None: it was not
    heard, as with a headset."""
    level: float = 0.0
    """dBFS of the tone as recorded."""
    above: float = 0.0
    """Decibels of it above the room."""


def round_trip(devices: Devices, microphone: str, speaker: str) -> RoundTrip:
    """Play a tone and find it in what the microphone gives.

    Raises:
        SoundError: A device cannot be opened, or gives no sound in time.
    """
    desk = _Desk()
    faults: list[SoundError] = []
    mic = devices.input(
        microphone or None, MIC_RATE, 0.02, desk.take, lambda fault, _back: faults.append(fault)
    )
    out = devices.output(
        speaker or None, SPEAKER_RATE, desk.fill, lambda fault, _back: faults.append(fault)
    )
    try:
        done = desk.done.wait(_PATIENCE)
    finally:
        out.close()
        mic.close()
    if not done:
        raise faults[0] if faults else SoundError(FaultCode.NO_SOUND_IN_TIME)
    return desk.result()


def sweep(rate: int) -> Pcm:
    """Return the tone at a rate."""
    moments = np.arange(round(LENGTH * rate)) / rate
    turns = _FROM * moments + (_TO - _FROM) / (2 * LENGTH) * moments**2
    wave = _LEVEL * np.sin(2 * np.pi * turns) * np.hanning(moments.size) ** 0.25
    return np.rint(wave).astype(np.int16)


def find(recorded: Pcm, rate: int) -> tuple[int, float] | None:
    """Return the sample at which the tone begins and its level above the room; None: no tone."""
    tone = sweep(rate).astype(float)
    if recorded.size <= tone.size:
        return None
    size = 1 << (recorded.size + tone.size).bit_length()
    product = np.fft.rfft(recorded.astype(float), size) * np.conj(np.fft.rfft(tone, size))
    like = np.abs(np.fft.irfft(product, size)[: recorded.size - tone.size])
    place = int(np.argmax(like))
    if like[place] < _CLEAR * max(float(np.median(like)), 1.0):
        return None
    before = recorded[: max(place - rate // 20, rate // 10)]
    return place, _decibels(recorded[place : place + tone.size]) - _decibels(before)


class _Desk:
    """What the two streams' threads play and record."""

    def __init__(self) -> None:
        self._clock = SessionClock()
        self.done = threading.Event()
        self._played: float | None = None
        self._given = 0
        self._blocks: list[tuple[float, Pcm]] = []
        self._rate, self._opening = MIC_RATE, -1

    def fill(self, count: int, rate: int, _delay: float) -> Pcm:
        """Return silence until both devices run, then the tone."""
        out = np.zeros(count, np.int16)
        if len(self._blocks) * 0.02 < _WAIT:
            return out
        if self._played is None:
            self._played = self._clock.now()
        part = sweep(rate)[self._given : self._given + count]
        out[: part.size] = part
        self._given += count
        return out

    def take(self, block: Pcm, rate: int, opening: int) -> None:
        """Keep a block and when it came; start over when the device is opened again."""
        if opening != self._opening:
            self._opening, self._rate = opening, rate
            self._blocks.clear()
        now = self._clock.now()
        self._blocks.append((now, block))
        if self._played is not None and now - self._played > _LISTEN:
            self.done.set()

    def result(self) -> RoundTrip:
        blocks = [*self._blocks]
        sound = np.concatenate([block for _, block in blocks])
        if not sound.any():
            return RoundTrip(silent=True)
        found = find(sound, self._rate)
        if found is None or self._played is None:
            return RoundTrip(silent=False)
        place, above = found
        ends = np.cumsum([block.size for _, block in blocks])
        arrived = blocks[int(np.searchsorted(ends, place, "right"))][0]
        level = _decibels(sound[place : place + round(LENGTH * self._rate)])
        return RoundTrip(False, arrived - self._played, level, above)


def _decibels(sound: Pcm) -> float:
    power = float(np.mean((sound / 32768.0) ** 2)) if sound.size else 0.0
    return 10 * float(np.log10(max(power, 1e-10)))
