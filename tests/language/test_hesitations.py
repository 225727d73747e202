"""What people say while they think is no part of what they answer."""

import pytest

from narrator.core.expect import Expectation
from narrator.core.values import Seat
from narrator.language.grammar.grammar import compile_grammar
from narrator.language.hesitations import without_hesitations
from narrator.script.files.locales import load_locale

pytestmark = pytest.mark.unit

FREE = (Expectation("answer", "free"),)


@pytest.mark.parametrize(
    ("language", "said", "meant"),
    [
        ("en", "Hmm, let me think.", ""),
        ("en", "um", ""),
        ("en", "give me a second", ""),
        ("en", "I don't know", ""),
        ("en", "um I think it's the harbour", "the harbour"),
        ("en", "the harbour, I think", "the harbour"),
        ("en", "a wishing well", "a wishing well"),
        ("en", "a house um by the sea", "a house um by the sea"),
        ("ko", "음 잠깐만요", ""),
        ("ko", "글쎄요 등대", "등대"),
        ("ko", "등대", "등대"),
    ],
)
def test_a_free_answer_is_what_is_left(language: str, said: str, meant: str) -> None:
    seats = [Seat(1, "Ana"), Seat(2, "Ben")]
    grammar = compile_grammar(FREE, seats, load_locale(language))
    (meaning,) = grammar.interpret(said).meanings
    assert meaning.value == meant


@pytest.mark.parametrize("language", ["en", "ko"])
def test_every_hesitation_alone_is_no_answer(language: str) -> None:
    hesitations = load_locale(language).hesitations
    assert len(hesitations) > 20
    assert {without_hesitations(each, hesitations) for each in hesitations} == {""}
