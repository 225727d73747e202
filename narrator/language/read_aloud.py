"""Which letters the voices of a language read as words."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping, Sequence

_SCRIPTS: Mapping[str, Sequence[str]] = {"en": ("LATIN",), "ko": ("LATIN", "HANGUL")}
"""Letters that the voices of a language read as words; eSpeak NG names others one by one
("Chinese letter"), so that every word of them sounds alike."""
_MOST = 12
"""Letters that are told; more say nothing new."""


def unread(text: str, language: str) -> str:
    """Return the first word with letters that a language's voice does not read; empty: it reads
    all, or nothing is known of the language's voices.
    """
    scripts = _SCRIPTS.get(language.partition("-")[0])
    if scripts is None:
        return ""
    for word in text.split():
        if not all(_is_of(sign, scripts) for sign in word if sign.isalpha()):
            return word[:_MOST]
    return ""


def _is_of(sign: str, scripts: Sequence[str]) -> bool:
    return unicodedata.name(sign, "").startswith(tuple(scripts))
