"""When the ear is open: the narrator never hears itself."""

from __future__ import annotations

import threading


class Gate:
    """Closed while anything of the narrator's sounds, and for the guard time after it.

    A sound counts from the moment it is queued until its last sample was *played*, never until an
    estimate. May be used from any thread.
    """

    def __init__(self, guard: float) -> None:
        """Begin open.

        Args:
            guard: seconds of silence after the last sample before anything is heard.
        """
        self._guard = guard
        self._lock = threading.Lock()
        self._sounding: set[int] = set()
        self._opens = 0.0

    def began(self, sound: int) -> None:
        """Close: this sound is queued or playing."""
        with self._lock:
            self._sounding.add(sound)

    def ended(self, sound: int, now: float) -> None:
        """Note that the last sample of this sound was played, or that it will never be."""
        with self._lock:
            if sound in self._sounding:
                self._sounding.discard(sound)
                self._opens = now + self._guard

    def opens(self) -> float | None:
        """Return since when, or from when on, it is open; None while something sounds."""
        with self._lock:
            return None if self._sounding else self._opens

    def is_fading(self, begin: float) -> bool:
        """Whether sound from `begin` on (session seconds) lies in the guard time."""
        with self._lock:
            over = self._opens - self._guard
            return not self._sounding and over <= begin < self._opens

    def hears(self, begin: float, now: float) -> bool:
        """Whether sound from `begin` to `now` (session seconds) may be listened to."""
        with self._lock:
            return not self._sounding and now >= begin >= self._opens

    def is_open(self, now: float) -> bool:
        """Whether what is said from now on is heard."""
        return self.hears(now, now)
