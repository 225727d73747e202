"""A word to be said before commands that the recogniser cannot hear is told at the beginning."""

import pytest

from narrator.adapters.recognisers.whisper.lexicon import knows_word
from narrator.app.names import unheard_prefix
from narrator.testing.fakes import ScriptedRecogniser
from tests.told import english

pytestmark = pytest.mark.unit


class Latin(ScriptedRecogniser):
    """Knows the words that the English model does, without loading it."""

    def knows_word(self, word: str) -> bool:
        return knows_word(word)


def test_a_prefix_that_can_be_heard_is_not_spoken_of():
    assert unheard_prefix("", Latin()) is None
    assert unheard_prefix("narrator", Latin()) is None


def test_a_prefix_that_cannot_be_heard_is_told_with_a_remedy():
    fault = unheard_prefix("해설자", Latin())
    assert fault is not None
    told = english(fault)
    assert "해설자" in told
    assert "--prefix-word" in told
