"""PortAudio through sounddevice: which devices there are, and streams that are kept alive.

Nothing else knows sounddevice. PortAudio sees new devices only when it is initialised again, which
kills every open stream; so one `Devices` object owns them all.
"""

from __future__ import annotations

import functools
import importlib
import json
import os
import subprocess
import sys
import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

from narrator.adapters.sound.alsa import quieten
from narrator.adapters.sound.priority import urgent
from narrator.ports.audio import FaultCallback, Pcm
from narrator.ports.errors import SoundError

Kind = Literal["input", "output"]
Fill = Callable[[int, int, float], Pcm]
"""Gives so many samples at this rate; the first will be heard after so many seconds."""
Take = Callable[[Pcm, int, int], None]
"""Takes samples at this rate; the last number is another one for every opening of the device."""

# Seconds the device holds: less runs dry on a busy computer, more makes a hush late.
_LATENCY = 0.05
_TICK = 0.05
_LIVE_TICKS = 6
_STEADY_TICKS = 10
_STALLED_TICKS = 20
_WAITS = (0.5, 1.0, 2.0, 4.0, 8.0)
_PATIENCE = 2.0
_CHOOSE = "See which there are with: narrator devices."
_CALLED = {"input": "microphone", "output": "loudspeaker"}


@dataclass(frozen=True, slots=True)
class Device:
    """A sound device as PortAudio sees it."""

    number: int
    name: str
    inputs: int
    outputs: int
    """Channels it can record, and play."""
    rate: int
    """Its own samples a second."""

    def can(self, kind: Kind) -> bool:
        """Whether it records or plays."""
        return bool(self.inputs if kind == "input" else self.outputs)


class Devices:
    """The sound devices of this computer; one object for the whole program."""

    def __init__(self) -> None:
        """Touch nothing yet: PortAudio is loaded when it is first needed."""
        self._lock = threading.RLock()
        self._open: set[_Stream] = set()
        self._openings = 0
        self.generation = 0
        """Counts how often PortAudio was initialised again; streams of an older one are dead."""

    def all(self) -> list[Device]:
        """List the devices. Raises SoundError where PortAudio is missing or fails."""
        sound = _portaudio()
        try:
            with self._lock:
                return [_device(number, info) for number, info in enumerate(sound.query_devices())]
        except (sound.PortAudioError, ValueError) as error:
            raise SoundError("The sound devices cannot be listed.", _CHOOSE) from error

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
        return _settings(_portaudio(), kind, self.pick(wanted, kind), rate)[0]

    def output(self, wanted: str | int | None, rate: int, fill: Fill, fault: FaultCallback) -> Kept:
        """Play what `fill` gives, at `rate` or the device's own; a lost device is taken back."""
        begin = functools.partial(self._play, rate=rate, fill=fill)
        return Kept(self, "output", wanted, begin, fault)

    def input(
        self, wanted: str | int | None, rate: int, block: float, take: Take, fault: FaultCallback
    ) -> Kept:
        """Record to `take` in blocks of so many seconds; a lost device is taken back."""
        begin = functools.partial(self._record, rate=rate, block=block, take=take)
        return Kept(self, "input", wanted, begin, fault)

    def refresh(self, wanted: str | int | None) -> None:
        """Let PortAudio look again, unless that would kill another stream for nothing."""
        if self._open and not self._news_of(str(wanted or "").lower()):
            return
        sound = _portaudio()
        with self._lock:
            self.generation += 1  # first of all: so their keepers know that it was us
            for stream in [*self._open]:
                self.forget(stream)
            sound._terminate()
            sound._initialize()

    def forget(self, stream: _Stream) -> None:
        """End a stream; never hangs."""
        self._open.discard(stream)
        stream.end()

    def _news_of(self, wanted: str) -> bool:
        """Whether a fresh process sees the device, and other devices than we do."""
        fresh = _seen_by_a_fresh_process()
        ours = sorted(device.name for device in self.all())
        return fresh != ours and any(wanted in name.lower() for name in fresh)

    def _default(self, devices: list[Device], kind: Kind) -> Device:
        number = _portaudio().default.device[0 if kind == "input" else 1]
        for device in devices:
            if device.number == number and device.can(kind):
                return device
        fitting = [device for device in devices if device.can(kind)]
        if not fitting:
            raise SoundError(f"No {_CALLED[kind]} was found.", "Plug one in; it is used at once.")
        return fitting[0]

    def _play(self, device: Device, rate: int, fill: Fill) -> _Stream:
        def body(stream: _Stream, out: Any, frames: int, moment: Any) -> None:
            out.fill(0)  # what is heard when `fill` fails
            delay = moment.outputBufferDacTime - moment.currentTime
            delay = delay if 0 <= delay < 2 else stream.latency
            out[:] = fill(frames, stream.rate, delay)[:, None]

        return self._start("output", device, rate, body, latency=_LATENCY)

    def _record(self, device: Device, rate: int, block: float, take: Take) -> _Stream:
        def body(stream: _Stream, data: Any, _frames: int, _moment: Any) -> None:
            take(data[:, 0].copy(), stream.rate, stream.opening)

        return self._start("input", device, rate, body, block)

    def _start(
        self, kind: Kind, device: Device, rate: int, body: Any, block: float = 0, **settings: Any
    ) -> _Stream:
        sound = _portaudio()
        rate, channels = _settings(sound, kind, device, rate)
        self._openings += 1
        stream = _Stream(sound, rate, self.generation, self._openings)

        def callback(data: Any, frames: int, moment: Any, _status: Any) -> None:
            stream.calls += 1
            try:
                body(stream, data, frames, moment)
            except Exception as error:  # it must not get into C; the stream ends and is missed
                raise sound.CallbackAbort from error

        settings |= {"device": device.number, "channels": channels}
        opened = sound.OutputStream if kind == "output" else sound.InputStream
        with urgent():
            stream.begin(opened, callback, **settings, blocksize=round(block * rate))
        self._open.add(stream)
        return stream


class Kept:
    """A stream that is watched, and opened again by name when its device returns.

    Its `fault` is told when the device is lost and when it is back, from a thread of its own.
    """

    def __init__(
        self,
        devices: Devices,
        kind: Kind,
        wanted: str | int | None,
        begin: Callable[[Device], _Stream],
        fault: FaultCallback,
    ) -> None:
        """Try to open the device; whether it worked is told by `live` and by `fault`."""
        self._devices, self._kind, self._wanted = devices, kind, wanted
        self._begin, self._fault = begin, fault
        self._stream: _Stream | None = None
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
                self._tell_loss(f"The {_CALLED[self._kind]} failed ({error}).", _CHOOSE)
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
            self._tell_loss(error.message, error.hint)

    def _opened(self) -> _Stream:
        try:
            return self._attempt()
        except SoundError:
            self._devices.refresh(self._wanted)
            return self._attempt()

    def _attempt(self) -> _Stream:
        with self._devices._lock:
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
            self._fault(f"The {_CALLED[self._kind]} is back.", True)

    def _lose(self, stream: _Stream) -> None:
        if stream is not self._stream or stream.generation != self._devices.generation:
            return
        self._drop()
        self._tell_loss(f"The {_CALLED[self._kind]} stopped.", "Check its cable or connection.")

    def _drop(self) -> None:
        stream, self._stream = self._stream, None
        if stream is not None:
            self._devices.forget(stream)

    def _tell_loss(self, message: str, hint: str) -> None:
        self._failures += 1
        if not self._told:
            self._told = True
            self._fault(f"{message} {hint}", False)


class _Stream:
    """One PortAudio stream with the signs of its life."""

    def __init__(self, sound: Any, rate: int, generation: int, opening: int) -> None:
        self._sound, self.rate = sound, rate
        self.generation, self.opening = generation, opening
        self.calls = 0
        self.ended = False
        self.latency = 0.0
        self._stream: Any = None

    def begin(self, kind: Any, callback: Any, **settings: Any) -> None:
        try:
            settings |= {"samplerate": self.rate, "dtype": "int16", "callback": callback}
            self._stream = kind(finished_callback=self._finished, **settings)
            self.latency = float(self._stream.latency)
            self._stream.start()
        except (self._sound.PortAudioError, ValueError, OSError) as error:
            self.end()
            raise SoundError("The sound device cannot be opened.", _why(error)) from error

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


def _portaudio() -> Any:
    quieten()
    try:
        return importlib.import_module("sounddevice")
    except (ImportError, OSError) as error:
        message = "The sound library PortAudio is not installed."
        raise SoundError(message, "Install it with: apt install libportaudio2.") from error


def _device(number: int, info: Any) -> Device:
    inputs, outputs = int(info["max_input_channels"]), int(info["max_output_channels"])
    return Device(number, str(info["name"]), inputs, outputs, int(info["default_samplerate"]))


def _only(found: list[Device], devices: list[Device], called: str, kind: Kind) -> Device:
    fitting = [device for device in found if device.can(kind)]
    if len({device.name for device in fitting}) == 1:
        return fitting[0]  # the same device under several sound systems: the first is preferred
    names = ", ".join(f"`{d.name}`" for d in (fitting or devices) if d.can(kind))
    there = f"There are: {names}." if names else "There is none."
    if fitting:
        raise SoundError(f"Several {_CALLED[kind]}s are called `{called}`.", f"Choose: {names}.")
    if found:
        raise SoundError(f"The device `{found[0].name}` is no {_CALLED[kind]}.", there)
    raise SoundError(f"There is no {_CALLED[kind]} called `{called}`.", there)


def _settings(sound: Any, kind: Kind, device: Device, rate: int) -> tuple[int, int]:
    """Find a rate and a number of channels that the device takes. Raises SoundError."""
    check = sound.check_output_settings if kind == "output" else sound.check_input_settings
    problem: Exception | None = None
    for samples in dict.fromkeys((rate, device.rate)):
        for channels in (1, 2):
            try:
                check(device=device.number, channels=channels, dtype="int16", samplerate=samples)
                return samples, channels
            except (sound.PortAudioError, ValueError) as error:
                problem = error
    raise SoundError(f"The device `{device.name}` cannot be used.", _why(problem)) from problem


def _why(error: Exception | None) -> str:
    text = str(error)
    if "-9985" in text or "unavailable" in text.lower():
        return "Another program holds it: close that program."
    return _CHOOSE


def _seen_by_a_fresh_process() -> list[str]:
    """Return the names of all devices as a new process sees them, sorted."""
    command = [sys.executable, "-m", "narrator.adapters.sound.portaudio"]
    env = {**os.environ, "PYTHONPATH": os.pathsep.join(path for path in sys.path if path)}
    try:
        done = subprocess.run(command, capture_output=True, env=env, timeout=10, check=False)
        return sorted(str(name) for name in json.loads(done.stdout))
    except (OSError, ValueError, subprocess.TimeoutExpired):
        return []


def main() -> None:
    """Print the names of the devices as JSON: asked by a process whose own list is old."""
    try:
        names = [device.name for device in Devices().all()]
    except SoundError:
        names = []
    sys.stdout.write(json.dumps(names))


if __name__ == "__main__":
    main()
