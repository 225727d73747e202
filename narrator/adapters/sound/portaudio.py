"""PortAudio through sounddevice: which devices there are, and streams that are kept alive.

Nothing else knows sounddevice. PortAudio sees new devices only when it is initialised again, which
kills every open stream; so one `Devices` object owns them all.
"""

from __future__ import annotations

import functools
import threading
from collections.abc import Callable, Iterator
from typing import Any, ClassVar

from narrator.adapters.sound.alsa import quieten
from narrator.adapters.sound.device import CALLED, Device, Kind, device_of, unusable
from narrator.adapters.sound.kept_stream import KeptStream, Stream
from narrator.adapters.sound.microphone import Stream as InputStream
from narrator.adapters.sound.priority import urgent
from narrator.adapters.sound.probe import Probe
from narrator.ports.audio import FaultCallback, Pcm
from narrator.ports.errors import SoundError
from narrator.ports.faults import FaultCode

Fill = Callable[[int, int, float], Pcm]
"""Returns a number of samples at a rate; the seconds say when the first is heard."""
Take = Callable[[Pcm, int, int], None]
"""Takes samples at this rate; the last number is another one for every opening of the device."""

_LATENCY = 0.05
"""Seconds the device holds: less runs dry on a busy computer, more makes a hush late."""
_RATES = (48_000, 44_100, 96_000, 32_000, 16_000)
"""Rates to try after the wanted one and the device's default: what sound cards commonly have. A
card's default may be one at which it does not open."""


class Devices:
    """The sound devices of this computer; one object for the whole program."""

    _harmless: ClassVar[bool] = False
    """Whether a child process has asked for the devices and lived: then we may ask as well."""

    def __init__(self) -> None:
        """Touch nothing yet: PortAudio is loaded when it is first needed."""
        self.lock = threading.RLock()
        self._probe: Probe | None = None
        self._open: set[Stream] = set()
        self._openings = 0
        self.generation = 0
        """Counts how often PortAudio was initialised again; streams of an older one are dead."""

    def all(self) -> list[Device]:
        """List the devices. Raises SoundError where PortAudio is missing or fails."""
        sound = self._sound()
        try:
            with self.lock:
                return [
                    device_of(number, info) for number, info in enumerate(sound.query_devices())
                ]
        except (sound.PortAudioError, ValueError) as error:
            raise SoundError(FaultCode.DEVICES_UNLISTED) from error

    def pick(self, wanted: str | int | None, kind: Kind) -> Device:
        """Find a device by number, name or a part of its name; None is the system's default.

        Raises:
            SoundError: there is none, several fit, or it cannot do what is asked.
        """
        devices = self.all()
        if wanted is None or wanted == "":
            return self._default(devices, kind)
        called = str(wanted).strip()
        found = [d for d in devices if called == str(d.number)]
        found = found or [d for d in devices if called.lower() == d.name.lower()]
        found = found or [d for d in devices if called.lower() in d.name.lower()]
        return _only(found, devices, called, kind)

    def check(self, wanted: str | int | None, kind: Kind, rate: int) -> int:
        """Return the rate at which a device is opened. Raises SoundError when it cannot be."""
        device = self.pick(wanted, kind)
        return next(_fitting(self._sound(), kind, device, rate))[0]

    def output(
        self, wanted: str | int | None, rate: int, fill: Fill, fault: FaultCallback
    ) -> KeptStream:
        """Play what `fill` gives, at `rate` or the device's own; a lost device is taken back."""
        begin = functools.partial(self._play, rate=rate, fill=fill)
        return KeptStream(self, "output", wanted, begin, fault)

    def input(
        self, wanted: str | int | None, rate: int, block: float, take: Take, fault: FaultCallback
    ) -> InputStream:
        """Record to `take` in blocks of this many seconds; a lost device is reopened."""
        begin = functools.partial(self._record, rate=rate, block=block, take=take)
        return KeptStream(self, "input", wanted, begin, fault)

    def refresh(self, wanted: str | int | None) -> None:
        """Make PortAudio look for devices again, unless that could only do harm."""
        if not Devices._harmless:
            return  # it was never loaded, and the next question asks a child again
        fresh = Probe().names()
        if fresh is None or not self._is_worth_it(str(wanted or "").lower(), fresh):
            return
        sound = _load()
        with self.lock:
            self.generation += 1  # first of all: so their keepers know that it was us
            for stream in [*self._open]:
                self.forget(stream)
            sound._terminate()
            sound._initialize()

    def _is_worth_it(self, wanted: str, fresh: list[str]) -> bool:
        """Whether a child sees what we do not; looking again kills every stream that is open."""
        ours = sorted(device.name for device in self.all())
        if not self._open:
            return bool(fresh or ours)
        return fresh != ours and any(wanted in name.lower() for name in fresh)

    def _sound(self) -> Any:
        """Return the sound library once a child has shown that it is harmless.

        Raises SoundError.
        """
        if not Devices._harmless:
            with self.lock:
                probe = self._probe = self._probe or Probe()
            names = probe.names()
            self._probe = None
            if probe.missing:
                raise _not_installed()
            if names is None:
                raise SoundError(FaultCode.SOUND_SYSTEM_DEAD)
            Devices._harmless = True
        return _load()

    def forget(self, stream: Stream) -> None:
        """End a stream; never hangs."""
        self._open.discard(stream)
        stream.end()

    def _default(self, devices: list[Device], kind: Kind) -> Device:
        number = self._sound().default.device[0 if kind == "input" else 1]
        for device in devices:
            if device.number == number and device.can(kind):
                return device
        fitting = [device for device in devices if device.can(kind)]
        if not fitting:
            raise SoundError(FaultCode.NO_DEVICE, device=CALLED[kind])
        return fitting[0]

    def _play(self, device: Device, rate: int, fill: Fill) -> Stream:
        def body(stream: Stream, out: Any, frames: int, moment: Any) -> None:
            out.fill(0)  # what is heard when `fill` fails
            delay = moment.outputBufferDacTime - moment.currentTime
            delay = delay if 0 <= delay < 2 else stream.latency
            out[:] = fill(frames, stream.rate, delay)[:, None]

        return self._start("output", device, rate, body, latency=_LATENCY)

    def _record(self, device: Device, rate: int, block: float, take: Take) -> Stream:
        def body(stream: Stream, data: Any, _frames: int, _moment: Any) -> None:
            take(data[:, 0].copy(), stream.rate, stream.opening)

        return self._start("input", device, rate, body, block)

    def _start(
        self, kind: Kind, device: Device, rate: int, body: Any, block: float = 0, **settings: Any
    ) -> Stream:
        """Open a device at the first rate it really opens at. Raises SoundError."""
        sound = self._sound()
        problem: SoundError | None = None
        for samples, channels in _fitting(sound, kind, device, rate):
            settings |= {"channels": channels, "blocksize": round(block * samples)}
            try:
                return self._open_at(samples, kind, device, body, settings)
            except SoundError as error:
                problem = error
        raise problem or unusable(device.name, None)

    def _open_at(
        self, rate: int, kind: Kind, device: Device, body: Any, settings: dict[str, Any]
    ) -> Stream:
        sound = self._sound()
        self._openings += 1
        stream = Stream(sound, device.name, rate, self.generation, self._openings)

        def callback(data: Any, frames: int, moment: Any, _status: Any) -> None:
            stream.calls += 1
            try:
                body(stream, data, frames, moment)
            except Exception as error:  # it must not get into C; the stream ends and is missed
                raise sound.CallbackAbort from error

        opened = sound.OutputStream if kind == "output" else sound.InputStream
        with urgent():
            stream.begin(opened, callback, device=device.number, **settings)
        self._open.add(stream)
        return stream


def _load() -> Any:
    quieten()
    try:
        import sounddevice
    except (ImportError, OSError) as error:
        raise _not_installed() from error
    return sounddevice


def _not_installed() -> SoundError:
    return SoundError(FaultCode.PORTAUDIO_MISSING)


def _only(found: list[Device], devices: list[Device], called: str, kind: Kind) -> Device:
    fitting = [device for device in found if device.can(kind)]
    if len({device.name for device in fitting}) == 1:
        return fitting[0]  # the same device under several sound systems: the first is preferred
    names = ", ".join(f"`{d.name}`" for d in (fitting or devices) if d.can(kind))
    if not names:
        raise SoundError(FaultCode.NO_DEVICE, device=CALLED[kind])
    code = FaultCode.DEVICE_AMBIGUOUS if fitting else FaultCode.DEVICE_UNKNOWN
    if found and not fitting:
        code, called = FaultCode.DEVICE_OF_OTHER_KIND, found[0].name
    raise SoundError(code, device=CALLED[kind], wanted=called, names=names)


def _fitting(sound: Any, kind: Kind, device: Device, rate: int) -> Iterator[tuple[int, int]]:
    """Yield rates and numbers of channels that the device says it takes, the best first.

    Raises SoundError where there is none.
    """
    check = sound.check_output_settings if kind == "output" else sound.check_input_settings
    problem: Exception | None = None
    found = False
    for samples in dict.fromkeys((rate, device.rate, *_RATES)):
        for channels in (1, 2):
            try:
                check(device=device.number, channels=channels, dtype="int16", samplerate=samples)
            except (sound.PortAudioError, ValueError) as error:
                problem = error
                continue
            found = True
            yield samples, channels
    if not found:
        raise unusable(device.name, problem) from problem
