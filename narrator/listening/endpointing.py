"""Where an utterance begins and ends, counted in seconds of audio: no clock, no sound."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from narrator.core.expect import AnswerKind

Edge: TypeAlias = Literal["", "begin", "end", "too long"]


@dataclass(frozen=True, slots=True)
class Limits:
    """How long things must last, in seconds of audio."""

    silence: float = 0.45
    """Silence after speech that ends an utterance."""
    speech: float = 0.09
    """Speech that begins one, three of the detector's frames: less is a click or a cough.

    With four, eight of 280 words of real people were not noticed ("off", "six"); now four.
    """
    longest: float = 8.0
    """Length at which an utterance is given up: nobody answers that long."""


_LIST = Limits(silence=0.7)
LIMITS: dict[AnswerKind, Limits] = {
    "phrase": Limits(),
    "yesno": Limits(),
    "letter": Limits(),
    "choice": Limits(),
    "command": Limits(),
    "seat": Limits(silence=0.5),
    "number": Limits(silence=0.6),
    "seats": _LIST,
    "points": Limits(silence=0.9, longest=16.0),
    "names": Limits(silence=0.9, longest=20.0),
    "sentence": _LIST,
    "free": Limits(silence=1.2, longest=28.0),
}
"""By kind of answer: people pause inside lists and long numbers, not inside a yes."""


@dataclass(slots=True)
class Endpointer:
    """Finds utterances in a run of chunks that are each speech or not."""

    limits: Limits = field(default_factory=Limits)
    inside: bool = False
    """Whether an utterance has begun."""
    _speech_left: float = field(init=False, default=0.0)
    _silence_left: float = field(init=False, default=0.0)
    _length_left: float = field(init=False, default=0.0)
    _is_too_long: bool = field(init=False, default=False)

    def __post_init__(self) -> None:
        self.reset()

    def reset(self, limits: Limits | None = None) -> None:
        """Wait for a new utterance, from now on with these limits if any are given."""
        self.limits = limits or self.limits
        self.inside = False
        self._speech_left = self.limits.speech
        self._silence_left = self.limits.silence
        self._length_left = self.limits.longest
        self._is_too_long = False

    def lengthen(self) -> None:
        """Count the utterance that goes on from here: what came before was none."""
        self._length_left = self.limits.longest
        self._silence_left = self.limits.silence

    @property
    def silence(self) -> float:
        """Seconds since the last speech; 0 outside an utterance."""
        return self.limits.silence - self._silence_left

    def process(self, seconds: float, speech: bool) -> Edge:
        """Count one chunk.

        Args:
            seconds: Its length.
            speech: Whether it holds speech.

        Returns:
            What happens with it: "begin", "end", "too long" (once; "end" still follows), or "".
        """
        return self._within(seconds, speech) if self.inside else self._before(seconds, speech)

    def _before(self, seconds: float, speech: bool) -> Edge:
        # Silence takes counted speech back: knocking never adds up.
        self._speech_left -= seconds if speech else -seconds
        self._speech_left = min(self._speech_left, self.limits.speech)
        if self._speech_left > 1e-9:
            return ""
        self.inside = True
        return "begin"

    def _within(self, seconds: float, speech: bool) -> Edge:
        self._silence_left = self.limits.silence if speech else self._silence_left - seconds
        if self._silence_left <= 1e-9:
            self.reset()
            return "end"
        self._length_left -= seconds
        if not speech or self._is_too_long or self._length_left > 1e-9:
            return ""
        self._is_too_long = True
        return "too long"
