"""Sentences that say the same words again, as the grammar allows it."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from narrator.adapters.recognisers.whisper.recogniser import WhisperRecogniser
from narrator.adapters.recognisers.whisper.weights import find_weights
from narrator.language.grammar.automaton import Arc, Automaton
from narrator.language.rejection import accept
from narrator.ports.audio import Pcm
from narrator.ports.errors import RecogniserError
from narrator.ports.recognition import Hypothesis
from tests.fresh_process import output_of

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
TEXTS = (
    "left right left right",
    "left left left left",
    "left left right",
    "stop",
    "go left go left then stop",
    "go left go left",
    "go right go right go right then stop",
    "right right right",
    "up up down down",
    "down up down up",
)
RENDER = """
import numpy as np
from tools.hearing.sounds import spoken
np.savez({file!r}, **{{
    f"{{number}}-{{voice}}": spoken(text, voice, 130)
    for number, text in enumerate({texts!r})
    for voice in {voices!r}
}})
"""


@pytest.fixture(scope="module")
def recogniser() -> WhisperRecogniser:
    try:
        return WhisperRecogniser(find_weights(None, []))
    except RecogniserError as error:
        pytest.skip(f"The weights of Whisper tiny.en are not installed: {error}")


@pytest.fixture(scope="module")
def sounds(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[Pcm]]:
    """Return every sentence in every voice, made by a process that has said nothing before.

    eSpeak's noise goes on from the line before, so no text is twice the same within a process.
    """
    file = tmp_path_factory.mktemp("sounds") / "said.npz"
    output_of(RENDER.format(voices=VOICES, texts=TEXTS, file=str(file)))
    made = np.load(file)
    return {
        text: [made[f"{number}-{voice}"] for voice in VOICES] for number, text in enumerate(TEXTS)
    }


def heard(
    recogniser: WhisperRecogniser, grammar: Automaton, said: Sequence[Pcm]
) -> list[Hypothesis]:
    recogniser.expect(grammar)
    found = []
    for sound in said:
        recogniser.accept(sound)
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
    sounds: dict[str, list[Pcm]],
    grammar: Automaton,
    text: str,
    least: int,
) -> None:
    assert sum(one.text == text for one in heard(recogniser, grammar, sounds[text])) >= least


@pytest.mark.parametrize("text", ["right right right", "up up down down", "down up down up"])
def test_a_repetition_that_was_miscounted_is_asked_for_again(
    recogniser: WhisperRecogniser, sounds: dict[str, list[Pcm]], text: str
) -> None:
    """What is wrong has a rival near it, and the margin says so."""
    for one in heard(recogniser, AGAIN, sounds[text]):
        verdict = accept(recogniser.traits.thresholds, "choice", one)
        assert one.text == text or verdict.state != "accepted"
