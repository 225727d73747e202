"""What is kept of an evening beside its events: who played what, how, and how it ended."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from narrator.core.events import Event
from narrator.core.values import Seat, Value

OVER = ("complete", "stopped", "faulty")
"""How a game ends for good, so that it cannot be resumed: played to its end, ended by the table's
own wish, or by a fault of its script.
"""


@dataclass(frozen=True, slots=True)
class Opening:
    """What an evening begins with: all that is needed to play it again."""

    game: str
    title: str
    language: str
    """Of the table."""
    seats: tuple[Seat, ...]
    options: Mapping[str, Value]
    """Options and posts of the game, as the table chose them."""
    settings: Mapping[str, Value]
    """Of the program."""
    seed: int
    script: Mapping[str, str]
    """The texts of the script's files, by name: `game.yaml`, `lines.ko.yaml`."""
    script_hash: str
    version: str
    """Of Narrator."""
    begun: str
    """Local time with its offset, as ISO 8601 has it."""


@dataclass(frozen=True, slots=True)
class Record:
    """An evening as it is stored, without its events."""

    number: int
    """What the evening is called by on the command line."""
    opening: Opening
    """Its script is empty here: the text is read only where it is needed."""
    ended: str = ""
    """One of `OVER`, or `declined` where nobody wants to go on; empty: unfinished."""
    finished: str = ""
    """Local time of the end; empty where there was none."""
    seconds: float = 0.0
    """Session seconds that were played."""
    result: Mapping[str, Value] = field(default_factory=dict)
    totals: Mapping[str, Value] = field(default_factory=dict)

    def is_over(self) -> bool:
        """Whether its secrets are secret no more: the game came to an end."""
        return self.ended in OVER

    def names(self) -> list[str]:
        """Return the seats' names, clockwise."""
        return [seat.name for seat in self.opening.seats]


@dataclass(frozen=True, slots=True)
class Past:
    """What a game in progress is rebuilt from: a saved state, and the events after it."""

    state: Mapping[str, Any] | None
    """As `Engine.to_dict` gave it; None: from the beginning."""
    saved: float = 0.0
    """Session seconds of the saved state."""
    events: tuple[tuple[float, Event], ...] = ()
    """Session seconds, and what happened."""
    now: float = 0.0
    """Session seconds at which the evening was broken off."""
    first: int = 0
    """Number of the first of the events."""

    def count(self) -> int:
        """Return the number of the event that comes next."""
        return self.first + len(self.events)
