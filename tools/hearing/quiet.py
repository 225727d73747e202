"""Part `quiet`: rooms in which nobody speaks to the narrator."""

from __future__ import annotations

from collections import Counter
from dataclasses import asdict
from itertools import islice
from typing import Any

import numpy as np

from narrator.ports.audio import BLOCK, MIC_RATE, Pcm
from narrator.ports.recognition import Recogniser
from narrator.simulation.room import QUIET, SPEECH
from tools.hearing.places import STEPS, Place, taken_for
from tools.hearing.sounds import CLEAN, SEED, SPEAKERS, Sound, air, noise_of, spoken
from tools.hearing.store import Store, table

MINUTES = 10
ANSWERS = 5
_FULL = 32767


def measure(recogniser: Recogniser, store: Store) -> None:
    """Print what was taken for an answer, and what the narrator would have asked about."""
    print(
        f"{MINUTES} minutes each. Silence: a room at -68 dB. Fan: brown noise with a hum of 50 Hz, "
        "20 dB below speech. Chatter: sixteen eSpeak voices at once, 10 dB below speech. "
        f"Before each room {ANSWERS} answers were given in quiet, as in a game.\n"
    )
    rows = []
    for kind in ("phrase", "seat"):
        place = Place(recogniser, *STEPS[kind])
        for room in ("zeros", "silence", "fan", "chatter"):
            found = store.get(f"{kind} {room}", lambda r=room, p=place: _listen(p, r))  # type: ignore[misc]
            counts = Counter(taken_for([one], ("", ""), recogniser.name)[0] for one in found)
            where = "a turn at night" if kind == "phrase" else "a vote"
            rows.append((where, room, len(found), counts["wrong"], counts["asked"]))
    table(("at", "room", "utterances", "taken for an answer", "asked about"), rows)


def _listen(place: Place, room: str) -> list[dict[str, Any]]:
    place.again()
    for number, text in enumerate(place.answers(ANSWERS, SEED)):
        scene = air(spoken(text, SPEAKERS[number]), CLEAN, number)
        for block in islice(scene.blocks(), int((scene.seconds + 1.5) * MIC_RATE / BLOCK)):
            list(place.heard(block))
    sound = _room(room)
    found = []
    for number in range(MINUTES * 60 * MIC_RATE // BLOCK):
        at = number * BLOCK % (len(sound) - BLOCK)
        found += [asdict(one) for one in place.heard(sound[at : at + BLOCK])]
    return found


def _room(kind: str) -> Pcm:
    count = 20 * MIC_RATE
    if kind == "zeros":
        return np.zeros(count, np.int16)
    if kind == "fan":
        sound = _fan(count) * SPEECH * 0.1
    elif kind == "chatter":
        sound = noise_of("babble") * np.float32(SPEECH * 10**-0.5)
    else:
        sound = noise_of("") * np.float32(QUIET)
    whole: Pcm = np.clip(np.rint(sound * _FULL), -_FULL, _FULL).astype(np.int16)
    return whole


def _fan(count: int) -> Sound:
    white = np.fft.rfft(np.random.default_rng(SEED).standard_normal(count))
    frequency = np.maximum(np.fft.rfftfreq(count, 1 / MIC_RATE), 40.0)
    brown = np.fft.irfft(white / frequency, count)
    hum = 0.3 * np.sin(2 * np.pi * 50 * np.arange(count) / MIC_RATE)
    sound = brown / np.sqrt(np.mean(brown**2)) + hum
    levelled: Sound = (sound / np.sqrt(np.mean(sound**2))).astype(np.float32)
    return levelled
