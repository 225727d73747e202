"""A clock that stands still until it is moved."""

from __future__ import annotations


class VirtualClock:
    """Session seconds under the test's hand; a `Clock` like the real one."""

    def __init__(self, start: float = 0.0) -> None:
        """Start at `start` session seconds."""
        self._now = start
        self.sleeps = False
        """Whether the machine may sleep while it counts."""

    def now(self) -> float:
        """Return the session seconds it was moved to."""
        return self._now

    def go_on_at(self, moment: float) -> float:
        """Continue at the second where an earlier session was broken off, if that is later."""
        return max(0.0, self.advance_to(moment) - moment)

    def gap(self) -> float:
        """Return 0.0: virtual time does not sleep."""
        return 0.0

    def advance(self, seconds: float) -> float:
        """Advance by a number of seconds and return the new time.

        Raises:
            ValueError: Time would run backwards.
        """
        if seconds < 0:
            raise ValueError(f"time cannot go back by {-seconds} s")
        self._now += seconds
        return self._now

    def advance_to(self, moment: float) -> float:
        """Move on to this moment; one that is past already changes nothing."""
        self._now = max(self._now, moment)
        return self._now
