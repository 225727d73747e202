"""What the core wants done. The host performs these in order; none of them may block."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from narrator.core.expect import Expectation
from narrator.core.values import Value

SpeechRole: TypeAlias = Literal["narration", "question", "chatter"]


@dataclass(frozen=True, slots=True)
class Say:
    """Speak a line. The host answers with SpeechFinished or SpeechCut for the same utterance."""

    utterance: int
    text: str
    line: str = ""
    """The line's id, for captions, translations and tests."""
    role: SpeechRole = "narration"
    rate: float = 1.0
    """Of the normal speech rate."""


@dataclass(frozen=True, slots=True)
class CountDown:
    """Speak these words one beat apart, placed by the sample; reported like one utterance."""

    utterance: int
    words: tuple[str, ...]
    beat: float
    """Seconds from the onset of one word to the onset of the next."""
    line: str = ""
    begins: float | None = None
    """Session seconds at which the first word is to be heard: words that belong to moments, of
    which those that have passed are left out. None: it begins when what is before it is over."""

    def following(self, free: float) -> tuple[tuple[str, ...], float]:
        """Return the words that can still be in time, and when the first of them is to be heard.

        Args:
            free: Session seconds at which what is before it is over.
        """
        if self.begins is None:
            return self.words, free
        gone = max(0, math.ceil((free - self.begins) / self.beat - 1e-6))
        return self.words[gone:], self.begins + gone * self.beat


@dataclass(frozen=True, slots=True)
class Hush:
    """Be silent within 100 ms and drop what is queued."""


@dataclass(frozen=True, slots=True)
class Cue:
    """Play a short sound: `listen`, `understood`, `again`, `time`."""

    name: str


@dataclass(frozen=True, slots=True)
class Cover:
    """Start or stop the masking sound."""

    on: bool


@dataclass(frozen=True, slots=True)
class Listen:
    """From now on this, and only this, may be said.

    Replaces the last Listen. The host opens the gate only after the narrator has been silent for
    the guard time.
    """

    listen: int
    expectations: tuple[Expectation, ...]
    step: str
    """Path of the step that asks, for instance `night/turns/hear-2`."""
    seat: str | None = None
    """Whose answer it is; None: anybody's."""
    eyes_closed: bool = False
    reads_back: Mapping[str, Value] = field(default_factory=dict)
    """What a yes or no would confirm: variable and value, public by then."""
    into: str = ""
    """Variable that the answer goes into; empty where the step keeps none."""
    key: str = ""
    """Key within that variable, where it holds an answer for each seat."""
    timed: bool = False
    """A public timer is running and what is expected would end it early: nobody owes an answer."""
    opens_after: float = 0.0
    """Seconds from now before which nothing counts (`not before`)."""


@dataclass(frozen=True, slots=True)
class Show:
    """Put a line on the screen without speaking it."""

    text: str


@dataclass(frozen=True, slots=True)
class Adjust:
    """Change how it sounds, a step `up` or `down`: the voice's `volume` or `rate`, or the loudness
    of the `cues` or of the masking sound (`cover`).
    """

    setting: Literal["volume", "rate", "cues", "cover"]
    direction: Literal["up", "down"]


@dataclass(frozen=True, slots=True)
class Refused:
    """The event was not allowed now, and why; for the journal, silent to the table."""

    event: str
    reason: str


@dataclass(frozen=True, slots=True)
class Finish:
    """The game is over."""

    result: Mapping[str, Value]
    """The keys of the script's `result`."""
    ended: Literal["complete", "stopped"] = "complete"


Effect: TypeAlias = Say | CountDown | Hush | Cue | Cover | Listen | Show | Adjust | Refused | Finish
