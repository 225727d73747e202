"""What can happen. Everything that reaches the core is one of these."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from narrator.core.expect import Meaning


@dataclass(frozen=True, slots=True)
class Start:
    """The table is ready; the game begins."""


@dataclass(frozen=True, slots=True)
class Resumed:
    """The program was started again, with the game as it was when it was broken off."""

    outside: float = 0.0
    """Session seconds that went by since then, outside the game: no timer ran meanwhile."""


@dataclass(frozen=True, slots=True)
class Slept:
    """The machine slept, and session time stood still meanwhile."""

    seconds: float


@dataclass(frozen=True, slots=True)
class Transcript:
    """Somebody said or typed something while the core was listening."""

    text: str
    """The words, lower case, as the recogniser gave them."""
    meaning: Meaning | None
    """None where nothing that is expected fits: the text is kept for the journal."""
    listen: int
    """The number of the Listen it answers; an answer to an older one is stale and is refused."""
    confidence: float = 1.0
    """0 to 1, comparable only within one engine."""
    source: Literal["voice", "keyboard", "page"] = "voice"
    unclear: bool = False
    """Something was said, but not surely enough to act on (rejected, or outside the grammar)."""
    only_heard: bool = False
    """Somebody near spoke, and it fits nothing that may be said: a short sound tells so."""
    likely: tuple[str, ...] = ()
    """Where it is unclear: the two answers it was most like, the best first, as they are spoken."""
    by: str = ""
    """The seat on whose page it was pressed; empty where that is not known."""


@dataclass(frozen=True, slots=True)
class TimerFired:
    """A timer is due. A generation that is not the timer's own any more is ignored."""

    name: str
    generation: int


@dataclass(frozen=True, slots=True)
class SpeechFinished:
    """The last sample of this utterance was played."""

    utterance: int
    at: float | None = field(default=None, compare=False)
    """Session seconds at which it was heard, where that is known: a busy machine tells it late."""


@dataclass(frozen=True, slots=True)
class SpeechCut:
    """This utterance was stopped before its end."""

    utterance: int
    at: float
    """Seconds of it that were heard."""


@dataclass(frozen=True, slots=True)
class Key:
    """A key was pressed that stands for a command, for instance `pause`."""

    command: str
    source: Literal["keyboard", "page"] = field(default="keyboard", compare=False)
    by: str = field(default="", compare=False)
    """The seat on whose page it was pressed; empty where that is not known."""


@dataclass(frozen=True, slots=True)
class PortFailed:
    """A part of the outside world failed or came back: a code with fields, told by the language."""

    port: str
    code: str
    """See `narrator.ports.faults`."""
    fields: Mapping[str, str | int | float] = field(default_factory=dict, hash=False)
    recovered: bool = False
    then: str = ""
    """What follows from it for the table, as a code."""


Event: TypeAlias = (
    Start
    | Resumed
    | Slept
    | Transcript
    | TimerFired
    | SpeechFinished
    | SpeechCut
    | Key
    | PortFailed
)
