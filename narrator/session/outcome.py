"""How a game ended, and what a session goes on with behind it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from narrator.core.engine import Engine
from narrator.core.events import Event, Start
from narrator.core.lobby import Lobby
from narrator.core.values import Value
from narrator.ports.storage import Journal
from narrator.session.look_ahead import LookAhead

Ending: TypeAlias = Literal[
    "complete", "stopped", "faulty", "quit", "unanswered", "chosen", "declined"
]
GOES_ON = "goes on"
"""What the table chose in the lobby, in the result of a lobby that ended so."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a game, or the lobby before it, ended."""

    ended: Ending
    """To its end; by the table's own wish; by a fault of the script; by Ctrl-C; for want of anybody
    who could answer; or, in the lobby, with a choice, or without one because the lines of a pipe
    are meant for the game.
    """
    result: Mapping[str, Value] = field(default_factory=dict)
    totals: Mapping[str, Value] = field(default_factory=dict)
    seconds: float = 0.0


@dataclass(frozen=True, slots=True)
class Following:
    """What a session goes on with."""

    engine: Engine | Lobby
    journal: Journal
    """Gets every event from now on."""
    foresight: LookAhead | None = None
    first: Event = field(default_factory=Start)
    """What happens first in it."""


Follow: TypeAlias = Callable[[Outcome], Following | None]
"""Returns what follows a game or the lobby; None: the session is over."""
