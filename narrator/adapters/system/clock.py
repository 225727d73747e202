"""The one reader of the clock: session seconds that never jump, the gaps of sleep, the date."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from datetime import datetime

Seconds = Callable[[], float]
"""A source of seconds from any fixed origin; never runs backwards."""

SMALLEST_GAP = 2.0
"""Seconds; the two clocks drift apart by less than this without the machine having slept."""


class SessionClock:
    """Session seconds, counted only while the machine is awake.

    A timer that ran through a night in a bag would be over at once, so a suspended machine's time
    does not count. How long it slept is told by `gap`, for the host to ask the table about.
    """

    sleeps = True
    """Whether the machine may sleep while it counts."""

    def __init__(
        self,
        awake: Seconds | None = None,
        elapsed: Seconds | None = None,
    ) -> None:
        """Start at 0.

        Args:
            awake: Seconds the machine was awake; the system's clock if not given.
            elapsed: Seconds that passed, asleep or not; the system's clock if not given.
        """
        self._awake = awake or _awake_seconds()
        self._elapsed = elapsed or _elapsed_seconds()
        self._start = self._awake()
        self._slept = self._elapsed() - self._awake()

    def now(self) -> float:
        """Return the seconds since the session began."""
        return self._awake() - self._start

    def go_on_at(self, moment: float) -> float:
        """Continue at the second where an earlier session was broken off; never goes back.

        Returns:
            Seconds by which this session is beyond that moment already.
        """
        beyond = self.now() - moment
        self._start += min(0.0, beyond)
        return max(0.0, beyond)

    def gap(self) -> float:
        """Return the seconds the machine slept since the last call; 0.0 where it did not."""
        slept = self._elapsed() - self._awake()
        gap = slept - self._slept
        if gap < SMALLEST_GAP:
            return 0.0
        self._slept = slept
        return gap


def local_moment() -> str:
    """Return the local date and time with its offset (ISO 8601); no session counts by it."""
    return datetime.now().astimezone().isoformat(timespec="seconds")


def _awake_seconds() -> Seconds:
    # On Linux and macOS this clock stands still in sleep; on Windows it does not.
    if sys.platform == "win32":
        return _windows_awake_seconds
    return time.monotonic


def _elapsed_seconds() -> Seconds:
    if sys.platform == "win32":
        return time.perf_counter
    # Linux counts sleep in BOOTTIME; macOS has no such name and counts it in MONOTONIC.
    number = getattr(time, "CLOCK_BOOTTIME", time.CLOCK_MONOTONIC)
    return lambda: time.clock_gettime(number)


def _windows_awake_seconds() -> float:
    import ctypes

    ticks = ctypes.c_ulonglong()
    # Python offers no clock on Windows that leaves sleep out.
    ctypes.windll.kernel32.QueryUnbiasedInterruptTime(ctypes.byref(ticks))  # type: ignore[attr-defined,unused-ignore]
    return ticks.value / 1e7
