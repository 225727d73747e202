"""Part `engines`: what a decision costs on this machine, medians; the sentences are eSpeak's."""

from __future__ import annotations

import resource
import statistics
import time
from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from narrator.adapters.recognisers.vosk.models import find_vosk_model
from narrator.adapters.recognisers.vosk.recogniser import VoskRecogniser
from narrator.adapters.recognisers.whisper.recogniser import WhisperRecogniser
from narrator.adapters.recognisers.whisper.weights import find_weights
from narrator.adapters.sound.vad import SileroDetector
from narrator.app.telling import told
from narrator.language.grammar.automaton import Arc, Automaton
from narrator.ports.audio import MIC_RATE, SPEAKER_RATE, Pcm
from narrator.ports.errors import RecogniserError
from narrator.ports.recognition import Recogniser
from narrator.ports.speech import Voice
from tools.hearing.afresh import EspeakAfresh

SHORT = (
    "zero one two three four five six seven eight nine yes no stop go up down left right".split()
)
SYLLABLES = "ba den ro li ma sti ve nor ku tha pel sim".split()
SIZES = (10, 100, 1_000, 10_000)
ROUNDS = 7


class Cost(NamedTuple):
    """What a decision takes."""

    wall: float
    """Seconds that pass; more on a busy machine."""
    core: float
    """Seconds of one processor."""


def measure(threads: int = 2) -> None:
    """Measure everything and print one line for each figure.

    Args:
        threads: Of the encoder.
    """
    show("voice detector, share of real time", detector_share(), "")
    whisper = loaded("whisper", lambda: WhisperRecogniser(find_weights(None, []), threads=threads))
    if isinstance(whisper, WhisperRecogniser):
        measure_whisper(whisper)
    vosk = loaded("vosk", lambda: VoskRecogniser(find_vosk_model(None, [], "ko")))
    if vosk is not None:
        grammar = choice(["완료", "아니오", "멈춰", "다시", "넷"])
        decode, share = decode_cost(vosk, grammar, said("완료", "ko"))
        show("vosk (ko), after the endpoint, 5 phrases", decode, "")
        show("vosk (ko), share of real time", share, "")
        show("peak memory with both engines", memory(), "MB")


def measure_whisper(whisper: WhisperRecogniser) -> None:
    """Print what the embedded engine costs for short answers and for names with numbers."""
    decode, _ = decode_cost(whisper, choice(SHORT), said("seven", "en"))
    show(f"whisper, after the endpoint, {len(SHORT)} single words", decode, "")
    for size in SIZES:
        grammar, sentence = names_with_numbers(size)
        sound = said(sentence, "en")
        whisper.expect(grammar)
        whisper.accept(sound)
        begun = time.perf_counter()
        heard = whisper.finish().text
        first = time.perf_counter() - begun
        decode, _ = decode_cost(whisper, grammar, sound)
        name = f"whisper, after the endpoint, {size} sentences of name and number"
        show(name, decode, f"(the first time {first:.3f} s; heard {heard!r} for {sentence!r})")
    show("peak memory with whisper", memory(), "MB")


def loaded(name: str, make: Callable[[], Recogniser]) -> Recogniser | None:
    """Load an engine and print how long it took; None where its model is missing."""
    begun = time.perf_counter()
    try:
        engine = make()
    except RecogniserError as error:
        print(f"{name} is left out: {told(error)}")
        return None
    show(f"{name}, load", time.perf_counter() - begun, "s")
    return engine


def decode_cost(engine: Recogniser, grammar: Automaton, sound: Pcm) -> tuple[Cost, float]:
    """Return the median cost after the endpoint, and the share of real time altogether."""
    walls, cores, shares = [], [], []
    for _ in range(ROUNDS):
        engine.expect(grammar)
        begun = time.perf_counter()
        for at in range(0, len(sound), 1600):
            engine.accept(sound[at : at + 1600])
        endpoint, core = time.perf_counter(), time.process_time()
        engine.finish()
        now = time.perf_counter()
        walls.append(now - endpoint)
        cores.append(time.process_time() - core)
        shares.append((now - begun) / (len(sound) / MIC_RATE))
    return Cost(statistics.median(walls), statistics.median(cores)), statistics.median(shares)


def detector_share() -> float:
    """Return the detector's seconds for a second of sound."""
    detector, sound = SileroDetector(), said("the quick brown fox", "en")
    frames = [sound[at : at + 512] for at in range(0, len(sound) - 511, 512)]
    costs = []
    for _ in range(ROUNDS):
        begun = time.perf_counter()
        for frame in frames:
            detector.probability(frame)
        costs.append((time.perf_counter() - begun) / (len(frames) * 512 / MIC_RATE))
    return statistics.median(costs)


def choice(words: list[str]) -> Automaton:
    """Return the grammar of these single words."""
    return Automaton((tuple(Arc(word, 1) for word in words), ()), frozenset({1}))


def names_with_numbers(size: int) -> tuple[Automaton, str]:
    """Return a grammar of `size` sentences "NAME has NUMBER", and one of them."""
    count = max(1, size // 10)
    names = [name(n) for n in range(count)]
    numbers = "zero one two three four five six seven eight nine".split()
    digits = tuple(Arc(str(n), 3, True) for n in range(10))
    arcs = (
        tuple(Arc(word, 1) for word in names),
        (Arc("has", 2),),
        tuple(Arc(word, 3) for word in numbers) + digits,
        (),
    )
    return Automaton(arcs, frozenset({3})), f"{names[count // 2]} has seven"


def name(number: int) -> str:
    """Return the name with this number: two or three syllables, all different."""
    base = len(SYLLABLES)
    parts = [number % base, number // base % base, number // base**2 % base]
    return "".join(SYLLABLES[part] for part in parts[: 3 if number >= base**2 else 2])


def said(text: str, language: str) -> Pcm:
    """Return a spoken text with a little noise around it."""
    import soxr

    voice = EspeakAfresh().render(text, Voice(language=language, rate=150))
    sound = soxr.resample(voice.astype(np.float32), SPEAKER_RATE, MIC_RATE) * 0.5
    quiet = 20 * np.sin(np.arange(MIC_RATE // 2) ** 2 * 0.7)
    return np.concatenate([quiet, sound, quiet]).astype(np.int16)


def memory() -> float:
    """Return the most memory this process has held, in MB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def show(what: str, value: float | Cost, unit: str) -> None:
    """Print one figure."""
    if isinstance(value, Cost):
        unit = f"s ({value.core:.3f} s of one processor) {unit}"
        value = value.wall
    print(f"{what}: {value:.3f} {unit}".rstrip())
