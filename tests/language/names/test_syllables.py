"""Syllables are counted rather too few than too many: nothing that was said may be ruled out."""

import pytest

from narrator.language.names.syllables import count, syllables

pytestmark = pytest.mark.unit


@pytest.mark.parametrize(
    ("word", "least"),
    [
        ("yes", 1), ("minus", 2), ("olivia", 3), ("benjamin", 3), ("complete", 2), ("the", 1),
        ("people", 2), ("five", 1), ("10", 1), ("25", 1), ("120", 3), ("1000", 3), ("12-ounce", 1),
        ("zoë", 1), ("mhm", 1),
    ],
)  # fmt: skip
def test_of_a_word(word, least):
    assert syllables(word) == least


def test_of_a_sentence():
    assert count("minus ten for olivia".split()) == 7
    assert count(()) == 0
