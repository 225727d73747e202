"""Measure a real `narrator play` at the virtual table, by ear: tools/bench_turns.py [--turns N]

Prints the time from the command to the first word, and from the end of a player's answer to the
first sample of the next line, as they are heard at the loudspeaker; the virtual sound card's own
delay (about 0.1 s each way) is part of both.
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
from typing import Any

import numpy as np

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from narrator.adapters.voices.espeak.synthesiser import EspeakSynthesiser  # noqa: E402  # the path must be set first
from narrator.audio.resampling import resample  # noqa: E402
from narrator.ports.audio import SPEAKER_RATE, Pcm  # noqa: E402
from narrator.ports.speech import Voice  # noqa: E402
from tests.virtual_table import VirtualTable, missing, portaudio  # noqa: E402

RATE = 48_000
BLOCK = 480
LOUD = 600
THINKS = 1.2
"""Seconds of silence after which the player answers."""
SCRIPT = """\
narrator: 1
title: Turns
players: {min: 2, max: 4}
phases:
  turns:
    steps:
      - repeat: {turns}
        steps:
          - ask: Is this turn over?
            id: turn
            answer: yes/no
            into: over
          - say: Good, that is one more.
"""


class Listener:
    """Answers whenever the narrator has been silent, and notes when it spoke again."""

    def __init__(self, answer: Pcm) -> None:
        self.answer = answer.astype(np.int16)
        self.began = 0.0
        self.first_word = 0.0
        self.gaps: list[float] = []
        self._at = 0
        self._silent = 0
        self._place = -1
        self._said_at = 0
        self._heard_any = False

    def block(self, heard: Any, spoken: Any, frames: int, _time: Any, _status: Any) -> None:
        """Take and give one block; the sound card's own clock counts."""
        loud = int(np.abs(heard).max()) > LOUD
        if loud:
            self._note()
        self._silent = 0 if loud else self._silent + frames
        spoken[:, 0] = self._next(frames)
        self._at += frames

    def _note(self) -> None:
        if not self._heard_any:
            self._heard_any, self.first_word = True, time.monotonic() - self.began
        if self._said_at:
            self.gaps.append((self._at - self._said_at) / RATE)
            self._said_at = 0

    def _next(self, frames: int) -> Pcm:
        part = np.zeros(frames, np.int16)
        waits = self._heard_any and self._silent > THINKS * RATE and not self._said_at
        if self._place < 0 and waits:
            self._place = 0
        if self._place >= 0:
            piece = self.answer[self._place : self._place + frames]
            part[: piece.size] = piece
            self._place += frames
            self._silent = 0
            if self._place >= self.answer.size:
                self._place, self._said_at = -1, self._at + piece.size
        return part


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--turns", type=int, default=12)
    turns = parser.parse_args().turns
    if lacking := missing():
        print(f"Not measured: {lacking}")
        return
    yes = EspeakSynthesiser().render("yes", Voice("en-us+f3", "en", 150))
    listener = Listener(resample(yes, SPEAKER_RATE, RATE))
    with tempfile.TemporaryDirectory() as folder, VirtualTable() as table:
        script = Path(folder) / "game.yaml"
        script.write_text(SCRIPT.replace("{turns}", str(turns)))
        environment = {**os.environ, **table.env()}
        stream = portaudio().Stream(
            samplerate=RATE,
            blocksize=BLOCK,
            channels=1,
            dtype="int16",
            device="vt_test",
            latency=0.03,
            callback=listener.block,
        )
        command = [sys.executable, "-m", "narrator.cli.main", "play", str(script)]
        command += ["--players", "Ana, Ben", "--mic", "vt_app", "--speaker", "vt_app"]
        with stream:
            listener.began = time.monotonic()
            subprocess.run(
                command, cwd=ROOT, env=environment, stdin=subprocess.DEVNULL, timeout=300,
                capture_output=True, check=False,
            )  # fmt: skip
    gaps = sorted(listener.gaps[1:])
    print(f"start to first word                           {listener.first_word:9.2f} s")
    print(f"phrase end to first sample, median of {len(gaps):3}     {median(gaps):9.2f} s")
    print(f"phrase end to first sample, 95th percentile   {gaps[int(len(gaps) * 0.95)]:9.2f} s")


if __name__ == "__main__":
    main()
