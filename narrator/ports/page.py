"""What a page shows as buttons, and what comes back when one is pressed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

Picking: TypeAlias = Literal["one", "several", "points", "words"]
"""How an answer is put together: one button; several of them; points for each; or free words."""


@dataclass(frozen=True, slots=True)
class Button:
    """One answer."""

    line: str
    """As it could be typed; empty for the words that are expected."""
    label: str
    is_whole: bool = False
    """Whether it is the whole answer where several are chosen: nobody."""


@dataclass(frozen=True, slots=True)
class Answers:
    """The answers that are awaited now, the same for every page."""

    picking: Picking
    buttons: tuple[Button, ...]
    prompt: str = ""
    """One line that tells what may be said."""
    typed: str = ""
    """What the keyboard is told instead, which is of no use on a page."""
    low: int = 0
    """For points: the fewest."""
    high: int = 0
    """For points: the most."""


@dataclass(frozen=True, slots=True)
class Press:
    """A button that was pressed on a page: an answer to one question, or a command."""

    line: str
    """The answer as it could be typed; empty for the words that are expected."""
    listen: int
    """The number of the Listen whose buttons were shown."""
    by: str = ""
    """The seat whose page it is; empty: the table's."""
    command: str = ""
    """Instead of an answer."""
