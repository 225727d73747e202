"""The one door to sound: this computer's devices, and inputs that installed packages bring."""

from __future__ import annotations

import threading

import numpy as np

from narrator.adapters.sound.device import Device, Kind
from narrator.adapters.sound.microphone import Stream
from narrator.adapters.sound.portaudio import Devices, Take
from narrator.app.wiring.registry import input_names, input_plugin
from narrator.ports.audio import BLOCK, MIC_RATE, FaultCallback, Microphone, Pcm
from narrator.ports.errors import PlayError, SoundError
from narrator.ports.faults import FaultCode

_RATES = range(8_000, 192_001)
"""Rates at which sound is taken from a package: telephones to studio cards."""
_MOST = 10
"""Seconds of sound that a package may hand over at once."""


class TableDevices(Devices):
    """All there is to hear and speak with; nothing is opened or loaded before it is asked for."""

    def pick(self, wanted: str | int | None, kind: Kind) -> Device:
        """Find a device, or the input of a package; see `Devices.pick`."""
        place = _place(wanted) if kind == "input" else None
        if place is None:
            return super().pick(wanted, kind)
        input_plugin(place[0])
        return Device(-1, str(wanted), 1, 0, MIC_RATE)

    def check(self, wanted: str | int | None, kind: Kind, rate: int) -> int:
        """Return the rate at which a device is opened; an input is opened for a moment."""
        if kind != "input" or _place(wanted) is None:
            return super().check(wanted, kind, rate)
        failed: list[SoundError] = []

        def note(fault: SoundError, _recovered: bool) -> None:
            failed.append(fault)

        self.input(wanted, rate, BLOCK / MIC_RATE, lambda *_: None, note).close()
        if failed:
            raise failed[0]
        return rate

    def input(
        self,
        wanted: str | int | None,
        rate: int,
        block: float,
        take: Take,
        fault: FaultCallback,
    ) -> Stream:
        """Open a device or an input of a package; see `Devices.input`."""
        place = _place(wanted)
        if place is None:
            return super().input(wanted, rate, block, take, fault)
        return PluginStream(*place, take, fault)


def _place(wanted: str | int | None) -> tuple[str, str] | None:
    """Return the package's name and the address where `name:address` names one."""
    name, colon, address = str(wanted or "").partition(":")
    return (name, address) if colon and name in input_names() else None


class PluginStream:
    """Sound of an installed package, which is believed nothing: what is no sound ends it."""

    def __init__(self, name: str, address: str, take: Take, fault: FaultCallback) -> None:
        self._name, self._hand_on, self._fault = name, take, fault
        self._lock = threading.Lock()
        self._over = False
        self._source: Microphone | None = None
        try:
            self._source = input_plugin(name).open(address, self._take, fault)
        except SoundError as error:
            self._end(error)
        except (Exception, SystemExit) as error:  # somebody else's program
            self._end(_failed(name, error))

    @property
    def live(self) -> bool:
        """Whether it may still give sound."""
        return not self._over

    def close(self) -> None:
        """End it at once."""
        self._over = True
        try:
            if self._source is not None:
                self._source.close()
        except Exception as error:  # somebody else's program
            self._fault(_failed(self._name, error), False)

    def _take(self, sound: Pcm, rate: int) -> None:
        with self._lock:
            if self._over:
                return
            samples = np.asarray(sound)
            if samples.dtype != np.int16 or samples.ndim != 1 or rate not in _RATES:
                self._end(_failed(self._name, ValueError()))
            elif samples.size > _MOST * rate:
                self._end(_failed(self._name, OverflowError()))
            else:
                self._hand_on(samples.copy(), rate, 0)

    def _end(self, fault: SoundError) -> None:
        self._over = True
        self._fault(fault, False)


def _failed(name: str, error: BaseException) -> SoundError:
    if isinstance(error, PlayError):
        return SoundError(error.code, **error.fields)
    return SoundError(FaultCode.INPUT_FAILED, name=name, kind=type(error).__name__)
