"""What the core asks for. The session performs these in order; none of them may block."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Literal, TypeAlias

from narrator.core.expect import Expectation
from narrator.core.values import Value

SpeechRole: TypeAlias = Literal["narration", "question", "chatter"]
STYLES = ("night", "question", "list", "announce")
"""Manners of speaking that a script may name; each voice has its own way of each."""


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
    style: str = ""
    """One of STYLES, as the script has it, so that no secret can be heard from it; empty: the usual
    one of the role."""


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
    """Stop speaking within 100 ms and drop what is queued."""


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
    limited: bool = False
    """The question goes by after a while (`within`): nobody owes an answer."""

    @property
    def answers(self) -> tuple[Expectation, ...]:
        """What the step itself expects: all but the commands."""
        return tuple(e for e in self.expectations if e.kind != "command")


@dataclass(frozen=True, slots=True)
class Show:
    """Show a line on the screen without speaking it."""

    text: str


@dataclass(frozen=True, slots=True)
class Adjust:
    """Change how it sounds, a step `up` or `down`: the voice's `volume` or `rate`, or the loudness
    of the `cues` or of the masking sound (`cover`).
    """

    setting: Literal["volume", "rate", "cues", "cover"]
    direction: Literal["up", "down"]


class Refusal(StrEnum):
    """Why an event was not allowed. The values stand in journals and never change."""

    GAME_OVER = "game over"
    NOT_BEGUN = "not begun"
    BEGUN_ALREADY = "begun already"
    STALE_TIMER = "stale timer"
    TIMER_NOT_DUE = "timer not due"
    YES_OR_NO_AWAITED = "yes or no awaited"
    OLDER_QUESTION = "older question"
    """It answers a question that is not asked any more."""
    NOT_UNDERSTOOD = "not understood"
    NOTHING_ASKED = "nothing asked"
    NO_ANSWER_TO_THIS = "no answer to this"
    """It is of another kind than the question asks for."""
    TOO_EARLY = "too early"
    """It came before the step can be over; journals of 0.1 only, for today it is held."""
    NOT_ALLOWED_HERE = "not allowed here"
    """It was understood, and the rules of the game forbid it."""
    NOT_NOW = "not now"
    """The command makes no sense at this moment."""
    NOTHING_TO_REPEAT = "nothing to repeat"
    STANDING_STILL = "standing still"
    """The line it tells of is awaited, but not in a pause, nor while something is confirmed."""
    PORT_FAILED = "port failed"
    """No event of the game: a part of the outside world failed or came back."""

    @classmethod
    def written(cls, reason: str) -> Refusal:
        """Return what a journal holds; up to 0.1 it held a sentence, or a port's own message."""
        return cls(_SENTENCES.get(reason, reason if reason in _VALUES else cls.PORT_FAILED))


_VALUES = frozenset(Refusal)
_SENTENCES: Mapping[str, Refusal] = {
    "the game is over": Refusal.GAME_OVER,
    "the game has not begun": Refusal.NOT_BEGUN,
    "the game has begun already": Refusal.BEGUN_ALREADY,
    "the timer is stale": Refusal.STALE_TIMER,
    "the timer is not due": Refusal.TIMER_NOT_DUE,
    "a yes or no is awaited": Refusal.YES_OR_NO_AWAITED,
    "it answers an older question": Refusal.OLDER_QUESTION,
    "it was not understood": Refusal.NOT_UNDERSTOOD,
    "nothing is asked now": Refusal.NOTHING_ASKED,
    "it is no answer to this question": Refusal.NO_ANSWER_TO_THIS,
    "it came before the step can be over": Refusal.TOO_EARLY,
    "it is not an answer that the rules allow here": Refusal.NOT_ALLOWED_HERE,
    "the command makes no sense now": Refusal.NOT_NOW,
    "there is nothing to repeat": Refusal.NOTHING_TO_REPEAT,
}
"""How the journals of releases up to 0.1 say it."""


@dataclass(frozen=True, slots=True)
class Refused:
    """The event was not allowed now, and why; for the journal, silent to the table."""

    event: str
    reason: Refusal


@dataclass(frozen=True, slots=True)
class Finish:
    """The game is over."""

    result: Mapping[str, Value]
    """The keys of the script's `result`."""
    ended: Literal["complete", "stopped", "faulty"] = "complete"
    """To its end; by the table's own wish; by a fault of the script that nothing leads out of."""


@dataclass(frozen=True, slots=True)
class Chosen:
    """The lobby is over: the table has decided what is played."""

    goes_on: bool
    """With the game that was broken off; False: with a new one."""


Effect: TypeAlias = (
    Say | CountDown | Hush | Cue | Cover | Listen | Show | Adjust | Refused | Chosen | Finish
)
