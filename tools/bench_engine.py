"""Measure the engine and the start: python tools/bench_engine.py [--rounds N]

Prints medians: a step of the engine, ten virtual hours of play, compiling, and the time from the
command to its first word shown.
"""

from __future__ import annotations

import argparse
import os
import resource
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from narrator.app.games import Loaded, load_game  # noqa: E402
from narrator.config.settings import Settings  # noqa: E402
from narrator.core.effects import Effect  # noqa: E402
from narrator.core.engine import Engine  # noqa: E402  # the path must be set first
from narrator.core.events import Event  # noqa: E402
from narrator.core.values import Seat  # noqa: E402
from narrator.simulation.rehearsal import Rehearsal  # noqa: E402
from narrator.simulation.simulated_players import SimulatedPlayers  # noqa: E402
from narrator.simulation.text_world import TextWorld  # noqa: E402

GAME = "one-night-revolution"
NAMES = ("Ana", "Ben", "Cy", "Dee", "Eli")
HOURS = 10


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--rounds", type=int, default=5)
    rounds = parser.parse_args().rounds
    loaded = load_game(GAME)
    steps = sorted(seconds for seed in range(rounds) for seconds in played(loaded, seed)[0])
    show("engine step, median", median(steps) * 1e3, "ms")
    show("engine step, 99th percentile", steps[int(len(steps) * 0.99)] * 1e3, "ms")
    show("ten virtual hours of play, engine alone", median(hours(loaded, n) for n in range(3)), "s")
    show("compile the script", median(timed(lambda: load_game(GAME)) for _ in range(rounds)), "s")
    show("start to help page", median(started("--help") for _ in range(rounds)), "s")
    show("start to first line on the screen", median(first_line() for _ in range(rounds)), "s")
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    show("memory of this process, peak", peak, "MB")


def show(what: str, value: float, unit: str) -> None:
    print(f"{what:45} {value:9.3f} {unit}", flush=True)


def timed(work: Callable[[], object]) -> float:
    begin = time.perf_counter()
    work()
    return time.perf_counter() - begin


def played(loaded: Loaded, seed: int) -> tuple[list[float], float]:
    """Play one game by text; return the CPU seconds of each step and the session seconds."""
    times: list[float] = []
    original = Engine.step

    def measured(self: Engine, event: Event, now: float) -> list[Effect]:
        begin = time.thread_time()
        effects = original(self, event, now)
        times.append(time.thread_time() - begin)
        return effects

    seats = [Seat(n, name) for n, name in enumerate(NAMES, 1)]
    people = SimulatedPlayers(seats, seed, patient=True)
    world = TextWorld(tuple(seats), loaded.locale, Settings())
    Engine.step = measured  # type: ignore[method-assign]
    try:
        game = Rehearsal(loaded.game, seats, people, world, seed=seed)
        return times, game.run().seconds
    finally:
        Engine.step = original  # type: ignore[method-assign]


def hours(loaded: Loaded, seed: int) -> float:
    """Return the CPU seconds that the engine needs for ten virtual hours."""
    virtual, cpu = 0.0, 0.0
    while virtual < HOURS * 3600:
        seed += 1
        times, seconds = played(loaded, seed)
        cpu += sum(times)
        virtual += seconds
    return cpu


def started(*arguments: str) -> float:
    command = [sys.executable, "-m", "narrator.cli.main", *arguments]
    return timed(
        lambda: subprocess.run(command, cwd=ROOT, capture_output=True, check=True, stdin=None)
    )


def first_line() -> float:
    """Return the seconds from starting `play` with the keyboard to its first line of the script."""
    command = [
        *(sys.executable, "-m", "narrator.cli.main", "play", GAME),
        *("--players", ", ".join(NAMES), "--keyboard", "--no-speech"),
    ]
    begin = time.perf_counter()
    environment = {**os.environ, "PYTHONUNBUFFERED": "1"}
    with subprocess.Popen(
        command,
        cwd=ROOT,
        env=environment,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    ) as process:
        assert process.stdout is not None
        for line in process.stdout:
            if "One Night Revolution" in line:
                break
        seconds = time.perf_counter() - begin
        process.kill()
    return seconds


if __name__ == "__main__":
    main()
