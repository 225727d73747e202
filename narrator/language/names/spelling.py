"""How a word sounds by its spelling alone, for want of a voice that knows better."""

# ruff: noqa: RUF001  # these are letters of the phonetic alphabet
from __future__ import annotations

import re
import unicodedata

from narrator.language.text import fold, normalise

_GROUPS = {
    "tch": "tʃ", "sch": "ʃ", "chr": "kɹ", "igh": "aɪ", "eigh": "eɪ", "augh": "ɔ", "ough": "o",
    "sh": "ʃ", "ch": "tʃ", "ph": "f", "th": "θ", "ck": "k", "qu": "kw", "gh": "ɡ", "kn": "n",
    "wr": "ɹ", "wh": "w", "ng": "ŋ", "dg": "dʒ", "ee": "i", "ea": "i", "ie": "i", "ey": "i",
    "oo": "u", "ou": "aʊ", "ow": "oʊ", "oa": "oʊ", "oe": "oʊ", "ai": "eɪ", "ay": "eɪ", "aw": "ɔ",
    "au": "ɔ", "ew": "u", "ue": "u", "ei": "eɪ", "oy": "ɔɪ", "oi": "ɔɪ", "ah": "ɑ", "oh": "o",
    "ce": "sɛ", "ci": "sɪ", "cy": "si", "ge": "dʒɛ", "gi": "dʒɪ",
}  # fmt: skip
_LETTERS = {
    "a": "a", "b": "b", "c": "k", "d": "d", "e": "ɛ", "f": "f", "g": "ɡ", "h": "h", "i": "ɪ",
    "j": "dʒ", "k": "k", "l": "l", "m": "m", "n": "n", "o": "o", "p": "p", "q": "k", "r": "ɹ",
    "s": "s", "t": "t", "u": "ʌ", "v": "v", "w": "w", "x": "ks", "y": "i", "z": "z",
}  # fmt: skip
_INITIALS = "k k n t t ɾ m p p s s ʔ tɕ tɕ tɕ k t p h".split()
_VOWELS = "a ɛ ja jɛ ʌ e jʌ je o wa wɛ we jo u wʌ we wi ju ɯ ɯi i".split()
_FINALS = " k k k n n n t l k m l l l p l m p p t t ŋ t t k t p h".split(" ")
_HANGUL, _BLOCKS, _PER_INITIAL = 0xAC00, 11172, 588
_SILENT_E = re.compile(r"(?<=[aeiouy])([^aeiouy]+)e$")
_TWICE = re.compile(r"([^aeiou])\1")
_FIRST_Y = re.compile(r"^y(?=[aeiou])")
_PARTS = re.compile("|".join(sorted(_GROUPS, key=len, reverse=True)) + "|.")


def spelled_sounds(text: str) -> str:
    """Return the phonemes that a text's spelling suggests, `_` between sounds.

    Latin letters are read as in English, Hangul as it is written, other scripts not at all.
    """
    return " ".join(filter(None, (_word(word) for word in normalise(text).split())))


def _word(word: str) -> str:
    if any(_HANGUL <= ord(c) < _HANGUL + _BLOCKS for c in word):
        return "_".join(filter(None, (_block(c) for c in word)))
    plain = _SILENT_E.sub(r"\1", _TWICE.sub(r"\1", fold(word)))
    plain = _FIRST_Y.sub("j\0", plain)
    found = []
    for part in _PARTS.findall(plain.replace("j\0", "\0")):
        found.append("j" if part == "\0" else _GROUPS.get(part) or _LETTERS.get(part, ""))
    return "_".join(filter(None, found))


def _block(character: str) -> str:
    at = ord(unicodedata.normalize("NFC", character)) - _HANGUL
    if not 0 <= at < _BLOCKS:
        return ""
    first, rest = divmod(at, _PER_INITIAL)
    vowel, last = divmod(rest, len(_FINALS))
    return "_".join(filter(None, (_INITIALS[first], _VOWELS[vowel], _FINALS[last])))
