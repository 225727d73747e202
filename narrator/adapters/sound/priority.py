"""Real-time priority for the threads that a sound stream brings with it, where the system gives it.

A loudspeaker that holds 50 ms runs dry when its thread has to wait behind busy programs.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress

_PRIORITY = 5
"""The sound servers' own: above every program, below the system."""


@contextmanager
def urgent() -> Iterator[None]:
    """Give threads that this thread starts meanwhile priority over every other program.

    They inherit it; this thread itself is as it was at the end. Only Linux needs it, and gives it
    to who may have it (`rtprio` in its limits); elsewhere, and otherwise, nothing changes.
    """
    if not hasattr(os, "sched_setscheduler"):
        yield
        return
    before, priority = os.sched_getscheduler(0), os.sched_getparam(0)
    with suppress(OSError):
        os.sched_setscheduler(0, os.SCHED_RR, os.sched_param(_PRIORITY))
    try:
        yield
    finally:
        with suppress(OSError):
            os.sched_setscheduler(0, before, priority)
