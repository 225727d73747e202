"""What reaches the microphone: a voice, near or across a room, among others or in noise."""

from __future__ import annotations

import csv
import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from narrator.adapters.sound.files import read
from narrator.audio.resampling import resample
from narrator.ports.audio import BLOCK, MIC_RATE, SPEAKER_RATE, Pcm
from narrator.ports.speech import Voice
from narrator.simulation.room import QUIET, SPEECH, at_level, babble, pink
from tools.hearing.afresh import EspeakAfresh
from tools.hearing.store import ROOT

SEED = 11
LOOP = 20
"""Seconds of noise before it repeats."""
TALKERS = 6
RT60 = 0.4
DIRECT = -7.0
"""Direct sound over reverberation in dB: a talker at 2 m in a room of 50 cubic metres."""
BEFORE = 0.7
_FULL = 32767
Sound = NDArray[np.float32]

SPEAKERS = tuple(
    f"{accent}+{variant}"
    for accent, variants in (
        ("en-us", "m1 f3 m7 f4"), ("en-gb-x-rp", "m3 f1 m2 f5"), ("en-gb-scotland", "f2 m4"),
        ("en", "m3 f2"), ("en-gb-x-gbclan", "m2 f3"), ("en-gb-x-gbcwmd", "m5 f1"),
    )
    for variant in variants.split()
)  # fmt: skip
"""Voices of eSpeak: sixteen that differ in accent, pitch and timbre."""


class Clip(NamedTuple):
    """A recording of a real person, or of a noise."""

    file: str
    text: str
    kind: str
    speaker: str


class Condition(NamedTuple):
    """How loud what else is heard, and from where the voice comes."""

    noise: str = ""
    """`pink`, `babble`, or nothing."""
    snr: int = 99
    far: bool = False

    def __str__(self) -> str:
        heard = f"{self.noise} {self.snr} dB" if self.noise else "clean"
        return f"{heard}, {'2 m' if self.far else 'near'}"


CLEAN = Condition()
NOISES = [Condition(noise, snr) for noise in ("babble", "pink") for snr in (20, 10, 5)]


@dataclass(frozen=True, slots=True)
class Air:
    """Speech once, then the room for as long as somebody listens."""

    speech: Sound
    hiss: Sound
    """Noise at its level, full scale 1, repeated."""

    @property
    def ends(self) -> float:
        """Seconds after which the voice is silent."""
        loud = np.flatnonzero(np.abs(self.speech) > 0.02 * np.abs(self.speech).max(initial=1e-9))
        return BEFORE + (int(loud[-1]) + 1 if loud.size else 0) / MIC_RATE

    @property
    def seconds(self) -> float:
        """Length with the room before it."""
        return BEFORE + self.speech.size / MIC_RATE

    def blocks(self) -> Iterator[Pcm]:
        """Yield one block after the other, without end."""
        begin = int(BEFORE * MIC_RATE)
        at = 0
        while True:
            block = self.hiss[np.arange(at, at + BLOCK) % self.hiss.size].copy()
            first, last = max(0, begin - at), min(BLOCK, begin + self.speech.size - at)
            if first < last:
                block[first:last] += self.speech[at + first - begin : at + last - begin]
            at += BLOCK
            yield np.clip(np.rint(block * _FULL), -_FULL, _FULL).astype(np.int16)


def air(voice: Pcm, condition: Condition, seed: int, others: Sequence[Pcm] = ()) -> Air:
    """Place a voice (16 kHz) in a room; `others` babble there, or else eSpeak's do."""
    speech: Sound = (at_level(voice, SPEECH) / _FULL).astype(np.float32)
    if condition.far:
        speech = across(speech)
    if condition.noise == "babble" and others:
        hiss = babble(others, LOOP, MIC_RATE, seed)
    else:
        hiss = noise_of(condition.noise)
    turned = np.roll(hiss, int(np.random.default_rng(seed).integers(hiss.size)))
    return Air(speech, turned * np.float32(loudness(condition)))


def loudness(condition: Condition) -> float:
    """Return the noise's root mean square."""
    return SPEECH * 10 ** (-condition.snr / 20) if condition.noise else QUIET


@cache
def noise_of(kind: str) -> Sound:
    """Return a loop of noise at root mean square 1."""
    if kind != "babble":
        return pink(LOOP, MIC_RATE, SEED)
    from tools.hearing.talk import sentences

    said = zip(SPEAKERS, sentences(SEED), strict=False)
    return babble([spoken(text, name) for name, text in said], LOOP, MIC_RATE, SEED)


def across(speech: Sound) -> Sound:
    """Return speech as it is heard at 2 m in a living room, as loud as before."""
    wet = np.convolve(speech, _response())
    loud = np.sqrt(np.mean(speech**2)) / max(float(np.sqrt(np.mean(wet**2))), 1e-9)
    levelled: Sound = (wet * loud).astype(np.float32)
    return levelled


@cache
def _response() -> Sound:
    count = int(RT60 * MIC_RATE)
    chance = np.random.default_rng(SEED)
    tail = chance.standard_normal(count) * 10 ** (-3 * np.arange(count) / count)
    tail[: int(0.004 * MIC_RATE)] = 0  # the first wall is more than a metre away
    tail *= 10 ** (-DIRECT / 20) / np.sqrt(np.sum(tail**2))
    tail[0] = 1.0
    return tail.astype(np.float32)


@lru_cache(maxsize=4000)
def spoken(text: str, voice: str, rate: int = 150) -> Pcm:
    """Return a text in one of eSpeak's voices, at 16 kHz."""
    said = _synthesiser().render(text, Voice(voice, "en", rate))
    heard: Pcm = resample(said, SPEAKER_RATE, MIC_RATE)
    return heard


@cache
def _synthesiser() -> EspeakAfresh:
    return EspeakAfresh()


def voices_folder() -> Path:
    """Return where recordings of real people are looked for."""
    return Path(os.environ.get("NARRATOR_VOICES", ROOT.parent / "shared" / "hearing"))


def clips() -> list[Clip]:
    """Return the recordings of real people; none where there are none."""
    listed = voices_folder() / "voices.tsv"
    if not listed.is_file():
        return []
    with listed.open(encoding="utf-8") as file:
        rows = csv.DictReader(file, delimiter="\t")
        return [Clip(r["file"], r["text"], r["kind"], r["speaker"]) for r in rows]


@lru_cache(maxsize=500)
def recording(file: str) -> Pcm:
    """Return a recording at 16 kHz."""
    return read(voices_folder() / "voices" / file)


def talkers(speaker: str, seed: int) -> list[Pcm]:
    """Return what a few other people say at the same time: recordings in a row for each."""
    chance = np.random.default_rng(seed)
    others = [c for c in clips() if c.kind != "noise" and c.speaker != speaker]
    rows = []
    for _ in range(TALKERS):
        some = chance.choice(len(others), 12, replace=False)
        rows.append(np.concatenate([at_level(recording(others[i].file), SPEECH) for i in some]))
    return rows
