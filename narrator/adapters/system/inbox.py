"""The one queue into the thread that thinks."""

from __future__ import annotations

import threading
from collections import deque
from enum import IntEnum

from narrator.core.commands import table
from narrator.core.events import (
    Event,
    Key,
    PortFailed,
    Resumed,
    Slept,
    SpeechCut,
    SpeechFinished,
    Start,
    TimerFired,
    Transcript,
)
from narrator.ports.session import Heard

URGENT_COMMANDS = table.intents(lambda command: command.urgent)
"""Spoken commands that overtake everything, as a key does."""

CAPACITY = 256
"""Events a class holds before its oldest is dropped."""

_SLICE = 0.5
"""Seconds; Windows sees Ctrl-C only between waits, so no single wait is longer."""


class Priority(IntEnum):
    """Which events are taken first; first come, first served within a class."""

    OPERATOR = 0
    FAULT = 1
    TIMER = 2
    TRANSCRIPT = 3


def priority_of(event: Event | Heard) -> Priority:
    """Return the class an event is queued in."""
    match event:
        case Heard(transcript=heard):
            return Priority.TRANSCRIPT if heard is None else priority_of(heard)
        case Key() | Start() | Resumed() | Slept():
            return Priority.OPERATOR
        case Transcript(meaning=meaning) if meaning and meaning.intent in URGENT_COMMANDS:
            return Priority.OPERATOR
        case PortFailed():
            return Priority.FAULT
        # The end of a line drives the script as a timer does: losing it behind chatter would stall.
        case TimerFired() | SpeechFinished() | SpeechCut():
            return Priority.TIMER
        case Transcript():
            return Priority.TRANSCRIPT


class ThreadInbox:
    """An `Inbox` for many posting threads and one that takes.

    Each class is bounded on its own, so that a flood of one kind (a recogniser gone wild) can
    neither fill the memory nor push out another kind.
    """

    def __init__(self, capacity: int = CAPACITY) -> None:
        """Hold at most `capacity` events of each class."""
        self._capacity = capacity
        self._queues: tuple[deque[Event | Heard], ...] = tuple(deque() for _ in Priority)
        self._arrived = threading.Condition()
        self._dropped = 0

    @property
    def dropped(self) -> int:
        """How many events were lost because their class was full."""
        return self._dropped

    def post(self, event: Event | Heard) -> None:
        """Queue an event; never blocks. The oldest of a full class is dropped and counted."""
        queue = self._queues[priority_of(event)]
        with self._arrived:
            if len(queue) >= self._capacity:
                queue.popleft()
                self._dropped += 1
            queue.append(event)
            self._arrived.notify()

    def take(self, timeout: float | None) -> Event | Heard | None:
        """Return the next event.

        Args:
            timeout: Seconds to wait for one, 0 or less: none; None: as long as it takes.

        Returns:
            The oldest event of the most urgent class; None when none came in time.
        """
        left = float("inf") if timeout is None else timeout
        with self._arrived:
            while not self._waiting() and left > 0:
                self._arrived.wait_for(self._waiting, min(left, _SLICE))
                left -= _SLICE
            return self._next()

    def take_now(self) -> Event | Heard | None:
        """Return the next event that is there already; never waits."""
        with self._arrived:
            return self._next()

    def _waiting(self) -> bool:
        return any(self._queues)

    def _next(self) -> Event | Heard | None:
        for queue in self._queues:
            if queue:
                return queue.popleft()
        return None
