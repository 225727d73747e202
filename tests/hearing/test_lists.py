"""Points and lists of names, as people call them out: nothing added, nothing cut off."""

import numpy as np
import pytest

from narrator.adapters.recognisers.whisper.recogniser import WhisperRecogniser
from narrator.adapters.recognisers.whisper.weights import find_weights
from narrator.audio.resampling import resample
from narrator.core.expect import Expectation
from narrator.core.values import Seat
from narrator.language.grammar.grammar import compile_grammar
from narrator.ports.audio import MIC_RATE, SPEAKER_RATE
from narrator.ports.errors import RecogniserError
from narrator.ports.speech import Voice
from narrator.script.files.locales import load_locale
from tools.hearing.afresh import EspeakAfresh

pytestmark = pytest.mark.model

SEATS = [Seat(n, name) for n, name in enumerate(["Robert", "Julia", "Benjamin", "Olivia"], 1)]
NAMES = tuple(seat.name for seat in SEATS)
POINTS = Expectation("answer", "points", allowed=NAMES, low=-99, high=99, nobody=True)
SEVERAL = Expectation("answer", "seats", allowed=NAMES, nobody=True)
COMMANDS = tuple(Expectation(f"command:{n}", "command") for n in ("repeat", "undo", "scores"))
SAID = [
    (POINTS, "minus ten for olivia", {"Olivia": -10}),
    (POINTS, "julia twenty five", {"Julia": 25}),
    (POINTS, "robert eight, julia three", {"Robert": 8, "Julia": 3}),
    (POINTS, "benjamin and olivia two each", {"Benjamin": 2, "Olivia": 2}),
    (POINTS, "ten points for olivia", {"Olivia": 10}),
    (POINTS, "nobody", {}),
    (SEVERAL, "julia", ["Julia"]),
    (SEVERAL, "julia and olivia", ["Julia", "Olivia"]),
    (SEVERAL, "robert, benjamin and olivia", ["Robert", "Benjamin", "Olivia"]),
    (SEVERAL, "everyone", list(NAMES)),
]
VOICES = ("en-us+f3", "en-us+m1", "en-us+m7")
MISHEARD = 2
"""Of thirty; synthetic voices are harder than people."""


@pytest.fixture(scope="module")
def whisper():
    try:
        engine = WhisperRecogniser(find_weights(None, []))
    except RecogniserError as error:
        pytest.skip(f"The weights of Whisper tiny.en are not installed: {error}")
    yield engine
    engine.close()


def test_lists_are_heard_as_they_were_said(whisper):
    locale, voice = load_locale("en"), EspeakAfresh()
    quiet = (15 * np.random.default_rng(1).standard_normal(MIC_RATE // 3)).astype(np.int16)
    wrong = []
    for expected, text, value in SAID:
        grammar = compile_grammar([expected, *COMMANDS], SEATS, locale)
        for name in VOICES:
            said = voice.render(text, Voice(name, "en", 150))
            whisper.expect(grammar.automaton)
            whisper.accept(np.concatenate([quiet, resample(said, SPEAKER_RATE, MIC_RATE), quiet]))
            heard = whisper.finish().text
            meanings = grammar.interpret(heard).meanings
            if len(meanings) != 1 or meanings[0].value != value:
                wrong.append((text, name, heard))
    assert len(wrong) <= MISHEARD, wrong
