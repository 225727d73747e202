"""Long runs: an hour of talk, and the narrator's own lines where the gate lets them in."""

from __future__ import annotations

import os
import resource
import time
from dataclasses import asdict
from itertools import count
from pathlib import Path
from typing import Any

import numpy as np

from narrator.app.games import load_game
from narrator.app.rehearse import Plan, rehearse_in_text
from narrator.app.wiring.engines import make_synthesiser
from narrator.audio.resampling import resample
from narrator.ports.audio import BLOCK, MIC_RATE, SPEAKER_RATE, Pcm
from narrator.ports.recognition import Recogniser
from narrator.ports.speech import Voice
from narrator.simulation.room import QUIET, SPEECH, at_level
from tools.hearing.places import STEPS, Place
from tools.hearing.sounds import SEED, SPEAKERS, noise_of
from tools.hearing.talk import sentences

MARKS = (5, 30, 60)
"""Minutes of audio after which memory is looked at."""
_FULL = 32767


def listen_for(
    recogniser: Recogniser, seconds: float, marks: tuple[float, ...] = MARKS, language: str = "en"
) -> dict[str, Any]:
    """Make sixteen voices talk near the microphone, with a breath between sentences.

    They are made in another process: the memory is that of hearing alone.
    """
    place = Place(recogniser, *STEPS["phrase"], language)
    chance = np.random.default_rng(SEED)
    heard: list[dict[str, Any]] = []
    memory: dict[str, float] = {}
    cost, fed = 0.0, 0.0
    hiss = noise_of("")
    synthesiser = make_synthesiser(Voice("en"))
    for number, text in zip(count(), sentences(SEED + 2), strict=False):
        if fed >= seconds:
            break
        rate = int(chance.integers(130, 190))
        said = synthesiser.render(text, Voice(SPEAKERS[number % len(SPEAKERS)], "en", rate))
        speech = at_level(resample(said, SPEAKER_RATE, MIC_RATE), SPEECH)
        pause = np.zeros(int(chance.uniform(0.3, 2.0) * MIC_RATE), np.int16)
        for block in _blocks(np.concatenate([speech, pause]), hiss):
            begun = time.process_time()
            heard += [asdict(one) for one in place.heard(block)]
            cost += time.process_time() - begun
            fed += len(block) / MIC_RATE
        for mark in marks:
            if fed >= 60 * mark - 10 and f"{mark:g}" not in memory:
                memory[f"{mark:g}"] = held()
    synthesiser.close()
    return {"seconds": fed, "cpu": cost, "memory": memory, "peak": peak(), "heard": heard}


def _blocks(sound: Pcm, hiss: np.ndarray[Any, Any]) -> list[Pcm]:
    noise = hiss[np.arange(len(sound)) % len(hiss)] * QUIET * _FULL
    mixed = np.clip(np.rint(sound + noise), -_FULL, _FULL).astype(np.int16)
    return [mixed[at : at + BLOCK] for at in range(0, len(mixed), BLOCK)]


def leaking(place: Place, decibels: float) -> tuple[float, list[dict[str, Any]]]:
    """Return seconds and utterances of the narrator's lines of a whole game, the gate open."""
    report, _ = rehearse_in_text(load_game("one-night-revolution"), Plan(place.seats, seed=SEED))
    lines = dict.fromkeys(said.text for said in report.spoken if said.who == "narrator")
    heard: list[dict[str, Any]] = []
    fed = 0.0
    place.again()
    for line in lines:
        voice = narrator(line).astype(np.float32) * 10 ** (decibels / 20)
        pause = np.zeros(MIC_RATE, np.float32)
        sound = np.concatenate([voice, pause]).astype(np.int16)
        for block in _blocks(sound, noise_of("")):
            heard += [asdict(one) for one in place.heard(block)]
            fed += len(block) / MIC_RATE
    return fed, heard


def narrator(line: str) -> Pcm:
    """Return a line in the narrator's usual voice, as loud as the loudspeaker gets it."""
    from tools.hearing.afresh import EspeakAfresh

    heard: Pcm = resample(EspeakAfresh().render(line, Voice()), SPEAKER_RATE, MIC_RATE)
    return heard


def held() -> float:
    """Return the memory this process holds now, in MB."""
    statm = Path("/proc/self/statm")
    if not statm.exists():
        return peak()
    return int(statm.read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 2**20


def peak() -> float:
    """Return the most memory this process has held, in MB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
