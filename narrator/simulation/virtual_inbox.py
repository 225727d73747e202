"""The real inbox on a virtual clock: instead of waiting it moves time to what happens next."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from math import inf
from typing import Protocol

from narrator.adapters.system.inbox import ThreadInbox
from narrator.core.events import Event
from narrator.ports.session import Heard
from narrator.simulation.clock import VirtualClock

FOREVER = 3600.0
"""Seconds that are waited for where nothing says how long."""


class Mover(Protocol):
    """Something that happens by itself as time goes by."""

    def next_moment(self) -> float | None:
        """Return the session seconds at which it happens next; None: not by itself."""
        ...

    def tick(self) -> None:
        """Run everything that is due by now."""
        ...


@dataclass(slots=True)
class Later:
    """Things that are to happen at their moments."""

    clock: VirtualClock
    waiting: list[tuple[float, Callable[[], None]]] = field(default_factory=list)
    """Session seconds, and what happens then."""

    def append(self, item: tuple[float, Callable[[], None]]) -> None:
        """Schedule something for a moment."""
        self.waiting.append(item)

    def next_moment(self) -> float | None:
        """Return when the next of them is due."""
        return min((moment for moment, _ in self.waiting), default=None)

    def tick(self) -> None:
        """Run everything that is due by now."""
        now = self.clock.now()
        due = [item for item in self.waiting if item[0] <= now]
        self.waiting = [item for item in self.waiting if item[0] > now]
        for _, happen in due:
            happen()


class VirtualInbox(ThreadInbox):
    """An `Inbox` that moves a virtual clock.

    Args:
        clock: What is moved.
        movers: What happens meanwhile.
    """

    def __init__(self, clock: VirtualClock, *movers: Mover) -> None:
        super().__init__()
        self._clock = clock
        self.later = Later(clock)
        """What is to happen at its moment."""
        self.movers: list[Mover] = [*movers, self.later]

    def take(self, timeout: float | None) -> Event | Heard | None:
        """Return the next event, having moved time at most `timeout` on."""
        end = self._clock.now() + (FOREVER if timeout is None else timeout)
        while (event := self.take_now()) is None and self._move(end):
            continue
        return event

    def _move(self, end: float) -> bool:
        """Move on to what happens next; False where that is not before `end`."""
        now, following = self._clock.now(), inf
        for mover in self.movers:
            moment = mover.next_moment()
            if moment is not None and moment < following:
                following = moment
        if following > end:
            self._clock.advance_to(end)
            return now < end
        self._clock.advance_to(following)
        for mover in self.movers:
            mover.tick()
        return True
