"""Where an evening is stored."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

from narrator.core.effects import Effect
from narrator.core.events import Event
from narrator.core.values import Value
from narrator.ports.session import Heard


@dataclass(frozen=True, slots=True)
class Entry:
    """One line of the journal."""

    number: int
    now: float
    """Session seconds."""
    event: Event
    effects: tuple[Effect, ...] = field(default_factory=tuple)


class Journal(Protocol):
    """Where an evening is kept; one writer."""

    def append(self, now: float, event: Event, effects: Iterable[Effect]) -> None:
        """Store an event and what it caused, before the effects are heard."""
        ...

    def keep(self, now: float, state: Mapping[str, Any]) -> None:
        """Store a saved state, so that resuming need not begin with the first event."""
        ...

    def beat(self, now: float) -> None:
        """Note that this many session seconds were played, though nothing happened."""
        ...

    def finish(
        self, now: float, ended: str, result: Mapping[str, Value], totals: Mapping[str, Value]
    ) -> None:
        """Note how the game ended; an evening without this can be resumed."""
        ...

    def heard(self, heard: Heard) -> None:
        """Store what was made of an utterance, and what became of it: for people, not to replay."""
        ...

    def entries(self) -> list[Entry]:
        """Return everything stored so far, in order."""
        ...

    def close(self) -> None:
        """Finish writing."""
        ...
