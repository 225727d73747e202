"""Spellings that a recogniser knows and that sound like a name it does not know.

A vocabulary may have half a million words. Each is filed under its consonants, in a few classes;
only words of the same consonants, or all but one, are compared sound by sound.
"""

from __future__ import annotations

import heapq
import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import islice, product

from narrator.language.names.phonetics import Sound, Sounds, cost, sounds_of

NEAR = 0.2
"""A spelling is proposed if at most this part of its sounds differs from the name's."""
_CLOSELY, _HALVES_CLOSELY = 600, 60
"""So many words are compared sound by sound, for a whole name and for half of one."""
_WAYS = 24
"""Number of ways in which a name's consonants may be written."""
_LEAST = 2
"""Sounds that each of two words for one name must have."""
_CLASSES = "bdgmnrs"
_WRITTEN = {
    "b": "bpfv\u1107\u1108\u1111\u11b8\u11b9\u11c1", "d": "dt\u1103\u1104\u1110\u11ae\u11c0",
    "g": "gkqcx\u1100\u1101\u110f\u11a8\u11a9\u11aa\u11bf", "m": "m\u1106\u11b7\u11b1",
    "n": "n\u1102\u11ab\u11ac\u11ad\u11bc",
    "r": "lr\u1105\u11af\u11b0\u11b2\u11b3\u11b4\u11b5\u11b6",
    "s": "szj\u1109\u110a\u110c\u110d\u110e\u11ba\u11bb\u11bd\u11be",
}  # fmt: skip
"""Classes of consonants by letter, the parts of Hangul among them; other letters do not count."""
_HEARD = {
    "stop": ("b", "d", "g"), "affricate": ("sgd", "sgd", "sgd"), "fricative": ("b", "sgd", ""),
    "nasal": ("m", "n", "n"), "lateral": ("r", "r", "r"), "rhotic": ("r", "r", "r"),
    "glide": ("", "", ""),
}  # fmt: skip
_FRONT, _BACK = 0.15, 0.7
_FILED = {ord(letter): key for key, letters in _WRITTEN.items() for letter in letters}
_OTHERS = re.compile(f"[^{_CLASSES}]")
_TWICE = re.compile(r"(.)\1+")


class Vocabulary:
    """The words of a recogniser, to be searched by sound.

    Args:
        words: All that it knows.
        sounds: Gives a word's phonemes.
    """

    def __init__(self, words: Iterable[str], sounds: Sounds) -> None:
        self._words = frozenset(words)
        self._sounds = lru_cache(maxsize=8192)(sounds)
        self._begin: dict[str, list[str]] = {}
        self._filed: dict[str, dict[str, list[str]]] = {}

    def knows(self, word: str) -> bool:
        """Whether the recogniser knows this word."""
        return word in self._words

    def spellings(self, name: str, *, limit: int = 3) -> list[str]:
        """Return up to `limit` spellings that sound like a name, the nearest first.

        Each is a word of the vocabulary, or two where no single one is near enough.
        """
        wanted = sounds_of(self._sounds(name))
        found = self._nearest(wanted, name, limit) or self._in_two(wanted, limit)
        return [spelling for _, spelling in found]

    def _nearest(
        self, wanted: tuple[Sound, ...], written: str, limit: int
    ) -> list[tuple[float, str]]:
        if not wanted:
            return []
        keys = [*_ways(wanted), *([_skeleton(written)] if written else [])]
        firsts = set("" if wanted[0].vowel else _classes(wanted[0])) or {""}
        firsts |= {_skeleton_of_letter(letter) for letter in written[:1]}
        likely = self._alike(keys, firsts, len(wanted))
        rated = (
            (self._apart(wanted, word), word)
            for word in islice(likely, _CLOSELY if written else _HALVES_CLOSELY)
        )
        return heapq.nsmallest(limit, (r for r in rated if r[0] <= NEAR))

    def _alike(self, keys: Sequence[str], firsts: set[str], size: int) -> Iterator[str]:
        """Yield the words of these consonants, then those of all but one, of like length first."""
        seen: set[str] = set()
        files = [self._file(first) for first in sorted(firsts)]
        for found in (keys, [near for key in keys for near in _neighbours(key)]):
            words = {word for key in found for file in files for word in file.get(key, ())} - seen
            seen |= words
            yield from sorted(words, key=lambda word: (abs(len(_parts(word)) - size), word))

    def _file(self, first: str) -> dict[str, list[str]]:
        """Return the words whose first letter is of this class, by their consonants."""
        if not self._begin:
            for word in self._words:
                self._begin.setdefault(_skeleton_of_letter(word[:1]), []).append(word)
        if first not in self._filed:
            filed = self._filed[first] = {}
            for word in self._begin.get(first, ()):
                if word.replace("'", "").isalpha() and word == word.lower():
                    filed.setdefault(_skeleton(word), []).append(word)
        return self._filed[first]

    def _in_two(self, wanted: tuple[Sound, ...], limit: int) -> list[tuple[float, str]]:
        found: list[tuple[float, str]] = []
        for cut in range(_LEAST, len(wanted) - _LEAST + 1):
            halves = [self._nearest(half, "", 1) for half in (wanted[:cut], wanted[cut:])]
            if all(halves):
                spelling = " ".join(half[0][1] for half in halves)
                found.append((self._apart(wanted, spelling), spelling))
        return heapq.nsmallest(limit, (f for f in found if f[0] <= NEAR))

    def _apart(self, wanted: Sequence[Sound], spelling: str) -> float:
        sounds = sounds_of(self._sounds(spelling))
        return cost(wanted, sounds) / max(len(wanted), len(sounds), 1)


def _parts(word: str) -> str:
    return word if word.isascii() else unicodedata.normalize("NFKD", word)


def _skeleton(word: str) -> str:
    return _TWICE.sub(r"\1", _OTHERS.sub("", _parts(word).lower().translate(_FILED)))


@lru_cache(maxsize=16384)
def _skeleton_of_letter(letter: str) -> str:
    return _skeleton(letter)[:1]


def _ways(sounds: Sequence[Sound]) -> list[str]:
    """Return the consonants in which these sounds may be written."""
    heard = [_classes(sound) for sound in sounds if sound.vowel is None]
    ways = islice(product(*(classes for classes in heard if classes)), _WAYS)
    return [_TWICE.sub(r"\1", "".join(way)) for way in ways]


def _classes(sound: Sound) -> str:
    at = 0 if sound.place < _FRONT else 1 if sound.place < _BACK else 2
    return _HEARD[sound.kind][at]


def _neighbours(key: str) -> Iterator[str]:
    """Yield every key that has one class more, less or in another's place."""
    for at in range(len(key) + 1):
        before, after = key[:at], key[at:]
        yield before + after[1:]
        for other in _CLASSES:
            yield f"{before}{other}{after[1:]}"
            yield f"{before}{other}{after}"
