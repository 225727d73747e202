"""How wide a text stands on a terminal, and where its lines are broken."""

from __future__ import annotations

import unicodedata


def columns(text: str) -> int:
    """Return how many columns of a terminal a text takes."""
    marks = sum(unicodedata.combining(sign) != 0 for sign in text)
    return len(text) - marks + sum(unicodedata.east_asian_width(sign) in "WF" for sign in text)


def wrapped(text: str, width: int) -> list[str]:
    """Return a line as rows of at most `width` columns, broken between words where possible."""
    rows: list[str] = []
    for word in text.split(" "):
        if rows and columns(f"{rows[-1]} {word}") <= width:
            rows[-1] = f"{rows[-1]} {word}"
        else:
            rows += _pieces(word, width)
    return rows


def _pieces(word: str, width: int) -> list[str]:
    """Return a word in pieces that fit into a row; most words are one."""
    pieces = [""]
    for sign in word:
        if pieces[-1] and columns(pieces[-1] + sign) > width:
            pieces.append("")
        pieces[-1] += sign
    return pieces
