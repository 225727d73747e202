"""What the session needs: time, its inbox, a screen, an input, and who watches what it does."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, Protocol, TypeAlias

from narrator.core.effects import Listen, SpeechRole
from narrator.core.events import Event, Transcript
from narrator.core.values import Value


class Clock(Protocol):
    """Session seconds: they start at 0, never jump, and stand still under a virtual clock until
    moved.
    """

    def now(self) -> float:
        """Return the seconds since the session began."""
        ...


Verdict: TypeAlias = Literal["accepted", "unclear", "ignored", "refused"]
"""What became of an utterance: it counted; it was asked for again; it was taken for nothing that
was said to the narrator; it was understood, and the game did not allow it."""


@dataclass(frozen=True, slots=True)
class Heard:
    """An utterance: what was made of it, what became of it and why."""

    at: float
    """Session seconds at which it was decided."""
    begin: float
    """Session seconds of its first sound."""
    end: float
    """Session seconds of its last sound."""
    text: str
    """What fitted best; empty where nothing did."""
    verdict: Verdict
    reason: str = ""
    """A code; empty where it was accepted."""
    score: float = 0.0
    """How well the sound fitted, comparable within one engine."""
    margin: float = 0.0
    """Score above the best sentence that means something else."""
    stands_out: float = 0.0
    """Decibels above the sound around it."""
    step: str = ""
    """Path of the step that listened."""
    seconds: float = 0.0
    """Of computing, where that was measured."""
    transcript: Transcript | None = None
    """What the game is told; None where it was ignored."""


class Inbox(Protocol):
    """The one queue into the thread that thinks. Any thread may post; one thread takes."""

    def post(self, event: Event | Heard) -> None:
        """Queue an event in its class: operator and stop, port failure, timer, transcript."""
        ...

    def take(self, timeout: float | None) -> Event | Heard | None:
        """Wait at most this many seconds for the next event; None if none came."""
        ...


class Screen(Protocol):
    """Plain lines for people who read."""

    def line(self, text: str) -> None:
        """Show one line."""
        ...


class Input(Protocol):
    """What listens: a microphone and a recogniser, or anything else that hears the table."""

    def expect(self, listen: Listen) -> None:
        """Change what may be said, from the next utterance on; returns at once."""
        ...

    def is_able(self) -> bool:
        """Whether it hears, or may hear again."""
        ...

    def talk(self) -> None:
        """Listen to the next utterance, from any speaker."""
        ...

    def close(self) -> None:
        """Stop hearing and give everything back; never hangs."""
        ...


@dataclass(frozen=True, slots=True)
class LineBegun:
    """The narrator has a line to say, and it is to be read from now on."""

    at: float
    utterance: int
    """Negative for the host's own, such as a fault."""
    text: str
    line: str = ""
    """Its id in the script."""
    role: SpeechRole = "narration"
    spoken: bool = True
    """Whether it is heard as well."""


@dataclass(frozen=True, slots=True)
class LineEnded:
    """A line is over."""

    at: float
    """Session seconds of its last sample."""
    utterance: int
    seconds: float
    """Of it that were heard."""
    complete: bool


@dataclass(frozen=True, slots=True)
class Shown:
    """Something to be read that is not said: a prompt, a reply to the keyboard."""

    at: float
    text: str


@dataclass(frozen=True, slots=True)
class Asked:
    """From now on this may be said."""

    at: float
    listen: Listen
    kind: str
    """Of the answer that is waited for; `command` where none is."""
    choices: tuple[str, ...] = ()
    """The answers there are, where they can be listed."""
    seat: str | None = None
    """Whose answer it is; None: anybody's."""
    buttons: tuple[str, ...] = ()
    """Commands that make sense now, by their names."""


@dataclass(frozen=True, slots=True)
class TimerRunning:
    """The public timer: it began, was changed, was paused, or is over."""

    at: float
    due: float | None
    """Session seconds at which it is over; None: it does not run."""


@dataclass(frozen=True, slots=True)
class PublicView:
    """What a shared screen may show, where it changed."""

    at: float
    view: Mapping[str, Value]


@dataclass(frozen=True, slots=True)
class Fault:
    """A part of the outside world failed or came back."""

    at: float
    port: str
    message: str
    code: str
    """A `FaultCode`; of what is over, where this tells of a recovery of the journal."""
    fields: Mapping[str, object]
    """What the sentence names, exactly those of the code."""
    recovered: bool = False


@dataclass(frozen=True, slots=True)
class Ended:
    """The session is over."""

    at: float
    how: str
    result: Mapping[str, Value]
    totals: Mapping[str, Value]


Update: TypeAlias = (
    LineBegun | LineEnded | Shown | Asked | Heard | TimerRunning | PublicView | Fault | Ended
)


class Observer(Protocol):
    """Watches a session: a terminal, a page, captions, a log. It is told from one thread, and
    must return at once.
    """

    def observe(self, update: Update) -> None:
        """Take what happened."""
        ...
