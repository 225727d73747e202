"""What people say while they think, which is no part of what they say then."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache

from narrator.language.text import normalise


def without_hesitations(words: str, hesitations: Sequence[str]) -> str:
    """Return normalised words without the hesitations before and after; "" where there is no more.

    Those between others stay: `a house, um, by the sea` is one answer. A single word at the end
    stays as well, for it may be what is meant: `a wishing well`.
    """
    said, phrases = words.split(), _phrases(tuple(hesitations))
    begin, end = 0, len(said)
    while begin < end and (size := _size(said[begin:end], phrases)):
        begin += size
    last = [p[::-1] for p in phrases if len(p) > 1]
    while begin < end and (size := _size(said[begin:end][::-1], last)):
        end -= size
    return " ".join(said[begin:end])


@lru_cache(maxsize=8)
def _phrases(hesitations: tuple[str, ...]) -> list[list[str]]:
    """Return the words of each, the longest first."""
    return sorted((normalise(h).split() for h in hesitations), key=len, reverse=True)


def _size(said: Sequence[str], phrases: Iterable[list[str]]) -> int:
    """Return how many words of a hesitation come first; 0 for none."""
    return next((len(p) for p in phrases if p and list(said[: len(p)]) == p), 0)
