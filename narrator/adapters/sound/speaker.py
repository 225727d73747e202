"""The loudspeaker: one output stream that plays the mixer, and time that passes without one.

Where there is no device, or it was lost, the mixer is read as fast as it would be heard, so that
every line still ends and the game goes on in writing.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable
from dataclasses import replace
from statistics import median
from typing import Any, Protocol, TypeAlias

import numpy as np

from narrator.audio.resampling import resampler
from narrator.ports.audio import (
    SPEAKER_RATE,
    Bus,
    Clip,
    FaultCallback,
    Pcm,
    Played,
    PlayedCallback,
    Player,
)
from narrator.ports.errors import SoundError
from narrator.ports.faults import FaultCode
from narrator.ports.session import Clock

_SILENT_TICK = 0.02
_LONGEST_STEP = 1.0
_PATIENCE = 2.0
_BLOCKS = 31
"""Blocks over which the device's word on its delay is evened out."""


Tap: TypeAlias = Callable[[Pcm, int, float], None]
"""Takes samples, their rate, and the session second at which the first of them is heard."""


class Source(Player, Protocol):
    """What is played: a mixer that is read, and tells of each clip's end while it is read."""

    def read(self, count: int) -> Pcm:
        """Return the next samples at SPEAKER_RATE."""
        ...

    def on_played(self, report: PlayedCallback) -> None:
        """Set the callback for each clip's end."""
        ...


class Stream(Protocol):
    """An output stream that is kept alive."""

    @property
    def live(self) -> bool:
        """Whether sound is flowing."""
        ...

    def close(self) -> None:
        """End it at once."""
        ...


class Outputs(Protocol):
    """Where an output stream comes from."""

    def output(
        self,
        wanted: str | int | None,
        rate: int,
        fill: Callable[[int, int, float], Pcm],
        fault: FaultCallback,
    ) -> Stream:
        """Open a stream that plays what `fill(count, rate, delay)` gives."""
        ...


class Speaker:
    """A Player on a real device; a clip's end is told when its last sample was *played*."""

    def __init__(
        self,
        source: Source,
        outputs: Outputs,
        clock: Clock,
        played: PlayedCallback,
        fault: FaultCallback,
        device: str | int | None = None,
        tap: Tap | None = None,
    ) -> None:
        """Open the device; where that fails, `fault` is told and all goes on silently.

        Args:
            source: the mixer; from now on it is read by this speaker only.
            outputs: gives the stream.
            clock: seconds, to wait for what the device still holds.
            played: told of each clip's end, from a thread of the speaker's.
            fault: told when the device is lost and when it is back.
            device: its name, a part of it, or its number; None is the system's default.
            tap: given all that the device is given, from its own thread; must only queue.
        """
        self._tap = tap or _nobody
        self._source, self._clock = source, clock
        self._played, self._fault = played, fault
        self._reading = threading.Lock()
        self._wake = threading.Condition()
        self._ended: list[Played] = []
        self._due: deque[tuple[float, Played]] = deque()
        self._resampler = _Resampler(source)
        self._heard: deque[float] = deque(maxlen=_BLOCKS)
        """Of the last blocks: how many samples the player's clock is ahead of session time."""
        self._closing = False
        source.on_played(self._ended.append)
        self._stream = outputs.output(device, SPEAKER_RATE, self._fill, fault)
        self._reporter = threading.Thread(target=self._report, name="speaker", daemon=True)
        self._reporter.start()

    def play(self, clip: Clip) -> None:
        """Queue a clip, placed by when it is to be heard if that is known; returns at once."""
        if clip.heard_at is not None and self._heard:
            at = round(median(self._heard) + clip.heard_at * SPEAKER_RATE)
            clip = replace(clip, at=max(0, at))
        self._source.play(clip)

    def hush(self) -> None:
        """Fade speech out within 12 ms of what the device has not yet been given."""
        self._source.hush()

    def hold(self, on: bool) -> None:
        """Fade speech out within 25 ms of what the device has not yet been given; off: go on."""
        self._source.hold(on)

    def cover(self, on: bool) -> None:
        """Fade the masking sound in or out."""
        self._source.cover(on)

    def volume(self, bus: Bus, gain: float) -> None:
        """Set a bus's gain, 0 to 2."""
        self._source.volume(bus, gain)

    def position(self) -> int:
        """Return the samples handed to the device so far, at SPEAKER_RATE."""
        return self._source.position()

    def close(self) -> None:
        """Stop at once and give the device back; clips under way are reported as cut."""
        self._stream.close()
        with self._wake:
            self._closing = True
            self._wake.notify()
        self._reporter.join(_PATIENCE)
        self._source.close()
        self._put_off(0.0)
        self._tell(float("inf"))

    def _fill(self, count: int, rate: int, delay: float) -> Pcm:
        """Return the device its samples, and note when the clips that end in them will be over."""
        with self._reading:
            position = self._source.position() - self._resampler.held * SPEAKER_RATE
            block = self._resampler.take(count, rate)
            begin = self._clock.now() + delay
            self._heard.append(position - begin * SPEAKER_RATE)
            self._tap(block, rate, begin)
            if self._ended:
                over = begin + count / rate + self._resampler.held
                self._put_off(over)
        return block

    def _put_off(self, over: float) -> None:
        ended, self._ended[:] = self._ended[:], []
        with self._wake:
            self._due.extend((over, replace(played, over=over or None)) for played in ended)
            self._wake.notify()

    def _report(self) -> None:
        """Report each end when it is due; keep reading, unheard, while there is no device."""
        last = self._clock.now()
        while self._pause():
            now = self._clock.now()
            if not self._stream.live:
                self._heard.clear()
                self._read_silently(min(now - last, _LONGEST_STEP))
            last = now
            self._tell(now if self._stream.live else float("inf"))

    def _pause(self) -> bool:
        """Wait until something may be due; False when it is time to end."""
        with self._wake:
            if not self._closing:
                self._wake.wait(self._next_wait())
            return not self._closing

    def _next_wait(self) -> float:
        if not self._stream.live:
            return _SILENT_TICK
        if not self._due:
            return 5 * _SILENT_TICK
        return min(max(0.001, self._due[0][0] - self._clock.now()), 5 * _SILENT_TICK)

    def _read_silently(self, seconds: float) -> None:
        with self._reading:
            self._source.read(round(seconds * SPEAKER_RATE))
            if self._ended:
                self._put_off(self._clock.now())

    def _tell(self, now: float) -> None:
        while self._due and self._due[0][0] <= now:
            played = self._due.popleft()[1]
            try:
                self._played(played)
            except Exception as error:  # a thread that dies would leave every later line unended
                fault = SoundError(FaultCode.LINE_END_NOT_TAKEN, kind=type(error).__name__)
                self._fault(fault, False)


def _nobody(_sound: Pcm, _rate: int, _begin: float) -> None:
    """Do nothing: the default where nobody listens to what is played."""


class _Resampler:
    """Reads the source at any device's rate."""

    def __init__(self, source: Source) -> None:
        self._source = source
        self._rate = SPEAKER_RATE
        self._stream: Any = None
        self._ready: Pcm = np.zeros(0, np.int16)
        self.held = 0.0
        """Seconds that were read from the source and are still in here."""

    def take(self, count: int, rate: int) -> Pcm:
        if rate != self._rate:
            self._change(rate)
        if self._stream is None:
            return self._source.read(count)
        parts, have = [self._ready], self._ready.size
        while have < count:
            more = 1 + (count - have) * SPEAKER_RATE // rate
            parts.append(self._stream.resample_chunk(self._source.read(more)))
            have += parts[-1].size
            self.held += more / SPEAKER_RATE
        sound = np.concatenate(parts)
        self._ready = sound[count:]
        self.held -= count / rate
        return sound[:count]

    def _change(self, rate: int) -> None:
        """Start over at another rate; the few milliseconds held are dropped."""
        self._rate, self.held = rate, 0.0
        self._ready = np.zeros(0, np.int16)
        self._stream = None
        if rate != SPEAKER_RATE:
            self._stream = resampler(SPEAKER_RATE, rate)
