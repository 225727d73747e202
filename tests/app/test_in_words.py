"""What a game ended with is told in words, whatever its result is made of."""

import pytest

from narrator.app.records.in_words import in_words
from narrator.core.library import names

pytestmark = pytest.mark.unit


@pytest.mark.parametrize(
    ("value", "told"),
    [
        (["Ana", "Ben"], "Ana, Ben"),
        ([], "nobody"),
        (None, "nobody"),
        (True, "yes"),
        ({"Ana": 5, "Ben": 2.5}, "Ana 5, Ben 2.5"),
        ({}, "none"),
        ({"1": {"Ana": 5, "Ben": 0}, "2": {"Ben": 3}}, "1: Ana 5, Ben 0; 2: Ben 3"),
        ({"red": ["Ana", "Cy"], "blue": ["Ben"]}, "red: Ana, Cy; blue: Ben"),
        ([["Ana", "Cy"], ["Ben"]], "Ana, Cy, Ben"),
        ({"red": {"points": 3, "seats": ["Ana"]}}, "red: points: 3; seats: Ana"),
        ({"1": {}}, "1: none"),
    ],
)
def test_a_result_holds_no_python(value, told):
    assert in_words(value) == told
    assert not set("{}[]'") & set(in_words(value, sentence=True))


def test_lists_within_what_is_said_are_said_as_lists():
    assert names({"red": ["Ana", "Cy"], "blue": ["Ben"]}) == "red Ana and Cy and blue Ben"
    assert names([["Ana", "Cy"], ["Ben"]]) == "Ana and Cy and Ben"
