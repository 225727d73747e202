"""How much memory this process has had at once: what a test did, not what was done before it."""

from __future__ import annotations

import resource
from contextlib import suppress
from pathlib import Path


def forget_peak() -> None:
    """Count the peak from now on, where the system can: Linux."""
    with suppress(OSError):
        Path("/proc/self/clear_refs").write_text("5")


def peak() -> float:
    """Return the most memory since `forget_peak` in MB; without it, since the program's start.

    `ru_maxrss` would begin at what the process had that started this one, and never falls.
    """
    try:
        lines = Path("/proc/self/status").read_text().splitlines()
    except OSError:
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return next(int(line.split()[1]) / 1024 for line in lines if line.startswith("VmHWM:"))
