"""Text as a transcript has it: lower-case words, one space between them, nothing else."""

from __future__ import annotations

import re
import unicodedata

UNKNOWN = "[unk]"
"""What a recogniser writes for sound outside its grammar."""

_APOSTROPHES = str.maketrans("\u2019\u02bc\u2018`\u2212", "''''-")
_THOUSANDS = re.compile(r"(?<=\d)[,'](?=\d{3}(?!\d))")
_JOINING_HYPHEN = re.compile(r"(?<=[^\s-])-(?=[^\s-])")
_STRAY_HYPHEN = re.compile(r"-(?!\d)")
_QUOTES = re.compile(r"(?<!\S)'+|'+(?!\S)")
_PLAIN = re.compile(r"[a-z0-9]+(?: [a-z0-9]+)*")
"""What is as a transcript has it already, as most texts are that are looked at again."""
_KEPT = "LMN"
_SENTENCE = re.compile(r"(?<=[.!?…。])\s+")
_COMMA = re.compile(r",\s+")
_LAST_PART = re.compile(r"^(.+?),? (and .+)$")
"""In English the last two parts of a list have no comma between them."""


def normalise(text: str) -> str:
    """Return the words as a recogniser writes them.

    Case, punctuation and hyphens within words go; apostrophes within words, accents and a minus
    before a digit stay. `Jean-Luc, 3,450!` becomes `jean luc 3450`.
    """
    if _PLAIN.fullmatch(text):
        return text
    return " ".join(_QUOTES.sub("", plain_characters(text)).split())


def plain_characters(text: str) -> str:
    """Normalise a part of a text, keeping its white space and edges."""
    text = unicodedata.normalize("NFC", text).lower().translate(_APOSTROPHES)
    text = _JOINING_HYPHEN.sub(" ", _THOUSANDS.sub("", text))
    text = "".join(c if _kept(c) else " " for c in text)
    return _STRAY_HYPHEN.sub(" ", text)


def _kept(character: str) -> bool:
    return character in "'-" or unicodedata.category(character)[0] in _KEPT


def with_stops(text: str) -> str:
    """Return a list with a full stop after each part: "Ana, Ben and Cy." is "Ana. Ben. And Cy."

    A sentence without a comma is no list.
    """
    return " ".join(_stopped(sentence) for sentence in _SENTENCE.split(text))


def _stopped(sentence: str) -> str:
    *parts, last = _COMMA.split(sentence)
    if not parts:
        return sentence
    found = _LAST_PART.match(last)
    parts += [*found.groups()] if found else [last]
    # A voice takes a stop before a small letter for an abbreviation's.
    return ". ".join(part[:1].upper() + part[1:] for part in parts)


def fold(text: str) -> str:
    """Return the text without accents, for names that a lexicon has only in plain letters."""
    parts = unicodedata.normalize("NFD", text)
    return "".join(c for c in parts if unicodedata.category(c) != "Mn")


def edit_distance(first: str, second: str) -> int:
    """Return how many characters must be changed, added or removed to turn one into the other."""
    row = list(range(len(second) + 1))
    for i, a in enumerate(first, 1):
        previous, row[0] = row[0], i
        for j, b in enumerate(second, 1):
            best = min(row[j] + 1, row[j - 1] + 1, previous + (a != b))
            previous, row[j] = row[j], best
    return row[-1]
