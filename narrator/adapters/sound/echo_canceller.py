"""WebRTC's echo canceller, as the package `livekit` carries it: offline, 10 ms at a time."""

from __future__ import annotations

from typing import Any

import numpy as np

from narrator.ports.audio import MIC_RATE, Pcm
from narrator.ports.errors import SoundError
from narrator.ports.faults import FaultCode

_DELAY_MS = 100
"""About how far its echo comes behind what was played; the canceller finds the rest itself."""


class WebRtcCanceller:
    """An EchoCanceller that adapts to the room; used from one thread."""

    frame = MIC_RATE // 100

    def __init__(self) -> None:
        """Load the library. Raises SoundError where it is not installed or does not start."""
        try:
            from livekit import rtc

            self._rtc: Any = rtc
            self._module: Any = self._rtc.AudioProcessingModule(echo_cancellation=True)
        except (ImportError, OSError, RuntimeError) as error:
            raise SoundError(FaultCode.ECHO_CANCELLER_MISSING) from error

    def cancel(self, near: Pcm, far: Pcm) -> Pcm:
        """Return 10 ms of the microphone's sound without the echo of what was played."""
        self._module.process_reverse_stream(self._framed(far))
        self._module.set_stream_delay_ms(_DELAY_MS)
        heard = self._framed(near)
        self._module.process_stream(heard)
        return np.frombuffer(heard.data, np.int16).copy()

    def _framed(self, sound: Pcm) -> Any:
        return self._rtc.AudioFrame(bytearray(sound.tobytes()), MIC_RATE, 1, sound.size)
