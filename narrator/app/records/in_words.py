"""What a game ended with, in words: no brackets, quotes or braces of a programming language."""

from __future__ import annotations

from narrator.core.library import names
from narrator.core.values import Value


def in_words(value: Value, *, sentence: bool = False) -> str:
    """Return a value in words; maps of lists or of maps (teams, rounds) are set apart by `;`.

    Args:
        value: Anything a game may end with.
        sentence: Join lists as a sentence does, with an "and".
    """
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list):
        words = [in_words(item, sentence=sentence) for item in value]
        return (names(list(words)) if sentence else ", ".join(words)) or "nobody"
    if not isinstance(value, dict):
        return "nobody" if value is None else str(value)
    parts = {key: in_words(item, sentence=sentence) for key, item in value.items()}
    if any(isinstance(item, (dict, list)) for item in value.values()):
        return "; ".join(f"{key}: {item}" for key, item in parts.items())
    return ", ".join(f"{key} {item}" for key, item in parts.items()) or "none"
