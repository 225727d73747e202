"""Sentences that say the same words again, as the grammar allows it."""

from __future__ import annotations

import pytest

from narrator.adapters.recognisers.whisper.recogniser import WhisperRecogniser
from narrator.adapters.recognisers.whisper.weights import find_weights
from narrator.language.grammar.automaton import Arc, Automaton
from narrator.language.rejection import accept
from narrator.ports.errors import RecogniserError
from narrator.ports.recognition import Hypothesis
from tools.hearing.sounds import spoken

pytestmark = pytest.mark.model

WAYS = tuple(Arc(word, 1) for word in ("left", "right", "up", "down", "stop"))
AGAIN = Automaton((WAYS, WAYS), frozenset({1}))
GOING = Automaton(
    (
        (Arc("go", 1),),
        (Arc("left", 2), Arc("right", 2)),
        (Arc("go", 1), Arc("then", 3)),
        (Arc("stop", 4),),
        (),
    ),
    frozenset({2, 4}),
)
VOICES = ("en-us+m1", "en-us+f3", "en-us+m7", "en-us+f4")


@pytest.fixture(scope="module")
def recogniser() -> WhisperRecogniser:
    try:
        return WhisperRecogniser(find_weights(None, []))
    except RecogniserError as error:
        pytest.skip(f"The weights of Whisper tiny.en are not installed: {error}")


def heard(recogniser: WhisperRecogniser, grammar: Automaton, text: str) -> list[Hypothesis]:
    """Return what is heard of a sentence, in each of the voices."""
    recogniser.expect(grammar)
    found = []
    for voice in VOICES:
        recogniser.accept(spoken(text, voice, 130))
        found.append(recogniser.finish())
    return found


@pytest.mark.parametrize(
    ("grammar", "text", "least"),
    [
        (AGAIN, "left right left right", 3),
        (AGAIN, "left left left left", 3),
        (AGAIN, "left left right", 3),
        (AGAIN, "stop", 4),
        (GOING, "go left go left then stop", 4),
        (GOING, "go left go left", 2),
        (GOING, "go right go right go right then stop", 3),
    ],
)
def test_what_the_grammar_allows_can_be_heard_however_often(
    recogniser: WhisperRecogniser,
    grammar: Automaton,
    text: str,
    least: int,
) -> None:
    assert sum(one.text == text for one in heard(recogniser, grammar, text)) >= least


@pytest.mark.parametrize("text", ["right right right", "up up down down", "down up down up"])
def test_a_repetition_that_was_miscounted_is_asked_for_again(
    recogniser: WhisperRecogniser, text: str
) -> None:
    """What is wrong has a rival near it, and the margin says so."""
    for one in heard(recogniser, AGAIN, text):
        verdict = accept(recogniser.traits.thresholds, "choice", one)
        assert one.text == text or verdict.state != "accepted"
