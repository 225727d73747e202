"""Measure a long night at the virtual table: python tools/bench_night.py [--minutes N] [--csv FILE]

A real `narrator play` speaks, masks and listens for so long; its loudspeaker is recorded all the
while. Prints the memory of its processes over time, the gaps that are heard in the masking sound
(a sound card that ran dry), and how far the sound moved against the session's clock.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import threading
import time
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median

import numpy as np

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from narrator.ports.audio import Pcm  # noqa: E402  # the path must be set first
from tests.virtual_table import VirtualTable, missing  # noqa: E402
from tools.bench_sound import recorder  # noqa: E402

RATE = 48_000
BLOCK = RATE // 100
LOUD = 5000
"""Of a sample: the masking sound stays below, every line is above it."""
SILENT = 0.8
"""Seconds below it between two lines."""
DRY = RATE // 500
"""Samples of exact silence that the masking sound never holds."""
QUIET = 1.5
"""Load average below which the machine's two cores do little else."""
A_TURN = 14.0
"""Seconds, about, that one round of the script takes."""
SCRIPT = """\
narrator: 1
title: A long night
players: {min: 2, max: 4}
phases:
  night:
    eyes: closed
    cover: on
    steps:
      - repeat: {turns}
        count: turn
        steps:
          - say: "Agent number {{ turn }}. Open your eyes."
          - hear: [task complete]
            not before: 5s
          - say: "Agent number {{ turn }}, close your eyes."
          - wait: 4s
"""


@dataclass
class Recording:
    """What is heard of the loudspeaker, kept as marks only: an hour of it would be large."""

    begins: list[float] = field(default_factory=list)
    ends: list[float] = field(default_factory=list)
    """Seconds of the recording at which lines begin and end."""
    gaps: list[tuple[float, float]] = field(default_factory=list)
    """Where the masking sound was broken, and for how many seconds."""
    clock: list[tuple[float, float]] = field(default_factory=list)
    """Seconds of the recording, and the real seconds at which they came."""
    samples: int = 0
    _last_loud: int = -RATE
    _zeros: int = 0
    _masked: bool = False

    def take(self, sound: Pcm) -> None:
        """Look through the next samples."""
        self._lines(np.flatnonzero(np.abs(sound.astype(np.int32)) > LOUD))
        self._silence(sound)
        self.samples += sound.size
        self.clock.append((self.samples / RATE, time.monotonic()))

    def real(self, moments: list[float]) -> list[float]:
        """Return real seconds for those of the recording: its clock is the sound card's own."""
        recorded, came = np.array(self.clock).T
        pace, begin = np.polyfit(recorded, came, 1)
        return [float(pace * moment + begin) for moment in moments]

    def _lines(self, loud: np.ndarray) -> None:
        for place in (loud + self.samples).tolist():
            if place - self._last_loud > SILENT * RATE:
                if self.begins:
                    self.ends.append(self._last_loud / RATE)
                self.begins.append(place / RATE)
            self._last_loud = place

    def _silence(self, sound: Pcm) -> None:
        for index in np.split(np.arange(sound.size), np.flatnonzero(np.diff(sound == 0)) + 1):
            if sound[index[0]] == 0:
                self._zeros += index.size
                continue
            if self._masked and self._zeros >= DRY:
                self.gaps.append(((self.samples + int(index[0])) / RATE, self._zeros / RATE))
            self._zeros = 0
            self._masked = self._masked or bool(self.begins)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--minutes", type=float, default=60.0)
    parser.add_argument("--csv", type=Path, help="Gets the memory every half minute.")
    options = parser.parse_args()
    if lacking := missing():
        print(f"Not measured: {lacking}")
        return
    turns = max(2, round(options.minutes * 60 / A_TURN))
    with tempfile.TemporaryDirectory() as folder, VirtualTable() as table:
        recording, memory, load = night(Path(folder), table, turns)
        log = [json.loads(line) for line in (Path(folder) / "log.jsonl").read_text().splitlines()]
    if options.csv:
        rows = [f"{at:.0f},{main:.1f},{voice:.1f}" for at, main, voice in memory]
        options.csv.write_text("\n".join(["seconds,main,voice", *rows]) + "\n")
    report(recording, memory, log, load)


def night(
    folder: Path, table: VirtualTable, turns: int
) -> tuple[Recording, list[tuple[float, float, float]], list[float]]:
    """Play the night; return what was heard, the memory over time, and the load average."""
    script = folder / "game.yaml"
    script.write_text(SCRIPT.replace("{turns}", str(turns)))
    (folder / "words").write_text("task complete\n" * turns)
    environment = {**os.environ, **table.env(), "NARRATOR_DATA": str(folder / "data")}
    command = [sys.executable, "-m", "narrator.cli.main", "play", str(script), "--new"]
    command += ["--players", "Ana, Ben", "--mic", "vt_app", "--speaker", "vt_app"]
    command += ["--record-log", str(folder / "log.jsonl")]
    tape = subprocess.Popen(
        recorder(RATE),
        stdout=subprocess.PIPE,
        env=environment,
    )
    recording = Recording()
    thread = threading.Thread(target=record, args=(tape, recording), daemon=True)
    thread.start()
    memory: list[tuple[float, float, float]] = []
    load: list[float] = []
    with (folder / "words").open() as words:
        game = subprocess.Popen(
            command, cwd=ROOT, env=environment, stdin=words,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )  # fmt: skip
        begun = time.monotonic()
        while game.poll() is None and time.monotonic() - begun < turns * A_TURN * 1.5 + 60:
            time.sleep(0.5 if len(memory) < 2 else 30)
            children = offspring(game.pid)
            held = resident(game.pid), sum(map(resident, children))
            memory.append((time.monotonic() - begun, *held))
            load.append(os.getloadavg()[0])
    game.kill()
    tape.terminate()
    thread.join(5)
    return recording, [row for row in memory if row[1]], load


def record(tape: subprocess.Popen[bytes], recording: Recording) -> None:
    assert tape.stdout
    while len(data := tape.stdout.read(2 * BLOCK * 10)) == 2 * BLOCK * 10:
        recording.take(np.frombuffer(data, np.int16))


def resident(process: int) -> float:
    """Return the megabytes a process holds; 0 where it has ended."""
    try:
        words = Path(f"/proc/{process}/statm").read_text().split()
    except OSError:
        return 0.0
    return int(words[1]) * os.sysconf("SC_PAGE_SIZE") / 1e6


def offspring(process: int) -> list[int]:
    """Return the children that any thread of a process has begun."""
    found: list[str] = []
    with suppress(OSError):
        for task in Path(f"/proc/{process}/task").iterdir():
            found += (task / "children").read_text().split()
    return [int(number) for number in found]


def report(
    recording: Recording,
    memory: list[tuple[float, float, float]],
    log: list[dict[str, object]],
    load: list[float],
) -> None:
    total = memory[-1][0]
    print(f"a night of {total / 60:.1f} min, load {median(load):.1f} (most {max(load):.1f})")
    for name, share in (("start", 0.05), ("half", 0.5), ("end", 1.0)):
        row = min(memory, key=lambda row: abs(row[0] - share * total))
        at = f"memory at the {name} ({row[0] / 60:.1f} min)"
        print(f"{at:32} {row[1]:7.1f} MB, voice {row[2]:.1f} MB")
    longest = 1e3 * max((seconds for _, seconds in recording.gaps), default=0.0)
    print(f"gaps in the masking sound        {len(recording.gaps):5}, longest {longest:.0f} ms")
    quiet = [
        gap for gap in recording.gaps if load[min(len(load) - 1, 1 + int(gap[0] // 30))] < QUIET
    ]
    calm = sum(one < QUIET for one in load) / len(load)
    print(f"    while the load was below {QUIET} ({calm:.0%})  {len(quiet):5}")
    for moment, seconds in recording.gaps[:12]:
        print(f"    at {moment - recording.begins[0]:8.2f} s: {1e3 * seconds:.0f} ms")
    said = [float(str(e["now"])) for e in log for x in spoken(e) if x]
    drift("a line's first sample", recording.real(recording.begins), said)
    over = [float(str(e["now"])) for e in log if is_end(e)]
    drift("a line's last sample", recording.real(recording.ends), over)


def spoken(entry: dict[str, object]) -> list[bool]:
    effects = entry["effects"]
    assert isinstance(effects, list)
    return [True for effect in effects if effect["is"] == "Say"]


def is_end(entry: dict[str, object]) -> bool:
    event = entry["event"]
    assert isinstance(event, dict)
    return bool(event["is"] == "SpeechFinished")


def drift(what: str, heard: list[float], clock: list[float]) -> None:
    """Print how the moments heard moved against the session's clock."""
    offset = alignment(heard, clock)
    pairs = []
    for moment in clock:
        near = min(heard, key=lambda h: abs(h - moment - offset))
        if abs(near - moment - offset) < 0.6:
            pairs.append((moment, near - moment - offset))
    sixth = max(1, len(pairs) // 6)
    begin, end = (median(lag for _, lag in part) for part in (pairs[:sixth], pairs[-sixth:]))
    moments, lags = np.array(pairs).T
    slope = float(np.polyfit(moments, lags, 1)[0])
    print(
        f"{what:22} {len(pairs):4} of {len(clock)}: last sixth later than the first by"
        f" {1e3 * (end - begin):+.1f} ms, slope {1e6 * slope:+.2f} ppm,"
        f" spread {1e3 * float(np.std(lags)):.1f} ms"
    )


def alignment(heard: list[float], clock: list[float]) -> float:
    """Return how much later the recording's seconds are: as most of the first lines want it."""
    first = np.array(clock[:40])
    wanted = [h - c for h in heard[:6] for c in clock[:6]]

    def misses(offset: float) -> float:
        apart = np.abs(first[:, None] + offset - np.array(heard)[None, :]).min(axis=1)
        return float(np.median(apart))

    return min(wanted, key=misses)


if __name__ == "__main__":
    main()
