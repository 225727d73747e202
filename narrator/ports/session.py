"""What the session needs: time, its inbox, and a screen."""

from __future__ import annotations

from typing import Protocol

from narrator.core.events import Event


class Clock(Protocol):
    """Session seconds: they start at 0, never jump, and stand still under a virtual clock until
    moved.
    """

    def now(self) -> float:
        """Return the seconds since the session began."""
        ...


class Inbox(Protocol):
    """The one queue into the thread that thinks. Any thread may post; one thread takes."""

    def post(self, event: Event) -> None:
        """Queue an event in its class: operator and stop, port failure, timer, transcript."""
        ...

    def take(self, timeout: float | None) -> Event | None:
        """Wait at most so many seconds for the next event; None when none came."""
        ...


class Screen(Protocol):
    """Plain lines for people who read."""

    def line(self, text: str) -> None:
        """Show one line."""
        ...
