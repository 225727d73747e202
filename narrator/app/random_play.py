"""Random games of one script, on as many processor cores as there are once they are many."""

from __future__ import annotations

import multiprocessing
import os
import signal
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool

from narrator.app import games
from narrator.ports.errors import NarratorError
from narrator.testing.monkey import MonkeyReport, Monkeys

MANY = 200
"""Games from which more processes pay off: each compiles the script itself."""
SHARE = 25
"""Games handed to a process at a time."""

_monkeys: list[Monkeys] = []
"""What a further process plays with; filled when it starts."""


def play(loaded: games.Loaded, language: str, seeds: Sequence[int]) -> Iterator[list[MonkeyReport]]:
    """Play the random game of every seed; return the reports in order, a share at a time.

    Args:
        loaded: The game.
        language: As the game was loaded with.
        seeds: Of the games, one each.

    Raises:
        NarratorError: A process that plays them was ended from outside.
    """
    shares = [seeds[at : at + SHARE] for at in range(0, len(seeds), SHARE)]
    if len(seeds) >= MANY and cores() > 1:
        yield from _on_all_cores(str(loaded.path), language, shares)
        return
    monkeys = Monkeys(loaded.game, loaded.locale)
    for share in shares:
        yield [monkeys.run(seed) for seed in share]


def cores() -> int:
    """Return how many processor cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _on_all_cores(
    path: str, language: str, shares: Sequence[Sequence[int]]
) -> Iterator[list[MonkeyReport]]:
    # A fork would take over whatever threads this process has; a fresh interpreter has none.
    pool = ProcessPoolExecutor(
        cores(), multiprocessing.get_context("spawn"), _begin, (path, language)
    )
    try:
        yield from pool.map(_share, shares)
    except BrokenProcessPool as fault:
        raise NarratorError(
            "Another program stopped the random games, perhaps because memory ran out.",
            "Try again with fewer of them.",
        ) from fault
    finally:
        pool.shutdown(cancel_futures=True)


def _begin(path: str, language: str) -> None:
    # Ctrl-C is meant for the first process, which then ends the others.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    loaded = games.load_game(path, language)
    _monkeys.append(Monkeys(loaded.game, loaded.locale))


def _share(seeds: Sequence[int]) -> list[MonkeyReport]:
    return [_monkeys[0].run(seed) for seed in seeds]
