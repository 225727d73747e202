"""A word to be said before commands that the recogniser cannot hear is told at the beginning."""

import pytest

from narrator.adapters.whisper import WhisperRecogniser
from narrator.wiring.names import unheard_prefix

pytestmark = pytest.mark.unit


def test_a_prefix_that_can_be_heard_is_not_spoken_of():
    assert unheard_prefix("", WhisperRecogniser) == ""
    assert unheard_prefix("narrator", WhisperRecogniser) == ""


def test_a_prefix_that_cannot_be_heard_is_told_with_a_remedy():
    told = unheard_prefix("해설자", WhisperRecogniser)
    assert "해설자" in told
    assert "--prefix-word" in told
