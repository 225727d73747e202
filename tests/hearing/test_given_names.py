"""Names are heard from a list, and other talk is not taken for them."""

from __future__ import annotations

import pytest

from narrator.adapters.recognisers.whisper.recogniser import WhisperRecogniser
from narrator.adapters.recognisers.whisper.weights import find_weights
from narrator.core.expect import Expectation
from narrator.language.grammar.grammar import Grammar, compile_grammar
from narrator.language.rejection import accept
from narrator.ports.errors import RecogniserError
from narrator.ports.recognition import Hypothesis
from narrator.script.files.locales import load_locale
from tools.hearing.sounds import spoken

pytestmark = pytest.mark.model

VOICES = ("en-us+f3", "en-us", "en-us+m3")
TABLES = (
    "Robert, Julia and Oliver",
    "William",
    "Michelle, Alexis, Jennifer, Douglas and Patrick",
    "Sarah, Ronald, Jason and Nancy",
    "Victoria, Larry, Brenda, Taylor and Leslie",
    "Diana, Mary, Tara and Christina",
    "Christopher and Charles",
    "Daniel, Tammy, Morgan and Lauren",
)
TALK = ("how do we do this then", "where are the cards", "no idea", "one moment please")


@pytest.fixture(scope="module")
def recogniser() -> WhisperRecogniser:
    try:
        return WhisperRecogniser(find_weights(None, []))
    except RecogniserError as error:
        pytest.skip(f"The weights of Whisper tiny.en are not installed: {error}")


@pytest.fixture(scope="module")
def grammar() -> Grammar:
    return compile_grammar((Expectation("answer", "names"),), (), load_locale("en"))


def heard(recogniser: WhisperRecogniser, grammar: Grammar, text: str, voice: str) -> Hypothesis:
    recogniser.expect(grammar.automaton)
    recogniser.accept(spoken(text, voice, 140))
    return recogniser.finish()


def test_three_names_of_four_are_heard_as_they_are_written(recogniser, grammar):
    right = wanted = 0
    for table in TABLES:
        names = table.replace(" and", ",").replace(",", "").split()
        for voice in VOICES:
            meaning = grammar.interpret(heard(recogniser, grammar, table, voice).text).meaning
            found = meaning.value if meaning and isinstance(meaning.value, list) else []
            right += len({*found} & {*names})
            wanted += len(names)
    assert right >= 0.75 * wanted, f"{right} of {wanted}"


def test_other_talk_is_not_taken_for_names(recogniser, grammar):
    taken = [
        (text, hypothesis.text, hypothesis.score)
        for text in TALK
        for voice in VOICES
        for hypothesis in [heard(recogniser, grammar, text, voice)]
        if accept(recogniser.traits.thresholds, "names", hypothesis).state == "accepted"
    ]
    assert len(taken) <= 3, taken
