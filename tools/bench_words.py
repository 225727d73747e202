"""Measure the first word: python tools/bench_words.py [--rounds N] [--voice FILE]

Starts a real `narrator play` at the virtual table and listens for its first word, with nothing kept
from earlier evenings and with everything kept, for eSpeak and for a Piper voice (FILE, or
NARRATOR_PIPER_VOICE). Prints the seconds from the command to the word, and the memory then.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from statistics import median

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from tests.virtual_table import VirtualTable, missing  # noqa: E402  # the path must be set first
from tools.bench_night import offspring, resident  # noqa: E402
from tools.bench_sound import UtteranceDetector  # noqa: E402

LEVEL = 1500
PATIENCE = 60.0


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--voice", default=os.environ.get("NARRATOR_PIPER_VOICE", ""))
    options = parser.parse_args()
    if lacking := missing():
        print(f"Not measured: {lacking}")
        return
    voices = {"eSpeak": ""} | ({"Piper": options.voice} if options.voice else {})
    if not options.voice:
        print("Piper is not measured: no voice was named.")
    with VirtualTable() as table:
        for name, voice in voices.items():
            cold: list[float] = []
            warm: list[float] = []
            held: list[tuple[float, float]] = []
            for _ in range(options.rounds):
                with tempfile.TemporaryDirectory() as folder:
                    cold.append(first_word(Path(folder), table, voice, held))
                    warm.append(first_word(Path(folder), table, voice, held))
            report(name, cold, warm, held)


def first_word(
    folder: Path, table: VirtualTable, voice: str, held: list[tuple[float, float]]
) -> float:
    """Return the seconds to the first word; note the memory a little later."""
    environment = {**os.environ, **table.env(), "NARRATOR_DATA": str(folder)}
    command = [sys.executable, "-m", "narrator.cli.main", "play", "one-night-revolution", "--new"]
    command += ["--players", "Robert, Julia, Oliver", "--seed", "7", "--speaker", "vt_app"]
    command += ["--mic", "vt_app", *(["--voice", voice] if voice else [])]
    ear = UtteranceDetector()
    begun = time.perf_counter()
    game = subprocess.Popen(
        command, cwd=ROOT, env=environment, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )  # fmt: skip
    try:
        while not (loud := ear.loud_moments(LEVEL)) and time.perf_counter() - begun < PATIENCE:
            time.sleep(0.02)
        time.sleep(4.0)
        held.append((resident(game.pid), sum(map(resident, offspring(game.pid)))))
    finally:
        game.terminate()
        game.wait(10)
        ear.close()
    return loud[0] - begun if loud else PATIENCE


def report(
    name: str, cold: list[float], warm: list[float], held: list[tuple[float, float]]
) -> None:
    load = os.getloadavg()[0]
    for kind, found in (("nothing kept", cold), ("all kept", warm)):
        told = f"{name}, {kind}: command to first word, median (worst)"
        print(f"{told:58} {median(found):5.2f} ({max(found):.2f}) s, load {load:.1f}")
    main_, child = (max(column) for column in zip(*held, strict=True))
    print(f"{name + ': memory of the program, and of the voice':58} {main_:5.0f} + {child:.0f} MB")


if __name__ == "__main__":
    main()
