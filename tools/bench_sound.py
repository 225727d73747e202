"""Measure speaking and sound: python tools/bench_sound.py [--rounds N]

Prints medians: synthesis (direct and in a child), start, mixing, and on the virtual table how far
countdown beats lie from their places, how soon hush is silence, and when an end is told.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import median

import numpy as np
from numpy.typing import NDArray

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from narrator.adapters.sound.portaudio import Devices
from narrator.adapters.sound.speaker import Speaker
from narrator.adapters.system.clock import SessionClock
from narrator.adapters.voices.child.process import ChildSynthesiser
from narrator.adapters.voices.espeak import ENGINE as ESPEAK
from narrator.adapters.voices.espeak.synthesiser import EspeakSynthesiser
from narrator.adapters.voices.pyttsx3 import ENGINE as SYSTEM
from narrator.app.telling import told
from narrator.audio.mixer import Mixer, MixerSettings
from narrator.ports.audio import SPEAKER_RATE, Clip, Pcm, Played
from narrator.ports.errors import SynthesiserError
from narrator.ports.speech import Synthesiser, Voice
from narrator.speaking.countdown import place
from tests.virtual_table import VirtualTable, missing

LINE = "Night. All eyes closed. Keep your hands by your own token, and do not move."
EAR_RATE = 48_000
Wave = NDArray[np.float64]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--rounds", type=int, default=5)
    rounds = parser.parse_args().rounds
    speech(rounds)
    mixing()
    lacking = missing()
    if lacking:
        print(lacking)
        return
    with VirtualTable(), sitting() as desk:
        beats(desk, rounds)
        hushes(desk, rounds)


def speech(rounds: int) -> None:
    begun = time.perf_counter()
    direct = EspeakSynthesiser()
    direct.render("Ready.", Voice())
    show("espeak direct: load and first word", time.perf_counter() - begun)
    report_lines("espeak direct", direct, rounds)
    for name, engine in (("espeak in a child", ESPEAK), ("pyttsx3 in a child", SYSTEM)):
        begun = time.perf_counter()
        child = ChildSynthesiser(engine.target, engine.name)
        try:
            child.render("Ready.", Voice())
            show(f"{name}: start and first word", time.perf_counter() - begun)
            report_lines(name, child, rounds)
        except SynthesiserError as error:
            print(f"{name}: {told(error)}")
        child.close()


def report_lines(name: str, engine: Synthesiser, rounds: int) -> None:
    sound = engine.render(LINE, Voice())
    costs = [timed(lambda: engine.render(LINE, Voice())) for _ in range(4 * rounds)]
    show(f"{name}: a line of {sound.size / SPEAKER_RATE:.1f} s", median(costs))
    show(f"{name}: one word", median(timed(lambda: engine.render("Three", Voice())) for _ in costs))


def mixing() -> None:
    mixer = Mixer()
    mixer.cover(True)
    mixer.read(SPEAKER_RATE)
    mixer.play(Clip(1, np.full(60 * SPEAKER_RATE, 900, np.int16)))
    costs = [timed(lambda: mixer.read(441)) for _ in range(1000)]
    show("mixer: 20 ms of voice and cover", median(costs))


def recorder(rate: int, *more: str) -> list[str]:
    """Return the command that writes what the loudspeaker plays, 16 bit mono at a rate."""
    words = "parec --raw --format=s16le --channels=1 -d vt_speaker.monitor"
    return [*words.split(), f"--rate={rate}", *more]


class UtteranceDetector:
    """Records the loudspeaker's monitor, and when each piece of sound came."""

    def __init__(self) -> None:
        self._recorder = subprocess.Popen(
            recorder(EAR_RATE, "--latency-msec=2"), stdout=subprocess.PIPE, bufsize=0
        )
        self._pieces: list[tuple[float, Pcm]] = []
        self._thread = threading.Thread(target=self._listen, daemon=True)
        self._thread.start()

    def clear(self) -> None:
        self._pieces.clear()

    def sound(self) -> Pcm:
        return np.concatenate([piece for _, piece in self._pieces])

    def loud_moments(self, level: int = 1500) -> list[float]:
        """Return the moments at which pieces with loud samples came."""
        return [m for m, piece in self._pieces if np.abs(piece.astype(int)).max() > level]

    def pace(self) -> float:
        """Return the real seconds that a second of the recording lasts.

        A sink without a device rounds the time of each piece down, so its clock runs ahead by up to
        some hundred millionths.
        """
        pieces = [*self._pieces]  # more are coming
        moments = np.array([moment for moment, _ in pieces])
        samples = np.cumsum([piece.size for _, piece in pieces])
        return float(np.polyfit(samples / EAR_RATE, moments, 1)[0])

    def close(self) -> None:
        self._recorder.kill()
        self._recorder.wait()
        self._thread.join()

    def _listen(self) -> None:
        assert self._recorder.stdout
        odd = b""
        while data := self._recorder.stdout.read(480):
            data = odd + data
            whole = len(data) - len(data) % 2
            odd = data[whole:]
            if whole:
                self._pieces.append((time.perf_counter(), np.frombuffer(data[:whole], np.int16)))


Desk = tuple[Speaker, UtteranceDetector, list[tuple[float, Played]]]


@contextmanager
def sitting() -> Iterator[Desk]:
    told: list[tuple[float, Played]] = []
    speaker = Speaker(
        Mixer(MixerSettings(lead_in=0.0)),
        Devices(),
        SessionClock(),
        lambda played: told.append((time.perf_counter(), played)),
        lambda text, _back: print(text),
        "vt_app",
    )
    ear = UtteranceDetector()
    time.sleep(0.5)
    yield speaker, ear, told
    ear.close()
    speaker.close()


def beats(desk: Desk, rounds: int) -> None:
    speaker, ear, told = desk
    voice = EspeakSynthesiser()
    words = [voice.render(word, Voice()) for word in ("Three", "Two", "One", "Vote")]
    piece = place(words, 1.0)
    worst = []
    for _ in range(rounds):
        ear.clear()
        told.clear()
        speaker.play(Clip(1, piece))
        wait_for(lambda: bool(told))
        time.sleep(0.3)
        worst.append(deviation(ear.sound().astype(float), piece, len(words)))
    show(f"countdown: worst beat of {rounds} x {len(words)}, off its place", max(worst), 1e6, "us")


def deviation(heard: Wave, piece: Pcm, count: int) -> float:
    """Find by correlation where each word was heard; return the seconds the beats are off."""
    moments = np.arange(piece.size * EAR_RATE // SPEAKER_RATE) * (SPEAKER_RATE / EAR_RATE)
    expected = np.interp(moments, np.arange(piece.size), piece.astype(float))
    rough = best_lag(heard, expected)
    lags = []
    for start in range(0, count * EAR_RATE, EAR_RATE):
        begin = max(0, start + rough - 2400)
        word = expected[start : start + EAR_RATE // 4]
        window = heard[begin : begin + word.size + 4800]
        lags.append(best_lag(window, word) + begin - start)
    return float(np.ptp(lags)) / EAR_RATE


def best_lag(heard: Wave, expected: Wave) -> int:
    size = 1 << int(np.ceil(np.log2(heard.size + expected.size)))
    product = np.fft.rfft(heard, size) * np.conj(np.fft.rfft(expected, size))
    return int(np.argmax(np.fft.irfft(product, size)[: heard.size]))


def hushes(desk: Desk, rounds: int) -> None:
    speaker, ear, told = desk
    begins, silences, reports = [], [], []
    sound = np.tile(np.array([9000, -9000], np.int16), 5 * SPEAKER_RATE)
    for round_ in range(4 * rounds):
        ear.clear()
        told.clear()
        asked = time.perf_counter()
        speaker.play(Clip(1, sound))
        time.sleep(0.4 + 0.007 * round_)
        begins.append(ear.loud_moments()[0] - asked)
        asked = time.perf_counter()
        speaker.hush()
        wait_for(lambda: bool(told))
        time.sleep(0.4)
        last = ear.loud_moments()[-1]
        silences.append(last - asked)
        reports.append(told[0][0] - last)
    show("play to the first sample at the ear", median(begins))
    show("hush to silence at the ear", median(silences))
    show("hush to silence at the ear, worst", max(silences))
    show("end told after the last sample at the ear", median(reports))


def timed(work: Callable[[], object]) -> float:
    begun = time.perf_counter()
    work()
    return time.perf_counter() - begun


def wait_for(true: Callable[[], bool]) -> None:
    end = time.monotonic() + 20
    while not true():
        if time.monotonic() > end:
            raise SystemExit("The virtual table did not answer.")
        time.sleep(0.005)


def show(what: str, seconds: float, scale: float = 1e3, unit: str = "ms") -> None:
    print(f"{what:62} {seconds * scale:9.2f} {unit}")


if __name__ == "__main__":
    main()
