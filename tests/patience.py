"""How long a test waits before it calls something a hang: by how fast this machine is now."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Callable
from functools import cache

IDLE = 0.25
"""Seconds that `_start` takes on an idle machine of today."""
_MARGIN = 3.0
"""The machine may become busier after the measurement than it was at it."""


def limit(idle: float) -> float:
    """Return the seconds to wait for what is over within `idle` seconds on an idle machine."""
    return idle * max(1.0, _MARGIN * _start() / IDLE)


@cache
def _start() -> float:
    """Return how long a fresh process with our libraries takes to start, here and now."""
    began = time.monotonic()
    subprocess.run([sys.executable, "-c", "import click, numpy"], check=True)
    return time.monotonic() - began


def until(holds: Callable[[], object], idle: float = 5.0) -> None:
    """Wait until something holds; fail where it does not within so many seconds when idle."""
    over = time.monotonic() + limit(idle)
    while not holds():
        assert time.monotonic() < over, "It has not come to hold."
        time.sleep(0.01)
