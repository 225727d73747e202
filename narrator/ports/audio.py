"""Sound: its shapes, the loudspeaker, the microphone, and what works on their samples."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Literal, Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

from narrator.ports.errors import SoundError

Pcm: TypeAlias = NDArray[np.int16]


"""Mono samples, shape (n,), full scale 32767."""


MIC_RATE = 16_000


"""Samples a second at which everything is heard."""


BLOCK = 1_600


"""Samples in one microphone block: 100 ms."""


SPEAKER_RATE = 22_050


"""Samples a second at which the mixer works."""


class VoiceDetector(Protocol):
    """Distinguishes speech from everything else, frame by frame."""

    frame: int
    """Samples it takes at a time."""

    def probability(self, frame: Pcm) -> float:
        """Return the probability, 0 to 1, that this frame holds speech."""
        ...

    def reset(self) -> None:
        """Forget what came before."""
        ...


Bus: TypeAlias = Literal["voice", "cues", "cover"]


@dataclass(frozen=True, slots=True)
class Clip:
    """Sound to be played, with the number that its end is reported under (0: not reported)."""

    utterance: int
    pcm: Pcm
    bus: Bus = "voice"
    at: int | None = None
    """Sample of the player's clock to begin at; None: as soon as what is queued on its bus is over.
    """
    heard_at: float | None = None
    """Session seconds at which its first sample is to be heard, in place of `at`, where the player
    knows when its samples are heard; one that is late begins at once."""


@dataclass(frozen=True, slots=True)
class Played:
    """A clip's end: played to the last sample, or cut."""

    utterance: int
    seconds: float
    """Of the clip, as far as it was heard."""
    complete: bool
    over: float | None = field(default=None, compare=False)
    """Session seconds at which its last sample was heard, where the player knows."""


class Player(Protocol):
    """The loudspeaker: one stream that is always open, several buses, every end reported."""

    def play(self, clip: Clip) -> None:
        """Queue a clip; returns at once."""
        ...

    def hush(self) -> None:
        """Fade the voice bus out within 100 ms, drop its queue, report each clip as cut."""
        ...

    def hold(self, on: bool) -> None:
        """Fade the voice bus out within 100 ms and let it wait where it is; off: go on, a moment
        before where it was, so that no word is lost.
        """
        ...

    def cover(self, on: bool) -> None:
        """Fade the masking sound in or out."""
        ...

    def volume(self, bus: Bus, gain: float) -> None:
        """Set a bus's gain, 0 to 2."""
        ...

    def position(self) -> int:
        """Return the player's clock: samples handed to the device so far, at SPEAKER_RATE."""
        ...

    def close(self) -> None:
        """Stop at once and give the device back; never hangs."""
        ...


PlayedCallback: TypeAlias = Callable[[Played], None]


"""Called from the player's own thread with each clip's end; must only queue."""


BlockCallback: TypeAlias = Callable[[Pcm], None]


"""Called with each microphone block, BLOCK samples at MIC_RATE; must only queue."""


FaultCallback: TypeAlias = Callable[[SoundError, bool], None]


"""Called with a fault, and whether it tells of a recovery."""


class EchoCanceller(Protocol):
    """Takes out of the microphone's sound what the loudspeaker put into it."""

    frame: int
    """Samples it takes at a time, at MIC_RATE."""

    def cancel(self, near: Pcm, far: Pcm) -> Pcm:
        """Return the microphone's frame without the echo.

        Args:
            near: What the microphone gave, one frame.
            far: What was played, one frame, no later than its echo comes in.
        """
        ...


class Microphone(Protocol):
    """The microphone: blocks arrive by callback until it is closed."""

    def close(self) -> None:
        """Stop at once and give the device back; never hangs."""
        ...
