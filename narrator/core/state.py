"""All that a game in progress is: plain data that JSON can hold."""

from __future__ import annotations

import copy
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any, Literal

from narrator.core.machine import Moderator, of_format_1
from narrator.core.values import Seat, Value

_MASK = (1 << 64) - 1
_GOLDEN = 0x9E3779B97F4A7C15
"""SplitMix64: its whole state is one integer, so that it can live in the game's."""
UNDO_LEVELS = 20
MOST_LINES = 8
"""Lines that an instruction has at most; the longest of a shipped game has six."""
_DIGIT = re.compile(r"\d")
_SENTENCE = re.compile(r"(?<=[.!?])\s+")
LESSON = "lesson"
"""The timer between two parts of a lesson, the only one that runs while the game stands still."""
FORMAT = 2
"""Version of the saved form."""


@dataclass(slots=True)
class TimerState:
    """A timer: due at a time, or frozen with so much left."""

    generation: int
    due: float | None
    remaining: float = 0.0
    kind: str = ""
    """`warning:30` and the like: what its firing stands for."""

    def left(self, now: float) -> float:
        """Return the seconds that are left, never negative."""
        return max(0.0, self.remaining if self.due is None else self.due - now)


@dataclass(slots=True)
class Frame:
    """One open block of steps: where in it the game is, and which run of a loop this is."""

    block: str
    """Path of the block."""
    index: int = 0
    """Of the step the game is at; -1: before the first."""
    items: list[Value] | None = None
    """What a `for each` runs over."""
    turn: int = 0
    """Run of the loop, from 0."""


@dataclass(slots=True)
class Spoken:
    """A line as it was said, for `repeat`."""

    text: str
    line: str
    role: Literal["narration", "question", "chatter"] = "narration"
    rate: float = 1.0
    style: str = ""


@dataclass(slots=True)
class State:
    """The state of a game. Time is in session seconds."""

    seats: list[Seat]
    chance: int
    settings: dict[str, Value] = field(default_factory=dict)
    posts: dict[str, Value] = field(default_factory=dict)
    variables: dict[str, Value] = field(default_factory=dict)
    totals: dict[str, Value] = field(default_factory=dict)
    stack: list[Frame] = field(default_factory=list)
    moderator: Moderator = field(default_factory=Moderator)
    """What the moderator is doing: its place in the machine."""
    seat: str | None = None
    """Whose turn it is, where the step names one."""
    timers: dict[str, TimerState] = field(default_factory=dict)
    generation: int = 0
    utterance: int = 0
    awaited: int = 0
    """Utterance whose end moves the game on; 0: none."""
    listen: int = 0
    opened: float = 0.0
    """When the present answer could first be given."""
    timed: float = 0.0
    """Seconds that the timer or window of the step was given, with what the table added."""
    misses: int = 0
    """Utterances not understood since the question."""
    last: Spoken | None = None
    """The line that was said last."""
    instruction: list[Spoken] = field(default_factory=list)
    """The lines since the last answer or window, all of which belong to what is asked now."""
    numbers: list[str] = field(default_factory=list)
    """The sentences with numbers in the last instruction that had some."""
    covered: bool = False
    held: float = 0.0
    """Seconds a limited answer has left while its question is said again; 0: it is not."""
    ended: str = ""
    """How the game ended, as `Finish` tells it; empty: it did not."""
    slept: float = 0.0
    """Seconds the machine slept, while the table is asked whether they count."""
    early: dict[str, Any] | None = None
    """What was said before it counts: it is taken at the floor."""
    asked: list[str] = field(default_factory=list)
    """Commands that were said in a fixed window: they are carried out behind it."""
    passed: float = 0.0
    """Seconds of timers and windows since the last answer: what an undo would go back over."""
    spent: dict[str, float] = field(default_factory=dict)
    """Seconds that timers have used since the last answer, by path and seat."""
    used: dict[str, float] = field(default_factory=dict)
    """Seconds that timers have used before an undo, which does not give them back."""
    lesson: int = 0
    """Part of the lesson that is being spoken, from 1; 0: none."""
    lesson_line: int = 0
    """Its utterance."""
    told: str = ""
    """In a snapshot for `undo`: the answer that came next, as it may be told; empty: it may not."""
    teller: str = ""
    """In a snapshot for `undo`: whose answer it was; empty: nobody's in particular."""
    history: list[dict[str, Any]] = field(default_factory=list)
    """Snapshots for `undo`, the newest last."""

    def to_dict(self, now: float, *, history: bool = True) -> dict[str, Any]:
        """Return the state as JSON can hold it, its timers frozen as of now.

        Values are shared with the state, which never changes one in place.
        """
        data = {name: getattr(self, name) for name in self.__slots__}
        data["seats"] = [_seat(seat) for seat in self.seats]
        data["stack"] = [_plain(frame) for frame in self.stack]
        data["last"] = _plain(self.last) if self.last else None
        data["instruction"] = [_plain(spoken) for spoken in self.instruction]
        data["moderator"] = {"at": self.moderator.at, "back": list(self.moderator.back)}
        data["timers"] = {
            name: {**_plain(timer), "due": None, "remaining": timer.left(now)}
            for name, timer in self.timers.items()
        }
        for name in ("settings", "posts", "variables", "totals"):
            data[name] = dict(data[name])
        data["history"] = list(self.history) if history else []
        if self.moderator.is_answering:
            data["opened"] = self.opened - now
        data["format"] = FORMAT
        return data

    @classmethod
    def from_dict(cls, data: Mapping[str, Any], now: float) -> State:
        """Rebuild a state; its timers run on from now unless the game was paused."""
        if data.get("format") == 1:
            data = _of_today(data)
        apart = ("format", "history")
        fields = copy.deepcopy({k: v for k, v in data.items() if k not in apart})
        # Snapshots are never changed, and by far the largest part.
        fields["history"] = list(data.get("history", ()))
        fields["seats"] = [Seat(**{**s, "hear": tuple(s["hear"])}) for s in fields["seats"]]
        fields["moderator"] = Moderator(**fields["moderator"])
        fields["stack"] = [Frame(**f) for f in fields["stack"]]
        fields["last"] = Spoken(**fields["last"]) if fields["last"] else None
        fields["instruction"] = [Spoken(**s) for s in fields.get("instruction", ())]
        fields["timers"] = {k: TimerState(**t) for k, t in fields["timers"].items()}
        state = cls(**fields)
        if state.moderator.is_answering:
            state.opened += now
        if not state.moderator.is_standing_still:
            state.thaw(now)
        elif state.moderator.is_teaching and LESSON in state.timers:
            state.timers[LESSON].due = now + state.timers[LESSON].remaining
        return state

    def freeze(self, now: float) -> None:
        """Stop every timer with what it has left."""
        for timer in self.timers.values():
            timer.remaining, timer.due = timer.left(now), None

    def thaw(self, now: float) -> None:
        """Continue every timer from now."""
        for timer in self.timers.values():
            if timer.due is None:
                timer.due = now + timer.remaining

    def start_timer(self, name: str, seconds: float, now: float, kind: str = "") -> None:
        """Start or restart a timer; one that fired before under this name is stale from now on."""
        self.generation += 1
        self.timers[name] = TimerState(self.generation, now + max(0.0, seconds), 0.0, kind)

    def remember(self, now: float, told: str = "", teller: str = "") -> None:
        """Keep a snapshot that `undo` can return to.

        Args:
            now: Session seconds.
            told: The answer that is about to be kept, as it may be said aloud.
            teller: Whose it is.
        """
        snapshot = self.to_dict(now, history=False)
        self.history.append({**snapshot, "told": told, "teller": teller})
        del self.history[:-UNDO_LEVELS]
        self.passed, self.spent, self.instruction = 0.0, {}, []

    def instruct(self, spoken: Spoken) -> None:
        """Add a line to what is asked of the table now."""
        told = [s for s in _SENTENCE.split(spoken.text) if _DIGIT.search(s)]
        if told:
            earlier = any(_DIGIT.search(line.text) for line in self.instruction)
            self.numbers = (self.numbers if earlier else []) + told
        self.last = spoken
        self.instruction = [*self.instruction, spoken][-MOST_LINES:]

    def names(self) -> list[str]:
        """Return the seats' names, clockwise."""
        return [seat.name for seat in self.seats]


def _of_today(data: Mapping[str, Any]) -> dict[str, Any]:
    """Return a state that 0.1 saved as it is saved today."""
    said = ("mode", "stage", "paused", "confirming")
    rest = {name: value for name, value in data.items() if name not in said}
    moderator = of_format_1(*(data[name] for name in said))
    return {**rest, "moderator": {"at": moderator.at, "back": moderator.back}, "format": FORMAT}


@cache
def _seat(seat: Seat) -> dict[str, Any]:
    """Return a seat for a snapshot: it never changes, and every answer takes a snapshot."""
    return _plain(seat)


def _plain(thing: Seat | Frame | Spoken | TimerState) -> dict[str, Any]:
    return {name: getattr(thing, name) for name in thing.__slots__}


def draw(state: int, count: int) -> tuple[int, int]:
    """Draw evenly from 0 to count - 1 (SplitMix64).

    Args:
        state: Any integer; a seed, or what the last draw returned.
        count: How many outcomes there are, at least 1.

    Returns:
        The number drawn and the state for the next draw.
    """
    state = (state + _GOLDEN) & _MASK
    mixed = state
    mixed = ((mixed ^ (mixed >> 30)) * 0xBF58476D1CE4E5B9) & _MASK
    mixed = ((mixed ^ (mixed >> 27)) * 0x94D049BB133111EB) & _MASK
    mixed ^= mixed >> 31
    return (mixed * count) >> 64, state
