"""Streams that are kept alive: one that is lost is opened again by name when its device returns."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any, Protocol

from narrator.adapters.sound.device import CALLED, Device, Kind, unusable
from narrator.ports.audio import FaultCallback
from narrator.ports.errors import SoundError
from narrator.ports.faults import FaultCode, FieldValue

_TICK = 0.05
"""Seconds between two looks at a stream."""
_LIVE_TICKS = 6
"""Looks without a call of the device's after which no sound is known to flow: 0.3 s."""
_STEADY_TICKS = 10
"""Looks with sound after which a device is well: one that sleeps fills its buffer and stops."""
_STALLED_TICKS = 20
"""Looks without sound after which a device is lost: 1 s, as no live device is silent that long."""
_WAITS = (0.5, 1.0, 2.0, 4.0, 8.0)
"""Seconds before a lost device is tried again, longer each time: asking costs a process."""
_PATIENCE = 2.0
"""Seconds after which a driver that hangs is left alone."""


class Owner(Protocol):
    """Opens streams and knows all that are open."""

    lock: threading.RLock
    generation: int

    def pick(self, wanted: str | int | None, kind: Kind) -> Device:
        """Find a device."""
        ...

    def refresh(self, wanted: str | int | None) -> None:
        """Make the sound library look for devices again."""
        ...

    def forget(self, stream: Stream) -> None:
        """End a stream."""
        ...


class Stream:
    """One PortAudio stream with the signs of its life."""

    def __init__(self, sound: Any, name: str, rate: int, generation: int, opening: int) -> None:
        self._sound, self._name, self.rate = sound, name, rate
        self.generation, self.opening = generation, opening
        self.calls = 0
        self.ended = False
        self.latency = 0.0
        self._stream: Any = None

    def begin(self, kind: Any, callback: Any, **settings: Any) -> None:
        """Open and start it. Raises SoundError."""
        try:
            settings |= {"samplerate": self.rate, "dtype": "int16", "callback": callback}
            self._stream = kind(finished_callback=self._finished, **settings)
            self.latency = float(self._stream.latency)
            self._stream.start()
        except (self._sound.PortAudioError, ValueError, OSError) as error:
            self.end()
            raise unusable(self._name, error) from error

    def end(self) -> None:
        """Abort and close: `stop` would wait for ever on a stream that stands still."""
        stream, self._stream = self._stream, None
        if stream is None:
            return
        # Closing alone aborts; in a thread, so that a driver that hangs costs two seconds only.
        thread = threading.Thread(target=stream.close, args=(True,), daemon=True)
        thread.start()
        thread.join(_PATIENCE)

    def _finished(self) -> None:
        self.ended = True


class KeptStream:
    """A stream that is watched, and opened again by name when its device returns.

    Its `fault` is told when the device is lost and when it is back, from a thread of its own.
    """

    def __init__(
        self,
        devices: Owner,
        kind: Kind,
        wanted: str | int | None,
        begin: Callable[[Device], Stream],
        fault: FaultCallback,
    ) -> None:
        """Try to open the device; whether it worked is told by `live` and by `fault`."""
        self._devices, self._kind, self._wanted = devices, kind, wanted
        self._begin, self._fault = begin, fault
        self._stream: Stream | None = None
        self._seen, self._quiet_ticks, self._flow_ticks = 0, 0, 0
        self._failures, self._told = 0, False
        self._closing, self._tried = threading.Event(), threading.Event()
        self._thread = threading.Thread(target=self._keep, name=f"keep-{kind}", daemon=True)
        self._thread.start()
        self._tried.wait(_PATIENCE)

    @property
    def live(self) -> bool:
        """Whether sound is flowing, as far as is known."""
        stream = self._stream
        alive = stream is not None and stream.calls > 0 and not stream.ended
        return alive and self._quiet_ticks < _LIVE_TICKS

    def close(self) -> None:
        """End the stream at once and give the device back; never hangs."""
        self._closing.set()
        self._thread.join(_PATIENCE)

    def _keep(self) -> None:
        wait = 0.0
        while not self._closing.wait(wait):
            try:
                self._look()
            except Exception as error:  # a thread that dies would leave the table deaf or mute
                self._drop()
                self._report_loss(FaultCode.DEVICE_FAILED, kind=type(error).__name__)
            self._tried.set()
            wait = _TICK if self._stream else _WAITS[max(0, min(self._failures, len(_WAITS)) - 1)]
        self._drop()

    def _look(self) -> None:
        stream = self._stream
        if stream is None:
            self._reopen()
        elif stream.generation != self._devices.generation:
            self._stream = None  # PortAudio was initialised again for another device
            self._reopen()
        elif stream.calls != self._seen:
            self._seen, self._quiet_ticks = stream.calls, 0
            self._flowing()
        else:
            self._quiet_ticks += 1
        if stream is not None and (stream.ended or self._quiet_ticks > _STALLED_TICKS):
            self._lose(stream)

    def _reopen(self) -> None:
        try:
            self._stream = self._opened()
            self._seen, self._quiet_ticks, self._flow_ticks = 0, 0, 0
        except SoundError as error:
            self._report_loss(error.code, **error.fields)

    def _opened(self) -> Stream:
        try:
            return self._attempt()
        except SoundError:
            self._devices.refresh(self._wanted)
            return self._attempt()

    def _attempt(self) -> Stream:
        with self._devices.lock:
            device = self._devices.pick(self._wanted, self._kind)
            stream = self._begin(device)
        if self._wanted not in (None, ""):
            self._wanted = device.name  # a number may be another device's after a change
        return stream

    def _flowing(self) -> None:
        """Take the device for well after a while: one that sleeps fills its buffer and stops."""
        self._flow_ticks += 1
        if self._flow_ticks < _STEADY_TICKS:
            return
        self._failures = 0
        if self._told:
            self._told = False
            self._fault(SoundError(FaultCode.DEVICE_BACK, device=CALLED[self._kind]), True)

    def _lose(self, stream: Stream) -> None:
        if stream is not self._stream or stream.generation != self._devices.generation:
            return
        self._drop()
        self._report_loss(FaultCode.DEVICE_STOPPED)

    def _drop(self) -> None:
        stream, self._stream = self._stream, None
        if stream is not None:
            self._devices.forget(stream)

    def _report_loss(self, code: FaultCode, **fields: FieldValue) -> None:
        self._failures += 1
        if not self._told:
            self._told = True
            own = {"device": CALLED[self._kind]} if "device" in code.fields else {}
            self._fault(SoundError(code, **own | fields), False)
