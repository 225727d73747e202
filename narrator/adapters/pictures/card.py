"""One result as a card: what was played and when, who won, and the points where there are any."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from PIL import Image, ImageDraw

from narrator.adapters.pictures.letters import broken, cut, font_for

WIDTH, MARGIN = 900, 48
INK, SOFT, PAPER, LINE = "#1b1b1b", "#4d5866", "#ffffff", "#1f5fa8"
_TITLE, _WON, _ROW, _SMALL = 40, 34, 26, 22
"""Sizes of letters in pixels: to be read on a telephone without a magnifier."""


@dataclass(frozen=True, slots=True)
class Card:
    """What stands on it."""

    title: str
    about: str
    """When, and how long."""
    won: str
    """Who won, or how it ended."""
    rows: Sequence[tuple[str, str]]
    """Each player, and the points; a word for winners where there are none."""


def draw_card(card: Card, path: Path) -> None:
    """Draw a card to a PNG file. Raises OSError."""
    room = WIDTH - 2 * MARGIN
    head = [
        (line, size, colour)
        for text, size, colour in (
            (card.title, _TITLE, INK), (card.about, _SMALL, SOFT), (card.won, _WON, INK),
        )
        for line in broken(text, font_for(text, size), room)
    ]  # fmt: skip
    height = 2 * MARGIN + sum(_step(size) for _, size, _ in head) + 28
    image = Image.new("RGB", (WIDTH, height + len(card.rows) * _step(_ROW)), PAPER)
    pen = ImageDraw.Draw(image)
    pen.rectangle((6, 6, WIDTH - 7, image.height - 7), outline=LINE, width=4)
    y = MARGIN
    for text, size, colour in head:
        pen.text((MARGIN, y), text, colour, font_for(text, size))
        y += _step(size)
    pen.line((MARGIN, y + 10, WIDTH - MARGIN, y + 10), LINE, 2)
    _draw_rows(pen, card.rows, y + 28)
    image.save(path, "PNG")


def _draw_rows(pen: ImageDraw.ImageDraw, rows: Sequence[tuple[str, str]], y: int) -> None:
    for name, value in rows:
        font = font_for(name, _ROW)
        wide = font.getlength(value)
        room = WIDTH - 2 * MARGIN - wide - 20
        pen.text((MARGIN, y), cut(name, font, room), INK, font)
        pen.text((WIDTH - MARGIN - wide, y), value, INK, font)
        y += _step(_ROW)


def _step(size: int) -> int:
    """Return how far below a line the next one stands."""
    return round(size * 1.45)
