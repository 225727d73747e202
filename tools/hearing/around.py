"""Part `room`: answers right after the prompt, among neighbours, in noise that goes on."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from statistics import median
from typing import Any, NamedTuple

import numpy as np

from narrator.config.settings import Settings
from narrator.core.expect import AnswerKind
from narrator.ports.audio import BLOCK, MIC_RATE, Pcm
from narrator.ports.recognition import Recogniser
from narrator.simulation.room import QUIET, SPEECH, pink
from tools.hearing.places import STEPS, Place, taken_for
from tools.hearing.reflections import Sound, heard_from, seat_at
from tools.hearing.sounds import SEED, SPEAKERS, clips, recording, spoken
from tools.hearing.store import Store, per_cent, table
from tools.hearing.talk import sentences

KINDS: tuple[AnswerKind, ...] = ("number", "seat", "phrase", "yesno")
ANSWERS = 8
"""Of each kind in each room."""
NEAR = 0.5
"""Metres from the microphone of the player who answers."""
BEFORE, PROMPT, SOON = 1.5, 2.0, 0.1
"""Seconds: heard before the narrator speaks, spoken by it, and until the answer begins."""
GUARD = Settings().guard_time
AFTER = 3.0
"""Seconds after an answer in which something must come of it."""
_FULL = 32767.0
_DIGITS = "zero one two three four five six seven eight nine".split()


class Scene(NamedTuple):
    """Who and what else is heard."""

    name: str
    neighbours: int = 0
    below: float = 0.0
    """Decibels by which each neighbour, or all of six, is softer than the answer."""
    same: bool = True
    """Whether they say answers of the same kind; else they talk."""
    noise: str = ""
    """`pink`, `kitchen`, `music`, or nothing; it began before and goes on."""
    snr: float = 10.0


SCENES = (
    Scene("quiet"),
    Scene("pink noise, 10 dB", noise="pink"),
    Scene("kitchen, 10 dB", noise="kitchen"),
    Scene("music, 10 dB", noise="music"),
    Scene("one neighbour answers too, 5 dB softer", 1, 5.0),
    Scene("two neighbours talk, 10 dB softer", 2, 10.0, same=False),
    Scene("six answer too, together 10 dB softer", 6, 10.0),
)


@dataclass(frozen=True, slots=True)
class Answered:
    """What became of an answer that was said once, and again where nothing came of it."""

    first: str
    second: str
    seconds: float
    """From its last sound until it was decided; 0 where nothing was."""


def measure(recogniser: Recogniser, store: Store) -> None:
    """Print, for each room and kind, what became of the answers."""
    print(
        f"{ANSWERS} answers of each kind; who answers is {NEAR} m away, neighbours 1 to 2.5 m, in "
        f"a room of 50 cubic metres. Numbers are said by real people, all else by eSpeak's "
        f"{len(SPEAKERS)} voices. The ear is shut while the narrator speaks; the answer begins "
        f"{SOON} s later (seed {SEED}).\n"
    )
    rows = []
    for scene in SCENES:
        for kind in KINDS:
            place = Place(recogniser, *STEPS[kind])
            rows.append((scene.name, kind, *_row(_answers(place, kind, scene, store))))
    head = ("room", "kind", "said", "right at first", "within two tries", "taken wrong",
            "not noticed", "seconds, median")  # fmt: skip
    table(head, rows)


def _row(answers: Sequence[Answered]) -> tuple[object, ...]:
    total = len(answers)
    first = Counter(a.first for a in answers)
    two = sum("right" in (a.first, a.second) and a.first != "wrong" for a in answers)
    wrong = sum("wrong" in (a.first, a.second) for a in answers)
    took = [a.seconds for a in answers if a.first == "right"]
    return (
        total, per_cent(first["right"], total), per_cent(two, total), per_cent(wrong, total),
        first["unnoticed"], f"{median(took):.2f}" if took else "",
    )  # fmt: skip


def _answers(place: Place, kind: AnswerKind, scene: Scene, store: Store) -> list[Answered]:
    found = []
    for number, (text, voice) in enumerate(_said(place, kind, ANSWERS)):
        wanted = place.means(text)
        first, seconds = _try(place, scene, number, voice, wanted, store, kind)
        second = ""
        if first not in ("right", "wrong"):
            second, _ = _try(place, scene, number + 100, voice, wanted, store, kind)
        found.append(Answered(first, second, seconds))
    return found


def _try(
    place: Place,
    scene: Scene,
    seed: int,
    voice: Pcm,
    wanted: tuple[str, str],
    store: Store,
    kind: str,
) -> tuple[str, float]:
    key = f"{scene.name} {kind} {seed}"
    made: dict[str, Any] = store.get(key, lambda: _listened(place, scene, seed, voice))
    became, heard = taken_for(made["found"], wanted, "whisper")
    return became, (heard[-1].end - made["ends"]) if heard else 0.0


def _said(place: Place, kind: AnswerKind, count: int) -> list[tuple[str, Pcm]]:
    """Return answers of a kind with their sound: real people's where there are any."""
    real = [c for c in clips() if c.text in _DIGITS and c.kind == "digit"]
    if kind == "number" and real:
        chosen = real[:: max(1, len(real) // count)][:count]
        return [(c.text, recording(c.file)) for c in chosen]
    texts = place.answers(count, SEED)
    pairs = [(texts[n % len(texts)], SPEAKERS[n % len(SPEAKERS)]) for n in range(count)]
    return [(text, spoken(text, voice)) for text, voice in pairs]


def _listened(place: Place, scene: Scene, seed: int, voice: Pcm) -> dict[str, Any]:
    """Play a scene to the ear; return what was heard, and when the answer was over."""
    answer = _at(heard_from(seat_at(NEAR, 40.0), _floats(voice)), SPEECH)
    begin = round((BEFORE + PROMPT + SOON) * MIC_RATE)
    length = begin + len(answer) + round(AFTER * MIC_RATE)
    sound = _around(place, scene, seed, length)
    sound[begin : begin + len(answer)] += answer
    loud = np.flatnonzero(np.abs(answer) > 0.02 * np.abs(answer).max())
    place.again()
    found: list[dict[str, Any]] = []
    for at in range(0, length - BLOCK, BLOCK):
        block = np.clip(np.rint(sound[at : at + BLOCK] * _FULL), -_FULL, _FULL).astype(np.int16)
        now = at / MIC_RATE
        if BEFORE <= now < BEFORE + PROMPT:
            place.ear.close()
        elif BEFORE <= now < BEFORE + PROMPT + GUARD:
            place.ear.wait(block)
            continue
        elif BEFORE <= now:
            place.ear.open()
        heard = [asdict(one) for one in place.heard(block)]
        # What was said before the question answers nothing.
        found += [one for one in heard if one["end"] > BEFORE + PROMPT]
    return {"found": found, "ends": (begin + int(loud[-1])) / MIC_RATE}


def _around(place: Place, scene: Scene, seed: int, length: int) -> Sound:
    """Return neighbours and noise, at the levels of the scene."""
    chance = np.random.default_rng([SEED, seed])
    sound: Sound = pink(10, MIC_RATE, seed)
    sound = np.resize(sound, length).astype(np.float32) * np.float32(QUIET)
    if scene.noise:
        sound += _at(_noise(scene.noise, length, chance), SPEECH * 10 ** (-scene.snr / 20))
    if not scene.neighbours:
        return sound
    people = np.zeros(length, np.float32)
    for number in range(scene.neighbours):
        source = seat_at(1.0 + 1.5 * float(chance.random()), 60.0 * number + 100.0)
        people += _at(_talks(place, scene, length, chance, source), SPEECH)
    # Each of a few is so much softer; of many all together are.
    wanted = SPEECH * 10 ** (-scene.below / 20)
    return sound + (_at(people, wanted) if scene.neighbours > 2 else people * (wanted / SPEECH))


def _talks(
    place: Place,
    scene: Scene,
    length: int,
    chance: np.random.Generator,
    source: tuple[float, float, float],
) -> Sound:
    """Return what one neighbour says all the time, with pauses of 0.2 to 0.8 s."""
    says = place.answers(12, SEED + 1) if scene.same else list(_talk())
    voice = SPEAKERS[int(chance.integers(len(SPEAKERS)))]
    said: Sound = np.zeros(length, np.float32)
    at = int(chance.integers(MIC_RATE))
    while at < length:
        words = _floats(spoken(says[int(chance.integers(len(says)))], voice))
        part = heard_from(source, words)[: length - at]
        said[at : at + len(part)] += part
        at += len(words) + int(MIC_RATE * (0.2 + 0.6 * chance.random()))
    return said


def _talk() -> list[str]:
    return [text for text, _ in zip(sentences(SEED + 2), range(24), strict=False)]


def _noise(kind: str, length: int, chance: np.random.Generator) -> Sound:
    seed = int(chance.integers(1 << 30))
    steady: Sound = np.resize(pink(10, MIC_RATE, seed), length).astype(np.float32)
    if kind == "pink":
        return steady
    return _music(length, chance) if kind == "music" else steady * 0.5 + _clatter(length, chance)


def _clatter(length: int, chance: np.random.Generator) -> Sound:
    """Return plates and cutlery: short rings of high, unrelated tones, three in a second."""
    sound = np.zeros(length, np.float32)
    time = np.arange(MIC_RATE // 3) / MIC_RATE
    for _ in range(3 * length // MIC_RATE):
        tones = chance.uniform(1200, 6000, 5)
        ring = np.sin(2 * np.pi * np.outer(tones, time)).sum(axis=0)
        ring *= np.exp(-time * chance.uniform(15, 60)) * chance.uniform(0.3, 1.5)
        at = int(chance.integers(length))
        part = ring[: length - at].astype(np.float32)
        sound[at : at + len(part)] += part
    return sound


def _music(length: int, chance: np.random.Generator) -> Sound:
    """Return chords of plucked strings over a beat, two in a second."""
    sound = np.zeros(length, np.float32)
    step, hold = MIC_RATE // 2, MIC_RATE
    time = np.arange(hold) / MIC_RATE
    for at in range(0, length, step):
        root = 110 * 2 ** (int(chance.integers(12)) / 12)
        notes = root * np.array([1, 1.25, 1.5, 2])
        waves = [np.sin(2 * np.pi * f * k * time) / k for f in notes for k in (1, 2, 3, 4)]
        chord = np.sum(waves, axis=0) * np.exp(-3 * time)
        chord[:800] += 4 * chance.standard_normal(800) * np.linspace(1, 0, 800)
        part = chord[: length - at].astype(np.float32)
        sound[at : at + len(part)] += part
    return sound


def _floats(pcm: Pcm) -> Sound:
    floats: Sound = pcm.astype(np.float32) / np.float32(_FULL)
    return floats


def _at(sound: Sound, wanted: float) -> Sound:
    """Return a sound at this root mean square of what is not silence."""
    loud = sound[np.abs(sound) > 0.02 * (np.abs(sound).max(initial=0.0) or 1.0)]
    now = float(np.sqrt(np.mean(loud**2))) if loud.size else 1.0
    return sound * np.float32(wanted / now)
