"""What working out an expression may cost: nothing a script says can keep the table waiting."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from typing import Any

from narrator.core.values import ExpressionError

MOST_WORK = 200_000
"""Values that one expression may touch in its loops and filters: 0.2 s; a game's touch hundreds."""
_LETTERS_A_STEP = 50
"""Letters that cost as much as one value."""


class _Meter(threading.local):
    left = 0
    running = False


_meter = _Meter()


@contextmanager
def metered() -> Iterator[None]:
    """Give what is worked out within a budget; one within another shares the outer one's."""
    if _meter.running:
        yield
        return
    _meter.left, _meter.running = MOST_WORK, True
    try:
        yield
    finally:
        _meter.running = False


def charge(steps: int) -> None:
    """Take steps off the budget. Raises ExpressionError where it is used up."""
    if _meter.running:
        _meter.left -= steps
        if _meter.left < 0:
            raise ExpressionError("it takes too long to work out")


def size(value: Any) -> int:
    """Return what it costs to look at a value once."""
    if isinstance(value, str):
        return 1 + len(value) // _LETTERS_A_STEP
    return 1 + len(value) if isinstance(value, (list, dict, tuple)) else 1


def charged(function: Callable[..., Any]) -> Callable[..., Any]:
    """Return a filter or function that is paid for by all that it is given, and gives."""

    @wraps(function)
    def paid(*values: Any, **named: Any) -> Any:
        charge(sum(map(size, values)))
        result = function(*values, **named)
        charge(size(result))
        return result

    return paid
