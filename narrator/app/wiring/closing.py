"""Gives everything back at the end of an evening."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager

CLOSING = 1.5
"""Seconds in which everything is given back; what takes longer ends with the process."""


def one_after_another(*closers: Callable[[], None]) -> Callable[[], None]:
    """Return one closer that runs several in this order, whatever each of them meets."""

    def close() -> None:
        with ExitStack() as stack:
            for closer in reversed(closers):
                stack.callback(closer)

    return close


@contextmanager
def closing() -> Iterator[list[Callable[[], None]]]:
    """Return everything back at the end, all at the same time, and wait no longer than CLOSING."""
    closers: list[Callable[[], None]] = []
    try:
        yield closers
    finally:
        threads = [threading.Thread(target=closer, daemon=True) for closer in closers]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(CLOSING)
