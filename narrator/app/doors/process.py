"""The memory of this process and its clock."""

from __future__ import annotations

from narrator.adapters.system.clock import SessionClock
from narrator.adapters.system.heap import share

__all__ = [
    "SessionClock",
    "share",
]
