"""Measure moments by ear: python tools/bench_countdowns.py [--rounds N] [--busy N] [--timer S]

On the virtual table, with a busy process for every core: how far the beats of countdowns lie from
their places, how soon stop, pause and a player who speaks into a line bring silence, and how long
a timer is from the end of its introduction to its signal. All of it is taken from a recording of
the loudspeaker. Prints the load average with each figure, and what is left running at the end.
"""

from __future__ import annotations

import argparse
import multiprocessing
import os
import pty
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from statistics import median

import numpy as np

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from narrator.app.wiring.engines import make_synthesiser  # noqa: E402
from narrator.audio import cues  # noqa: E402
from narrator.core.effects import CountDown  # noqa: E402  # the path must be set first
from narrator.ports.audio import SPEAKER_RATE, Pcm  # noqa: E402
from narrator.ports.speech import Voice  # noqa: E402
from narrator.speaking.cache import SpeechCache  # noqa: E402
from narrator.speaking.countdown import place  # noqa: E402
from tests.device.interrupted import Scene  # noqa: E402
from tests.virtual_table import VirtualTable, missing  # noqa: E402
from tools.bench_night import offspring  # noqa: E402
from tools.bench_sound import EAR_RATE, UtteranceDetector, Wave, best_lag, deviation, recorder  # noqa: E402

WORDS = ("three", "two", "one", "vote")
LINE = "Everybody keeps both hands on the table and listens to this line, which is a long one. " * 3
LEVEL = 400
QUIETLY = {"NARRATOR_VERBOSITY": "brief", "NARRATOR_CUE_VOLUME": "0"}
"""What is confirmed makes no sound: silence is to be measured."""
QUIET = 0.35
"""Seconds without a loud sample that are no pause within a line."""
SCRIPT = """\
narrator: 1
title: Moments
players: {min: 2, max: 4}
phases:
  talk:
    steps:
      - timer: {seconds}s
        id: talk
        say: Talk now.
        warnings: []
"""
TALK = SCRIPT.replace("Talk now.", LINE)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--rounds", type=int, default=20, help="0: the timer only.")
    parser.add_argument("--busy", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--timer", type=float, default=600.0, help="Seconds; 0: none.")
    options = parser.parse_args()
    if lacking := missing():
        print(f"Not measured: {lacking}")
        return
    before = set(running())
    with tempfile.TemporaryDirectory() as folder:
        if options.rounds:
            with VirtualTable() as table, load(options.busy):
                countdowns(Path(folder), options.rounds)
                pressed(Path(folder), table)
                barge_in(Path(folder))
        if options.timer:
            with VirtualTable() as table:
                timer(Path(folder), table, options.timer)
    time.sleep(1.0)
    print(f"left running at the end: {sorted(set(running()) - before) or 'nothing'}")


def countdowns(folder: Path, rounds: int) -> None:
    """Count as a game does, with everything real but the game."""
    scene, ear = Scene(folder, "off"), Tape(folder / "tape.raw")
    worst: list[float] = []
    try:
        expected = place(rendered(*WORDS), 1.0)
        for number in range(1, rounds + 1):
            ear.clear()
            scene.speech.count(CountDown(number, WORDS, 1.0))
            wait_for(scene.speech.is_silent, lambda: scene.events(0.02))
            time.sleep(0.5)
            worst.append(deviation(ear.sound().astype(float), expected, len(WORDS)))
    finally:
        ear.close()
        scene.close()
    late = sum(off > 0.002 for off in worst)
    show(f"beats off their place, worst of {len(worst)} x {len(WORDS)}", max(worst))
    show("    median of the worst of each countdown", median(worst))
    print(f"    countdowns with a beat more than 2 ms off: {late} of {len(worst)}")


def pressed(folder: Path, table: VirtualTable) -> None:
    """Interrupt a real `narrator play` on a terminal by Space (pause, stop), and go on by it."""
    silences: list[float] = []
    with playing(folder, table, TALK.replace("{seconds}", "60"), QUIETLY) as (_game, ear, hand):
        for _ in range(6):
            ear.clear()
            wait_for(lambda: len(ear.loud_moments(LEVEL)) > 40)
            asked = time.perf_counter()
            os.write(hand, b" ")
            silences.append(until_silent(ear, asked))
            os.write(hand, b" ")
    tell("stop, pause (Space) to silence", silences)


def barge_in(folder: Path) -> None:
    """Make a player speak into three lines, with a headset's microphone."""
    scene, ear = Scene(folder, "headset"), UtteranceDetector()
    silences: list[float] = []

    def look() -> None:
        scene.events(0.01)

    try:
        scene.listen()
        for number in (1, 2, 3):
            ear.clear()
            scene.say(number, LINE)
            wait_for(lambda: len(ear.loud_moments(LEVEL)) > 40, look)
            scene.player("Stop.")
            wait_for(lambda: scene.floor.held_at > scene.said_at, look)
            silences.append(until_silent(ear, scene.floor.held_at, look))
            scene.speech.hush()
            wait_for(scene.speech.is_silent, look)
    finally:
        ear.close()
        scene.close()
    tell("a voice that was noticed to silence", silences)


def timer(folder: Path, table: VirtualTable, seconds: float) -> None:
    """Run a real timer, from the last sample of its introduction to its signal."""
    with playing(folder, table, SCRIPT.replace("{seconds}", f"{seconds:.0f}")) as (
        game,
        ear,
        _hand,
    ):
        game.wait(seconds + 60)
        sound = ear.sound()
    line = at_ear_rate(*rendered("Talk now."))
    begin = best_lag(sound[: 30 * EAR_RATE].astype(float), line)
    end = (begin + line.size) / EAR_RATE
    from_here = round((end + seconds / ear.pace() - 2) * EAR_RATE)
    signal = best_lag(sound[from_here:].astype(float), at_ear_rate(cues.cue("time")))
    heard = ((from_here + signal) / EAR_RATE - end) * ear.pace()
    show(f"timer of {seconds:.0f} s too long by", heard - seconds)
    print(f"    the sound card's own clock ran ahead by {1e6 * (1 / ear.pace() - 1):.0f} ppm")


@contextmanager
def playing(
    folder: Path, table: VirtualTable, script: str, more: dict[str, str] | None = None
) -> Iterator[tuple[subprocess.Popen[bytes], UtteranceDetector, int]]:
    """Play on a terminal of our own; return the game, an ear, and where keys are pressed."""
    (folder / "game.yaml").write_text(script)
    command = [sys.executable, "-m", "narrator.cli.main", "play", str(folder / "game.yaml")]
    command += ["--players", "Ana, Ben", "--keyboard", "--speaker", "vt_app", "--new"]
    environment = {**os.environ, **table.env(), "NARRATOR_DATA": str(folder / "data")}
    hand, terminal = pty.openpty()
    ear = UtteranceDetector()
    game = subprocess.Popen(
        command, cwd=ROOT, env={**environment, **(more or {})}, stdin=terminal,
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    )  # fmt: skip
    try:
        yield game, ear, hand
    finally:
        game.terminate()
        game.wait(10)
        ear.close()
        os.close(hand)
        os.close(terminal)


class Tape:
    """Records the loudspeaker to a file, by a process of its own that costs ours nothing."""

    def __init__(self, file: Path) -> None:
        self._file = file
        self._begin = 0
        with file.open("wb") as out:
            self._recorder = subprocess.Popen(recorder(EAR_RATE), stdout=out)
        wait_for(lambda: file.stat().st_size > 0)

    def clear(self) -> None:
        """Forget what was recorded so far."""
        self._begin = self._file.stat().st_size // 2 * 2

    def sound(self) -> Pcm:
        """Return what was recorded since."""
        data = self._file.read_bytes()[self._begin :]
        return np.frombuffer(data[: len(data) // 2 * 2], np.int16)

    def close(self) -> None:
        """End the recorder."""
        self._recorder.terminate()
        self._recorder.wait()


def rendered(*texts: str) -> list[Pcm]:
    """Return lines as the game has them."""
    cache, there = SpeechCache(make_synthesiser(Voice("en"))), threading.Event()
    found: dict[str, Pcm] = {}

    def taken(text: str, sound: Pcm | None, _problem: str) -> None:
        assert sound is not None
        found[text] = sound
        if len(found) == len(texts):
            there.set()

    for text in texts:
        cache.fetch(text, Voice("en"), partial(taken, text))
    there.wait(30)
    cache.close()
    return [found[text] for text in texts]


def at_ear_rate(sound: Pcm) -> Wave:
    moments = np.arange(sound.size * EAR_RATE // SPEAKER_RATE) * (SPEAKER_RATE / EAR_RATE)
    made: Wave = np.interp(moments, np.arange(sound.size), sound.astype(float))
    return made


def until_silent(
    ear: UtteranceDetector, asked: float, look: Callable[[], object] = lambda: None
) -> float:
    """Return the seconds from a moment to the last loud sample, once it has been quiet."""
    time.sleep(0.1)
    wait_for(lambda: time.perf_counter() - (ear.loud_moments(LEVEL) or [0.0])[-1] > QUIET, look)
    return max(0.0, ear.loud_moments(LEVEL)[-1] - asked)


@contextmanager
def load(processes: int) -> Iterator[None]:
    """Keep the processor busy, with as many processes of the usual priority."""
    busy = [multiprocessing.Process(target=spin, daemon=True) for _ in range(processes)]
    for process in busy:
        process.start()
    try:
        yield
    finally:
        for process in busy:
            process.kill()
            process.join()


def spin() -> None:
    while True:
        pass


def running() -> list[str]:
    """Name the threads of this process and its children."""
    threads = [f"thread {thread.name}" for thread in threading.enumerate()]
    return threads + [f"process {child}" for child in offspring(os.getpid())]


def wait_for(true: Callable[[], bool], look: Callable[[], object] = lambda: None) -> None:
    end = time.monotonic() + 30
    while not true():
        if time.monotonic() > end:
            raise SystemExit("The virtual table did not answer.")
        look()
        time.sleep(0.005)


def tell(what: str, seconds: list[float]) -> None:
    listed = ", ".join(f"{1e3 * one:.0f}" for one in seconds)
    print(f"{what:52} {listed} ms, load {os.getloadavg()[0]:.1f}", flush=True)


def show(what: str, seconds: float) -> None:
    print(f"{what:52} {1e3 * seconds:+8.2f} ms, load {os.getloadavg()[0]:.1f}", flush=True)


if __name__ == "__main__":
    main()
