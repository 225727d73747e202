"""Languages in which "hundred" by itself is 100: Korean, from its own file."""

from __future__ import annotations

import pytest

from narrator.core.expect import Expectation
from narrator.language.grammar.grammar import compile_grammar
from narrator.language.numbers import LARGEST, parse, spell, spellings
from narrator.script.files.locales import load_locale

pytestmark = pytest.mark.unit

KOREAN = load_locale("ko")
WORDS = KOREAN.numbers


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("영", 0),
        ("이십 일", 21),
        ("스물 하나", 21),
        ("열두", 12),
        ("백", 100),
        ("백 이십", 120),
        ("삼 백 사", 304),
        ("천", 1000),
        ("천 백 이십 일", 1121),
        ("이 천 삼 백", 2300),
        ("마이너스 오", -5),
        ("백 백", None),
        ("천 천", None),
    ],
)
def test_korean_words_are_numbers(text: str, number: int | None) -> None:
    assert parse(text, WORDS) == number


def test_every_number_is_said_and_understood_again() -> None:
    assert [n for n in range(LARGEST + 1) if parse(spell(n, WORDS), WORDS) != n] == []
    assert spell(100, WORDS) == "백"
    assert spell(1200, WORDS) == "천 이 백"


def test_what_is_said_is_listened_for() -> None:
    grammar = compile_grammar([Expectation("answer", "number", high=LARGEST)], [], KOREAN)
    for number in (0, 7, 19, 100, 101, 110, 199, 345, 1000, 1100, 1121, 2304, 9999):
        for form in spellings(number, WORDS):
            assert grammar.automaton.accepts(form), form
            found = grammar.interpret(form).meaning
            assert found is not None
            assert found.value == number


def test_before_a_counter_the_short_forms_count() -> None:
    grammar = compile_grammar([Expectation("answer", "number", high=9)], [], KOREAN)
    said = {"한 명": 1, "두 명": 2, "세 사람": 3, "네 개": 4, "다섯 명": 5}
    for words, number in said.items():
        found = grammar.interpret(words).meaning
        assert found is not None, words
        assert found.value == number
