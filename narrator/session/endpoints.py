"""The ends of a session: where sound comes from and goes to, who controls it, who watches."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from narrator.ports.session import Clock, Inbox, Input, Observer
from narrator.session.keyboard_input import KeyboardInput
from narrator.speaking.speech_queue import Speech


class Time(Clock, Protocol):
    """Session seconds, and what the machine slept."""

    sleeps: bool
    """Whether the machine may sleep while it counts."""

    def gap(self) -> float:
        """Return the seconds the machine slept since the last call; 0.0 where it did not."""
        ...

    def go_on_at(self, moment: float) -> float:
        """Continue at the second where an earlier session was broken off.

        Return the seconds by which this one is already beyond it.
        """
        ...


@dataclass(frozen=True, slots=True)
class Endpoints:
    """Everything around a session; a real table, and a world of virtual time alike."""

    clock: Time
    inbox: Inbox
    """Where every end posts to."""
    input: Input | None
    """What listens; None: the keyboard only."""
    output: Speech
    """What speaks."""
    controls: KeyboardInput | None
    """What is typed; None: there is no keyboard."""
    observers: Sequence[Observer] = ()
    """Notified of everything that happens."""
