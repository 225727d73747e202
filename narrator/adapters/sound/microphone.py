"""The microphone: blocks of 100 ms at 16 kHz from any device, watched for silence and delay."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from narrator.audio.resampling import resampler
from narrator.ports.audio import BLOCK, MIC_RATE, BlockCallback, FaultCallback, Pcm
from narrator.ports.errors import SoundError
from narrator.ports.faults import FaultCode
from narrator.ports.session import Clock

_SILENT_BLOCKS = 30
"""Blocks of zeros after which a microphone that has never been heard is called silent: 3 s."""
_PAUSE_BLOCKS = 300
"""The same once it has been heard: a virtual card, or a headset that gates, gives zeros whenever
nobody speaks, for as long as a table thinks (30 s)."""
_LATEST = 1.5
_QUEUE = 40
_DRIFT = 0.001
_PATIENCE = 2.0


class Stream(Protocol):
    """An input stream that is kept alive."""

    @property
    def live(self) -> bool:
        """Whether sound is flowing."""
        ...

    def close(self) -> None:
        """End it at once."""
        ...


class Inputs(Protocol):
    """Where an input stream comes from."""

    def input(
        self,
        wanted: str | int | None,
        rate: int,
        block: float,
        take: Callable[[Pcm, int, int], None],
        fault: FaultCallback,
    ) -> Stream:
        """Open a stream that hands its sound to `take(samples, rate, opening)`."""
        ...


@dataclass(frozen=True, slots=True)
class _Arrival:
    """What the device gave at once, and when."""

    moment: float
    sound: Pcm
    rate: int
    opening: int
    """Another number for every opening of the device."""


class Mic:
    """A Microphone on a real device; its blocks are handed over by a thread of its own."""

    def __init__(
        self,
        inputs: Inputs,
        clock: Clock,
        blocks: BlockCallback,
        fault: FaultCallback,
        device: str | int | None = None,
        every: BlockCallback | None = None,
    ) -> None:
        """Open the device; where that fails, `fault` is told, and it is tried again.

        Args:
            inputs: gives the stream.
            clock: seconds, to notice sound that comes late.
            blocks: takes each block, BLOCK samples at MIC_RATE.
            fault: told of loss, silence and delay, and when they are over.
            device: its name, a part of it, or its number; None is the system's default.
            every: takes each block, too, also those that come too late to be understood and those
                that are there when it is closed; for recordings.
        """
        self._blocks, self._fault, self._every = blocks, fault, every
        self._queue: deque[_Arrival] = deque(maxlen=_QUEUE)
        self._arrived = threading.Condition()
        self._closing = False
        self._clock = clock
        self._delay = _Delay()
        self._cutter = _Cutter()
        self._silence = _Watch(fault, FaultCode.MICROPHONE_SILENT, FaultCode.MICROPHONE_HEARD_AGAIN)
        self._lateness = _Watch(fault, FaultCode.MICROPHONE_LATE, FaultCode.MICROPHONE_IN_TIME)
        self._zeros, self._patience = 0, _SILENT_BLOCKS
        self.dropped = 0
        """Blocks that were left out because they came too late."""
        self._worker = threading.Thread(target=self._work, name="microphone", daemon=True)
        self._worker.start()
        self._stream = inputs.input(device, MIC_RATE, BLOCK / MIC_RATE, self._take, fault)

    def lag(self) -> float:
        """Return the seconds by which the latest sound came later than the promptest."""
        return self._delay.seconds

    def close(self) -> None:
        """Stop at once and give the device back; never hangs."""
        self._stream.close()
        with self._arrived:
            self._closing = True
            self._arrived.notify()
        self._worker.join(_PATIENCE)

    def _take(self, sound: Pcm, rate: int, opening: int) -> None:
        with self._arrived:
            if len(self._queue) == _QUEUE:
                self.dropped += 1  # the queue drops its oldest
            self._queue.append(_Arrival(self._clock.now(), sound, rate, opening))
            self._arrived.notify()

    def _work(self) -> None:
        while (item := self._next()) is not None:
            late = self._delay.add(item) > _LATEST
            wanted = not late and not self._closing
            if not self._closing:
                self._lateness.set(late)
                self.dropped += late
            for block in self._cutter.cut(item.sound, item.rate):
                if wanted:
                    self._watch_silence(block)
                    self._hand_on(self._blocks, block)
                if self._every is not None:
                    self._hand_on(self._every, block)

    def _hand_on(self, take: BlockCallback, block: Pcm) -> None:
        try:
            take(block)
        except Exception as error:  # a thread that dies would leave the table deaf without a word
            self._fault(SoundError(FaultCode.SOUND_NOT_TAKEN, kind=type(error).__name__), False)

    def _next(self) -> _Arrival | None:
        with self._arrived:
            self._arrived.wait_for(lambda: self._queue or self._closing)
            return self._queue.popleft() if self._queue else None

    def _watch_silence(self, block: Pcm) -> None:
        """Notice digital silence: no real room is without any noise."""
        if block.any():
            self._zeros, self._patience = 0, self._longer()
            self._silence.set(False)
            return
        self._zeros += 1
        if self._zeros >= self._patience:
            self._silence.set(True)

    def _longer(self) -> int:
        """Return how many blocks of zeros are a fault from now on.

        A silence that ended by itself was a pause: the next one has to last twice as long.
        """
        if self._silence.is_on:
            return max(_PAUSE_BLOCKS, 2 * self._patience)
        return max(_PAUSE_BLOCKS, self._patience)


class _Delay:
    """How late sound comes, compared with the promptest since the device was opened.

    The comparison follows slowly, as the device's clock is never quite ours.
    """

    def __init__(self) -> None:
        self._opening = -1
        self._heard, self._promptest = 0.0, float("inf")
        self.seconds = 0.0

    def add(self, item: _Arrival) -> float:
        """Note what arrived; return its delay in seconds."""
        if item.opening != self._opening:
            self._opening = item.opening
            self._heard, self._promptest = 0.0, float("inf")
        length = item.sound.size / item.rate
        self._heard += length
        offset = item.moment - self._heard
        self._promptest = min(offset, self._promptest + _DRIFT * length)
        self.seconds = offset - self._promptest
        return self.seconds


class _Watch:
    """Reports a trouble once when it begins, and once when it is over."""

    def __init__(self, fault: FaultCallback, begins: FaultCode, over: FaultCode) -> None:
        self._fault, self._begins, self._over = fault, begins, over
        self.is_on = False

    def set(self, on: bool) -> None:
        if on != self.is_on:
            self.is_on = on
            self._fault(SoundError(self._begins if on else self._over), not on)


class _Cutter:
    """Makes blocks of BLOCK samples at MIC_RATE of whatever arrives."""

    def __init__(self) -> None:
        self._rate = MIC_RATE
        self._resampler: Any = None
        self._rest: Pcm = np.zeros(0, np.int16)

    def cut(self, sound: Pcm, rate: int) -> list[Pcm]:
        if rate != self._rate:
            self._rate = rate
            self._resampler = None if rate == MIC_RATE else resampler(rate, MIC_RATE)
        if self._resampler is not None:
            sound = self._resampler.resample_chunk(sound)
        sound = np.concatenate([self._rest, sound])
        whole = sound.size - sound.size % BLOCK
        self._rest = sound[whole:]
        return [sound[start : start + BLOCK] for start in range(0, whole, BLOCK)]
