"""Letters for pictures, and how much room they take."""

from __future__ import annotations

import contextlib
import unicodedata
from functools import cache
from typing import TypeAlias

from PIL import ImageFont

Font: TypeAlias = ImageFont.FreeTypeFont | ImageFont.ImageFont

_OURS = ("LATIN", "MICRO", "FEMININE", "MASCULINE")
"""Letters that pillow's own font has."""
_OTHERS = (
    "NotoSansCJK-Regular.ttc", "malgun.ttf", "AppleSDGothicNeo.ttc", "NotoSansKR-Regular.otf",
    "DejaVuSans.ttf", "arial.ttf", "Arial Unicode.ttf",
)  # fmt: skip
"""Fonts of Linux, Windows and macOS with many other letters, the Korean ones among them."""


def font_for(text: str, size: int) -> Font:
    """Return letters of a size in pixels; those of the system where ours lack a text's."""
    ours = all(unicodedata.name(sign, "").startswith(_OURS) for sign in text if sign.isalpha())
    return (None if ours else _of_the_system(size)) or ImageFont.load_default(size)


@cache
def _of_the_system(size: int) -> Font | None:
    for name in _OTHERS:
        with contextlib.suppress(OSError):
            return ImageFont.truetype(name, size)
    return None


def broken(text: str, font: Font, room: float) -> list[str]:
    """Break a text into lines of at most so many pixels, between words; a longer word is cut."""
    lines = [""]
    for word in text.split():
        longer = f"{lines[-1]} {word}".strip()
        if lines[-1] and font.getlength(longer) > room:
            lines.append(word)
        else:
            lines[-1] = longer
    return [cut(line, font, room) for line in lines]


def cut(text: str, font: Font, room: float) -> str:
    """Return a text that fits into so many pixels, with dots where something was left out."""
    if font.getlength(text) <= room:
        return text
    while text and font.getlength(f"{text}...") > room:
        text = text[:-1]
    return f"{text}..."
