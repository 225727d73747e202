"""A sound device, and how people are told of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from narrator.ports.errors import SoundError
from narrator.ports.faults import FaultCode

Kind = Literal["input", "output"]
CALLED = {"input": "microphone", "output": "loudspeaker"}


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


def device_of(number: int, info: Any) -> Device:
    """Return a device as PortAudio describes it."""
    inputs, outputs = int(info["max_input_channels"]), int(info["max_output_channels"])
    return Device(number, str(info["name"]), inputs, outputs, int(info["default_samplerate"]))


def unusable(name: str, error: Exception | None) -> SoundError:
    """Return why a device cannot be opened: another program may have it."""
    text = str(error)
    busy = "-9985" in text or "unavailable" in text.lower()
    return SoundError(FaultCode.DEVICE_BUSY if busy else FaultCode.DEVICE_UNUSABLE, name=name)
