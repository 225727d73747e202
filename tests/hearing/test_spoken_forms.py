"""The ways in which answers are given, said by two voices and heard by the real recogniser."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import soxr

from narrator.app.hear import among_noise
from narrator.app.wiring.engines import make_recogniser
from narrator.core.effects import Listen
from narrator.core.expect import Expectation
from narrator.core.values import Seat
from narrator.listening.interpreter import Interpreter
from narrator.ports.audio import MIC_RATE, SPEAKER_RATE
from narrator.ports.errors import RecogniserError
from narrator.ports.recognition import Recogniser
from narrator.ports.speech import Voice
from narrator.script.files.locales import load_locale
from tools.hearing.afresh import EspeakAfresh

pytestmark = pytest.mark.model
VOICES = ("gmw/en-us", "gmw/en-gb-x-rp+f3")
NAMES = ("Robert", "Julia", "Oliver", "Anna")
SEATS = tuple(Seat(number, name) for number, name in enumerate(NAMES, 1))
COMMANDS = tuple(
    Expectation(f"command:{name}", "command")
    for name in ("repeat", "pause", "stop", "skip", "undo", "help")
)
SEAT = Expectation("answer", "seat", allowed=NAMES)
SEVERAL = Expectation("answer", "seats", allowed=NAMES, nobody=True)
NUMBER = Expectation("answer", "number", low=-999, high=999, halves=True)
LETTER = Expectation("answer", "letter", allowed=("A", "B", "C"))
YESNO = Expectation("answer", "yesno")
DONE = Expectation("phrase", "phrase", templates=("task complete",))
SAID = [
    (SEAT, "Robert, no, Julia", "Julia"), (SEAT, "seat three", "Oliver"),
    (SEVERAL, "Robert and Oliver", ["Robert", "Oliver"]), (SEVERAL, "everyone", list(NAMES)),
    (SEVERAL, "everyone but Julia", ["Robert", "Oliver", "Anna"]), (SEVERAL, "nobody", []),
    (NUMBER, "nine hundred and ninety nine", 999), (NUMBER, "minus twelve", -12),
    (NUMBER, "seven and a half", 7.5), (LETTER, "bravo", "B"), (LETTER, "charlie", "C"),
    (YESNO, "yes, that is right", True), (YESNO, "no thanks", False),
    (DONE, "um, task complete", "task complete"),
]  # fmt: skip


@pytest.fixture(scope="module")
def recogniser() -> Recogniser:
    try:
        return make_recogniser("whisper", "", "en")
    except RecogniserError as missing:
        pytest.skip(str(missing))


def heard(recogniser: Recogniser, expectation: Expectation, text: str, voice: str) -> Any:
    sound = EspeakAfresh().render(text, Voice(voice))
    sound = soxr.resample(sound, SPEAKER_RATE, MIC_RATE).astype(np.int16) // 2
    listen = Listen(1, (expectation, *COMMANDS), "day/ask")
    understanding = Interpreter(SEATS, load_locale("en"), recogniser.traits)
    recogniser.expect(understanding.grammar(listen).automaton)
    recogniser.accept(among_noise(sound, 0.7))
    said = understanding.heard(listen, recogniser.finish())
    return said.meaning.value if said and said.meaning else "asked again"


@pytest.mark.parametrize(("expectation", "text", "value"), SAID)
def test_both_voices_are_understood_or_asked_again_and_never_wrong(
    recogniser: Recogniser, expectation: Expectation, text: str, value: Any
) -> None:
    found = [heard(recogniser, expectation, text, voice) for voice in VOICES]
    for _ in range(2):  # eSpeak never says a text twice alike, and people say it again
        if value not in found:
            found.append(heard(recogniser, expectation, text, VOICES[0]))
    assert value in found
    assert all(f in (value, "asked again") for f in found)
