"""How many syllables words have at least: enough to tell what nobody can say in the time."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache

_VOWELS = re.compile(r"[aeiouyà-öø-ÿ]+")
_SILENT_E = re.compile(r"[^aeiouyl]e$")
_BY_DIGITS = (1, 1, 1, 3, 3)
"""Syllables of numbers by their digits, at least: ten, twelve, a hundred, a thousand."""


@cache
def syllables(word: str) -> int:
    """Return the syllables of a word, rather too few than too many."""
    digits = sum(letter.isdigit() for letter in word)
    if digits:
        return _BY_DIGITS[min(digits, len(_BY_DIGITS) - 1)]
    groups = len(_VOWELS.findall(word))
    return max(1, groups - bool(groups > 1 and _SILENT_E.search(word)))


def count(words: Sequence[str]) -> int:
    """Return the syllables of several words."""
    return sum(map(syllables, words))
