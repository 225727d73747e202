"""Which transcripts are the same answer."""

import pytest

from narrator.language.grammar.equivalence import same_key

pytestmark = pytest.mark.unit


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("twenty one", "21"),
        ("Twenty-one", "21"),
        ("21", "21"),
        ("one hundred and five", "105"),
        ("one hundred five", "105"),
        ("three hundred twenty one", "321"),
        ("two thousand", "2000"),
        ("five six", "5 6"),
        ("twenty eleven", "20 11"),
        ("zero", "0"),
        ("two", "2"),
        ("ben and cy", "ben cy"),
        ("seat three", "seat 3"),
        ("i vote for ben", "i vote for ben"),
        ("give two to ben", "give 2 to ben"),
        ("hundred", "hundred"),
        ("", ""),
    ],
)
def test_key(text, key):
    assert same_key(text) == key


@pytest.mark.parametrize(
    ("text", "number"), [("oh", "0"), ("too", "2"), ("to", "2"), ("for", "4"), ("won", "1")]
)
def test_words_that_sound_like_numbers_are_numbers_only_where_nothing_else_is_said(text, number):
    assert same_key(text, homophones=True) == number
    assert same_key(text) == text


def test_every_number_to_a_thousand_has_a_key_of_its_own():
    units = "one two three four five six seven eight nine".split()
    tens = "twenty thirty forty fifty sixty seventy eighty ninety".split()
    words = [f"{t} {u}" for t in tens for u in units]
    assert [same_key(w) for w in words] == [str(n) for n in range(21, 100) if n % 10]
    assert len({same_key(f"{h} hundred {w}") for h in units for w in words}) == 9 * len(words)
