"""What may be said now, and what something that was said means."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from narrator.core.values import Value

AnswerKind: TypeAlias = Literal[
    "phrase",
    "yesno",
    "number",
    "seat",
    "seats",
    "letter",
    "choice",
    "points",
    "names",
    "free",
    "sentence",
    "command",
]


@dataclass(frozen=True, slots=True)
class Expectation:
    """One thing the table may say at this moment."""

    intent: str
    """What it is: `answer`, `phrase`, or `command:pause` and its like."""
    kind: AnswerKind
    templates: tuple[str, ...] = ()
    """hassil sentence templates; for `phrase`, `sentence` and `command` the whole sentence, else
    optional frames around the slot such as `I vote for {seat}`. Empty: the locale's frames for
    this kind.
    """
    choices: tuple[tuple[str, tuple[str, ...]], ...] = ()
    """For `choice`: each value with the hassil templates that mean it."""
    allowed: tuple[str, ...] = ()
    """For `seat`, `seats`, `letter`: the acceptable ones. The grammar still hears every seat of the
    table, so that a wrong one is understood and refused, not bent into a right one."""
    low: int = 0
    """For `number` and `points`: the smallest that is understood."""
    high: int = 0
    """For `number` and `points`: the largest that is understood."""
    halves: bool = False
    """For `number` and `points`: whether a half may follow, as in "two and a half"."""
    nobody: bool = False
    """For `seat`, `seats` and `points`: whether "nobody" is an answer (value None, or an empty list
    or map)."""
    as_said: bool = False
    """For `seats`: whether the list keeps the order in which they were said, as where people say
    who sits where; else it has the table's."""
    amends: str = ""
    """For a `sentence` that puts right what was read back: the kind of the answer, after `each`
    where it names whose answer it is; or `wrong` where it only names those whose answers are wrong.
    Its templates are the locale's."""
    undoable: bool = True
    """False where the answer cannot be taken back: it needs a surer hearing."""


@dataclass(frozen=True, slots=True)
class Meaning:
    """What a transcript means among the live expectations."""

    intent: str
    value: Value = None
    """yesno: bool; number: int, or float with a half; seat: name or None; seats: list of names;
    letter: "B"; choice: its value; points: number by seat; phrase: the words; sentence: what its
    slots hold, by name; command: a number where the command carries one, else None; free: the
    words.
    """
