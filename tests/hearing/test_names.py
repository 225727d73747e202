"""Names said alone to a question: taken, or asked about, and never met by silence."""

from __future__ import annotations

from collections import Counter

import pytest

from narrator.adapters.recognisers.whisper.recogniser import WhisperRecogniser
from narrator.adapters.recognisers.whisper.weights import find_weights
from narrator.app.wiring.engines import make_ear
from narrator.core.effects import Listen
from narrator.core.events import Transcript
from narrator.core.expect import Expectation
from narrator.core.values import Seat
from narrator.listening.interpreter import Interpreter
from narrator.ports.audio import BLOCK, MIC_RATE
from narrator.ports.errors import RecogniserError
from narrator.script.files.locales import load_locale
from tools.hearing.sounds import CLEAN, SPEAKERS, Air, air, spoken

pytestmark = pytest.mark.model

COMMON = (
    "James Mary John Anna Robert Linda Michael Sarah David Emma William Laura Richard Julia Joseph "
    "Maria Thomas Alice Chris Sophie Daniel Grace Paul Fay Mark Helen George Ruth Steven Clara "
    "Edward Zoe Brian Nina Kevin Eli Jason Mia Tim Rosa Peter Lena Sam Kate Max Jane Tom Lucy Jack "
    "Olivia"
).split()
WITHIN = 1.0
"""Seconds after the last sound in which the table hears what became of it."""
COMMANDS = tuple(Expectation(f"command:{name}", "command") for name in ("pause", "repeat", "undo"))


@pytest.fixture(scope="module")
def recogniser() -> WhisperRecogniser:
    try:
        return WhisperRecogniser(find_weights(None, []))
    except RecogniserError as error:
        pytest.skip(f"The weights of Whisper tiny.en are not installed: {error}")


def said(
    recogniser: WhisperRecogniser, seats: list[Seat], asked: Expectation, sound: Air
) -> tuple[Transcript | None, float]:
    """Return what the table is told of a sound, and how long after its end."""
    listen = Listen(1, (asked, *COMMANDS), "votes/ask")
    understanding = Interpreter(seats, load_locale("en"), recogniser.traits)
    ear = make_ear(recogniser, lambda: 0.0)
    ear.expect(understanding.grammar(listen).automaton, asked.kind)
    for block in sound.blocks():
        for utterance in ear.hear(block):
            told = understanding.judged(listen, utterance.hypothesis).transcript
            return told, ear.seconds - sound.ends
        if ear.seconds > sound.seconds + 4:
            return None, 4.0
        assert len(block) == BLOCK
    raise AssertionError("A room never ends.")


@pytest.mark.parametrize("kind", ["seat", "seats"])
def test_each_name_is_taken_or_asked_about_within_a_second(
    recogniser: WhisperRecogniser, kind: str
) -> None:
    names = [*load_locale("en").names, *COMMON]
    became: Counter[str] = Counter()
    for number, name in enumerate(names):
        others = [names[(number + 7 * step) % len(names)] for step in range(1, 5)]
        seats = [Seat(place, one) for place, one in enumerate((name, *others), 1)]
        asked = Expectation("answer", kind)  # type: ignore[arg-type]
        sound = air(spoken(name, SPEAKERS[number % len(SPEAKERS)]), CLEAN, number)
        told, after = said(recogniser, seats, asked, sound)
        assert told is not None, f"{name} is met by silence"
        assert after <= WITHIN + BLOCK / MIC_RATE
        wanted = name if kind == "seat" else [name]
        value = None if told.meaning is None else told.meaning.value
        assert told.unclear or value == wanted, f"{name} is taken for {value}"
        became["right" if value == wanted else "asked"] += 1
    least = 0.95 if kind == "seat" else 0.75
    assert became["right"] >= least * len(names), became
