"""How far two phrases are apart by sound: a weighted edit distance over phonemes.

Phonemes are the phonetic alphabet's, sounds apart by `_` or a space where that is known. A change
costs by what changes: voice little, place of the tongue some, the kind of sound most.
"""

# ruff: noqa: RUF001  # these are letters of the phonetic alphabet
from __future__ import annotations

import unicodedata
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TypeAlias

Sounds: TypeAlias = Callable[[str], str]
"""Returns a phrase's phonemes."""

_VOWELS = {
    "i": (1.0, 0.0), "y": (1.0, 0.1), "ɨ": (1.0, 0.5), "ʉ": (1.0, 0.6), "ɯ": (1.0, 1.0),
    "u": (1.0, 1.0), "ɪ": (0.85, 0.15), "ᵻ": (0.85, 0.3), "ʏ": (0.85, 0.2), "ʊ": (0.85, 0.85),
    "e": (0.66, 0.0), "ø": (0.66, 0.1), "o": (0.66, 1.0), "ɤ": (0.66, 0.9), "ə": (0.5, 0.5),
    "ɚ": (0.5, 0.5), "ɘ": (0.6, 0.5), "ɵ": (0.6, 0.6), "ɜ": (0.4, 0.5), "ɝ": (0.4, 0.5),
    "ɛ": (0.33, 0.05), "œ": (0.33, 0.15), "ʌ": (0.3, 0.7), "ɔ": (0.33, 1.0), "æ": (0.15, 0.05),
    "ɐ": (0.15, 0.5), "a": (0.15, 0.1), "ɑ": (0.0, 1.0), "ɒ": (0.05, 1.0),
}  # fmt: skip
"""Height of the tongue (close is 1) and how far back it is."""
_PLACES = {
    "lips": ("pbmʙɸβw", 0.0), "teeth and lip": ("fvɱʋ", 0.08), "teeth": ("θð", 0.2),
    "ridge": ("tdnszlrɹɾɬ", 0.3), "behind it": ("ʃʒɕʑɻʂʐɽɖʈɳɭ", 0.45), "palate": ("cɟɲçʝjʎ", 0.6),
    "soft palate": ("kɡgŋxɣ", 0.8), "uvula": ("qɢɴχʁʀ", 0.9), "throat": ("hɦʔħʕ", 1.0),
}  # fmt: skip
_KINDS = {
    "stop": "pbtdʈɖcɟkɡgqɢʔ", "fricative": "fvɸβθðszʃʒɕʑʂʐçʝxɣχħʕhɦɬ", "nasal": "mɱnɳɲŋɴ",
    "lateral": "lɭʎ", "rhotic": "rɹɾɻɽʀʁ", "glide": "jwʋ",
}  # fmt: skip
_VOICELESS = frozenset("pfɸtθsʃɕʂʈcçkxqχħhʔɬ")
_AFFRICATES = ("tʃ", "dʒ", "tɕ", "dʑ", "ts", "dz", "pf", "tʂ", "dʐ")
_KIND_COSTS = {
    frozenset(("stop", "affricate")): 0.35, frozenset(("affricate", "fricative")): 0.3,
    frozenset(("stop", "fricative")): 0.5, frozenset(("stop", "nasal")): 0.5,
    frozenset(("lateral", "rhotic")): 0.3, frozenset(("glide", "rhotic")): 0.35,
    frozenset(("glide", "lateral")): 0.4, frozenset(("glide", "affricate")): 0.35,
    frozenset(("nasal", "lateral")): 0.5,
}  # fmt: skip
_OTHER_KIND = 0.65
_VOICE, _PLACE = 0.2, 0.5
_HEIGHT, _BACK = 0.7, 0.35
_SAME_VOWEL = 0.15
_WEAK = frozenset("əɚhɦʔ")
_ADDED, _ADDED_WEAK = 0.8, 0.5
_SEMIVOWELS = {"j": "i", "w": "u"}


@dataclass(frozen=True, slots=True)
class Sound:
    """One sound of speech."""

    letters: str
    """One of the alphabet, or two of an affricate or diphthong."""
    vowel: tuple[tuple[float, float], tuple[float, float]] | None = None
    """Height and backness at its begin and at its end."""
    kind: str = ""
    """Of a consonant: how it is made."""
    place: float = 0.0
    """Of a consonant: 0 at the lips to 1 in the throat."""
    voiced: bool = True


def difference(first: str, second: str) -> float:
    """Return how much of the longer of two phrases differs by sound, 0 (the same) to 1.

    Args:
        first: Phonemes; marks of stress and length do not count.
        second: Likewise.
    """
    one, two = sounds_of(first), sounds_of(second)
    longer = max(len(one), len(two))
    return min(1.0, cost(one, two) / longer) if longer else 0.0


def same_vowels(first: str, second: str) -> bool:
    """Whether two phrases have the same vowels, or nearly; by them they are told apart most.

    One may have one more at its end: Noah and no.

    Args:
        first: Phonemes.
        second: Likewise.
    """
    one, two = ([s for s in sounds_of(p) if s.vowel] for p in (first, second))
    alike = all(change(a, b) <= _SAME_VOWEL for a, b in zip(one, two, strict=False))
    return alike and bool(one and two) and abs(len(one) - len(two)) <= 1


def rhymes(first: str, second: str) -> bool:
    """Whether two phrases of one syllable sound the same from their vowel on.

    Args:
        first: Phonemes.
        second: Likewise.
    """
    ends = [_from_vowel(sounds_of(phonemes)) for phonemes in (first, second)]
    return bool(ends[0]) and ends[0] == ends[1] and syllables(first) == syllables(second) == 1


def cost(first: Sequence[Sound], second: Sequence[Sound]) -> float:
    """Return what it costs to turn one run of sounds into another; a wholly other sound costs 1."""
    row = [0.0]
    for sound in second:
        row.append(row[-1] + _added(sound))
    for one in first:
        previous, row[0] = row[0], row[0] + _added(one)
        for j, two in enumerate(second, 1):
            best = min(row[j] + _added(one), row[j - 1] + _added(two), previous + change(one, two))
            previous, row[j] = row[j], best
    return row[-1]


@lru_cache(maxsize=4096)
def change(first: Sound, second: Sound) -> float:
    """Return what it costs to change one sound into another, 0 to 1."""
    if first.letters == second.letters:
        return 0.0
    if first.vowel and second.vowel:
        ends = zip(first.vowel, second.vowel, strict=True)
        return min(1.0, sum(_vowels_apart(a, b) for a, b in ends) / 2)
    if first.vowel or second.vowel:
        return _glide(first, second)
    kind = 0.0
    if first.kind != second.kind:
        kind = _KIND_COSTS.get(frozenset((first.kind, second.kind)), _OTHER_KIND)
    place = _PLACE * abs(first.place - second.place)
    return min(1.0, kind + place + _VOICE * (first.voiced != second.voiced))


@lru_cache(maxsize=8192)
def sounds_of(phonemes: str) -> tuple[Sound, ...]:
    """Return the sounds of a run of phonemes; signs that are no sound are left out."""
    text = unicodedata.normalize("NFD", phonemes)
    parts = "".join(c if _is_sound(c) else " " if c in "_ " else "" for c in text).split()
    return tuple(sound for part in parts for sound in _split(part))


def syllables(phonemes: str) -> int:
    """Return how many syllables a run of phonemes has: one for each vowel."""
    return sum(sound.vowel is not None for sound in sounds_of(phonemes))


def _from_vowel(sounds: tuple[Sound, ...]) -> tuple[Sound, ...]:
    at = next((i for i, sound in enumerate(sounds) if sound.vowel), len(sounds))
    return sounds[at:]


def _is_sound(character: str) -> bool:
    return character in _VOWELS or character in _CONSONANTS


def _split(part: str) -> list[Sound]:
    found: list[Sound] = []
    while part:
        size = 1
        if part[:2] in _AFFRICATES or (len(part) > 1 and part[0] in _VOWELS and part[1] in _VOWELS):
            size = 2
        found.append(_sound(part[:size]))
        part = part[size:]
    return found


@lru_cache(maxsize=512)
def _sound(letters: str) -> Sound:
    if letters[0] in _VOWELS:
        return Sound(letters, (_VOWELS[letters[0]], _VOWELS[letters[-1]]))
    kind, _, voiced = _CONSONANTS[letters[0]]
    # An affricate ends where its second half is made.
    place = _CONSONANTS[letters[-1]][1]
    return Sound(letters, None, "affricate" if len(letters) > 1 else kind, place, voiced)


def _vowels_apart(first: tuple[float, float], second: tuple[float, float]) -> float:
    return _HEIGHT * abs(first[0] - second[0]) + _BACK * abs(first[1] - second[1])


def _glide(first: Sound, second: Sound) -> float:
    vowel, consonant = (first, second) if first.vowel else (second, first)
    near = _SEMIVOWELS.get(consonant.letters)
    if near is None or vowel.vowel is None:
        return 1.0
    return min(1.0, 0.4 + _vowels_apart(vowel.vowel[0], _VOWELS[near]))


def _added(sound: Sound) -> float:
    return _ADDED_WEAK if sound.letters in _WEAK else _ADDED


def _consonants() -> dict[str, tuple[str, float, bool]]:
    places = {letter: place for letters, place in _PLACES.values() for letter in letters}
    return {
        letter: (kind, places[letter], letter not in _VOICELESS)
        for kind, letters in _KINDS.items()
        for letter in letters
    }


_CONSONANTS = _consonants()
