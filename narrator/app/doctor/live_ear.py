"""A microphone and an ear in one thread, for what listens without a game."""

from __future__ import annotations

import queue
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import TypeAlias

from narrator.adapters.sound.microphone import Mic
from narrator.app.wiring.table_devices import TableDevices
from narrator.ports.audio import BLOCK, MIC_RATE, Pcm
from narrator.ports.errors import PlayError
from narrator.ports.session import Clock

Sound: TypeAlias = "queue.Queue[Pcm]"

WAITING = 100
"""Blocks that may wait: ten seconds. Who listens slower than people speak loses the oldest."""

_WAIT = 0.2
_TURN = BLOCK / MIC_RATE


@contextmanager
def microphone(
    devices: TableDevices, clock: Clock, wanted: str, tell: Callable[[PlayError], None]
) -> Iterator[Sound]:
    """Open a microphone; its blocks wait in the queue that is given.

    Args:
        devices: Where it comes from.
        clock: Seconds.
        wanted: Its name or number; empty: the system's default.
        tell: Told of each fault and each recovery.

    Raises:
        SoundError: There is no such microphone.
    """
    devices.pick(wanted or None, "input")
    blocks: Sound = queue.Queue(WAITING)
    mic = Mic(
        devices,
        clock,
        lambda block: put(blocks, block),
        lambda fault, _recovered: tell(fault),
        wanted or None,
    )
    try:
        yield blocks
    finally:
        mic.close()


def put(blocks: Sound, block: Pcm) -> None:
    """Add a block; where no more fit in, the oldest is left out."""
    while True:
        try:
            blocks.put_nowait(block)
            return
        except queue.Full:
            with suppress(queue.Empty):
                blocks.get_nowait()


def heard(blocks: Sound, clock: Clock, seconds: float) -> Iterator[Pcm]:
    """Yield blocks as they come, for a number of seconds of sound; 0 means for ever.

    A device that gives no sound at all ends it by the clock.
    """
    begun, taken = clock.now(), 0.0
    while not seconds or (taken < seconds and clock.now() - begun < 2 * seconds + 1):
        try:
            block = blocks.get(timeout=_WAIT)
        except queue.Empty:
            continue
        taken += _TURN
        yield block


def waiting(blocks: Sound) -> float:
    """Return the seconds of sound that wait."""
    return blocks.qsize() * _TURN


def drop(blocks: Sound) -> None:
    """Forget what waits."""
    while True:
        try:
            blocks.get_nowait()
        except queue.Empty:
            return
