"""What a style makes of the narrator's voice, and what engines make of a style."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

from narrator.adapters.voices.child.choice import ChosenSynthesiser
from narrator.adapters.voices.espeak import ENGINE as ESPEAK
from narrator.adapters.voices.hibari import ENGINE as HIBARI
from narrator.language.text import with_stops
from narrator.ports.audio import SPEAKER_RATE, Pcm
from narrator.ports.speech import Voice
from narrator.speaking.styles import voice_for

pytestmark = pytest.mark.unit
FAINT = 200
"""Of a sample: below it is a pause."""


@pytest.fixture(scope="module", params=[HIBARI, ESPEAK], ids=lambda engine: engine.name)
def engine(request: pytest.FixtureRequest) -> Iterator[ChosenSynthesiser]:
    if told := request.param.problem():
        pytest.skip(told)
    engines = [HIBARI, ESPEAK] if request.param is HIBARI else [ESPEAK]
    made = ChosenSynthesiser(engines, Voice())
    yield made
    made.close()


def pauses(sound: Pcm) -> int:
    """Return how many silences of a fifth of a second are within a sound."""
    loud = np.flatnonzero(np.abs(sound.astype(int)) > FAINT)
    return int((np.diff(loud) > 0.2 * SPEAKER_RATE).sum())


def test_a_list_has_a_pause_between_its_parts(engine: ChosenSynthesiser) -> None:
    text = "Diana, Robert, Julia and Benjamin."
    usual, listed = (engine.render(text, Voice(style=style)) for style in ("", "list"))
    assert pauses(listed) == 3 > pauses(usual)
    assert listed.size > 1.1 * usual.size


@pytest.mark.parametrize("style", ["night", "announce"])
def test_night_and_announcements_are_slower(engine: ChosenSynthesiser, style: str) -> None:
    text = "All of you close your eyes and keep your hands by your own token."
    usual, styled = (engine.render(text, Voice(style=one)) for one in ("", style))
    assert 1.02 < styled.size / usual.size < 1.15


def test_only_the_end_of_a_question_rises() -> None:
    if told := HIBARI.problem():
        pytest.skip(told)
    engine = ChosenSynthesiser([HIBARI, ESPEAK], Voice())
    try:
        text = "Who is the Bluffer among you all?"
        usual, asked = (engine.render(text, Voice(style=one)) for one in ("", "question"))
        same = min(usual.size, asked.size) - round(0.8 * SPEAKER_RATE)
        assert np.array_equal(usual[:same], asked[:same])
        assert not np.array_equal(usual, asked)
        told = "It is you."
        usual, asked = (engine.render(told, Voice(style=one)) for one in ("", "question"))
        assert np.array_equal(usual, asked)
    finally:
        engine.close()


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("Ana, Ben and Cy.", "Ana. Ben. And Cy."),
        ("Ana, Ben, and Cy.", "Ana. Ben. And Cy."),
        ("Ana 1,000, Ben 2. So Ana 3 and Ben 4.", "Ana 1,000. Ben 2. So Ana 3 and Ben 4."),
        ("Ana and Ben.", "Ana and Ben."),
        ("One of you, then another.", "One of you. Then another."),
        ("민수, 지우, 하나.", "민수. 지우. 하나."),
        ("", ""),
    ],
)  # fmt: skip
def test_a_list_is_said_part_by_part(text: str, said: str) -> None:
    assert with_stops(text) == said


def test_the_night_is_quieter_and_a_question_is_one() -> None:
    usual, roles = Voice("en", rate=200), {"question": "deep"}
    night = voice_for(usual, roles, "narration", 0.9, "night")
    assert (night.name, night.rate, night.style) == ("en", 180, "night")
    assert 20 * np.log10(night.volume) == pytest.approx(-2, abs=0.1)
    assert voice_for(usual, roles, "question") == Voice("deep", rate=200, style="question")
    assert voice_for(usual, roles, "question", 1.0, "list").style == "list"
    assert voice_for(usual, roles, "chatter") == usual
