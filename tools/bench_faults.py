"""Break things in whole evenings: python tools/bench_faults.py [WORD]...

Plays One Night Revolution to its end at the virtual table once for every fault (those whose name
holds a WORD): the sound system dies, sleeps or is taken away, the voice hangs, dies or talks
nonsense, the disk is full. Prints what was told of it, and whether the game ended rightly.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from tests.device.faults import (  # noqa: E402  # the path must be set first
    SOUND_FAULTS,
    UNKEPT,
    VOICE_FAULTS,
    faulty_voice,
    full_disk,
)
from tests.device.faulty import Fault, Told, evening  # noqa: E402
from tests.virtual_table import VirtualTable, missing  # noqa: E402

Case = tuple[str, Callable[[Path, VirtualTable], tuple[Told, list[str]]]]


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("words", nargs="*")
    words = parser.parse_args().words
    if lacking := missing():
        print(f"Not measured: {lacking}")
        return
    wrong = 0
    for name, play in cases():
        if words and not any(word in name for word in words):
            continue
        with tempfile.TemporaryDirectory() as folder, VirtualTable() as table:
            told, problems = play(Path(folder), table)
        wrong += bool(problems)
        load = os.getloadavg()[0]
        print(f"{'WRONG' if problems else 'right'}  {name} ({told.seconds:.0f} s, load {load:.1f})")
        for line in [*problems, *(f'told: "{text}"' for text in told.log)]:
            print(f"       {line}", flush=True)
    sys.exit(1 if wrong else 0)


def cases() -> list[Case]:
    """Return every fault with how to play an evening with it."""
    found = [(fault.name, with_sound(fault)) for fault in SOUND_FAULTS]
    found += [(f"the voice: {way}", with_voice(way)) for way in VOICE_FAULTS]
    return [*found, ("the disk for spoken lines is full", with_full_disk)]


def with_sound(fault: Fault) -> Callable[[Path, VirtualTable], tuple[Told, list[str]]]:
    def play(folder: Path, table: VirtualTable) -> tuple[Told, list[str]]:
        told = evening(folder, table, [fault])
        return told, told.problems((), [fault])

    return play


def with_voice(way: str) -> Callable[[Path, VirtualTable], tuple[Told, list[str]]]:
    def play(folder: Path, table: VirtualTable) -> tuple[Told, list[str]]:
        told = evening(folder, table, env=faulty_voice(folder, way))
        return told, told.problems([VOICE_FAULTS[way]])

    return play


def with_full_disk(folder: Path, table: VirtualTable) -> tuple[Told, list[str]]:
    with contextlib.ExitStack() as stack:
        try:
            stack.enter_context(full_disk(folder / "data" / "speech"))
        except OSError as error:
            return Told(None, None), [f"not tried: {error}"]
        told = evening(folder, table)
        return told, told.problems([UNKEPT])


if __name__ == "__main__":
    main()
