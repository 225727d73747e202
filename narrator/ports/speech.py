"""Voices: from text to samples."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from narrator.ports.audio import Pcm


@dataclass(frozen=True, slots=True)
class Voice:
    """How a line is to sound."""

    name: str = ""
    """The engine's own id, for instance `gmw/en-us+f3`; empty: the default for the language."""
    language: str = "en"
    rate: int = 165
    """Words a minute, 80 to 450."""
    volume: float = 1.0
    """0 to 1."""
    pitch: int = 50
    """0 to 99."""
    style: str = ""
    """`night`, `question`, `list` or `announce`; each engine has its own way of each."""


@dataclass(frozen=True, slots=True)
class VoiceInfo:
    """A voice that can be chosen."""

    id: str
    """What `Voice.name` takes."""
    language: str
    """Its language tag in lower case, for instance `en-us`; empty where the engine does not say."""
    name: str
    """As people call it."""


class Synthesiser(Protocol):
    """Turns text into sound; never plays it."""

    name: str

    def render(self, text: str, voice: Voice) -> Pcm:
        """Return the line at SPEAKER_RATE, without leading silence. Raises SynthesiserError."""
        ...

    def close(self) -> None:
        """End the engine and any process of its own."""
        ...


class KeyedSynthesiser(Synthesiser, Protocol):
    """A Synthesiser of several engines that tells what a line may be stored by."""

    def key(self, text: str, voice: Voice) -> str:
        """Return the engine and version that are to speak a line."""
        ...

    def spoken_by(self, text: str, voice: Voice) -> str:
        """Return the engine and version that spoke a line when it was last rendered."""
        ...

    def is_ready(self, text: str, voice: Voice) -> bool:
        """Whether the engine of a line has started; never waits."""
        ...
