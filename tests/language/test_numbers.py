from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from narrator.core.expect import Expectation
from narrator.language.grammar.grammar import compile_grammar
from narrator.language.numbers import LARGEST, parse, spell, spellings
from tests.language.tables import ENGLISH, SEATS

pytestmark = pytest.mark.unit

WORDS = ENGLISH.numbers


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("twelve", 12),
        ("hundred and twenty", 120),
        ("hundred twenty", 120),
        ("Twenty-one", 21),
        ("minus five", -5),
        ("negative twelve", -12),
        ("thirty-four hundred and fifty", 3450),
        ("eleven hundred", 1100),
        ("oh", 0),
        ("nil", 0),
        ("a hundred", 100),
        ("two thousand three hundred and four", 2304),
        ("nine thousand nine hundred ninety nine", 9999),
        ("1,250", 1250),
        ("\u22127", -7),
    ],
)
def test_words_are_numbers(text: str, number: int) -> None:
    assert parse(text, WORDS) == number


@pytest.mark.parametrize(
    "text",
    [
        "", "and", "hundred", "negative", "minus", "a", "hundred and", "one hundred and",
        "two two", "two two two", "twenty eleven", "twenty zero", "ten hundred",
        "twenty hundred", "thousand", "two hundred hundred", "one thousand hundred",
        "hundred thousand", "and five", "five and", "minus minus five", "9" * 5000, "²",
    ],
)  # fmt: skip
def test_other_words_are_none(text: str) -> None:
    assert parse(text, WORDS) is None
    assert parse(text, WORDS, homophones=True) is None


@pytest.mark.parametrize(
    ("text", "number"),
    [("to", 2), ("too", 2), ("for", 4), ("ate", 8), ("won", 1), ("twenty to", 22)],
)
def test_homophones_count_only_where_asked(text: str, number: int) -> None:
    assert parse(text, WORDS, homophones=True) == number
    assert parse(text, WORDS) is None


def test_every_number_is_read_back_from_each_of_its_spellings() -> None:
    for number in (*range(-20, 1200), *range(1200, LARGEST + 1, 37)):
        forms = list(spellings(number, WORDS))
        assert forms[0] == spell(number, WORDS)
        assert {parse(form, WORDS) for form in forms} == {number}
        assert len(set(forms)) == len(forms)


def test_spelling_has_variants_with_and() -> None:
    assert spell(120, WORDS) == "one hundred twenty"
    assert "one hundred and twenty" in spellings(120, WORDS)
    assert "hundred and twenty" in spellings(120, WORDS)
    assert spell(LARGEST + 1, WORDS) == "10000"


@given(low=st.integers(-1200, 9999), width=st.integers(0, 300), number=st.integers(-1300, 9999))
def test_an_automaton_holds_exactly_the_numbers_between_its_bounds(
    low: int, width: int, number: int
) -> None:
    high = min(low + width, LARGEST)
    live = Expectation("answer", "number", low=low, high=high)
    made = compile_grammar([live], SEATS, ENGLISH)
    for form in spellings(number, WORDS):
        assert made.automaton.accepts(form) == (low <= number <= high)
    assert bool(made.interpret(str(number)).meanings) == (low <= number <= high)
