"""A game's flow as a picture of one page, to be read down its columns."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

from PIL import Image, ImageDraw, ImageFont

from narrator.adapters.pictures.outline import Row, outline
from narrator.core.game import Game, Phase

Font: TypeAlias = "ImageFont.FreeTypeFont | ImageFont.ImageFont"

COLUMN = 460
MARGIN = 24
INDENT = 18
LINE = 19
PAD = 6
TOP = 72
"""Where the columns begin, below the title and the key."""
HEAD = 44
"""Height of a phase's head with the space around it."""
FEWEST_ROWS = 3
"""Rows that follow a head at least: a head alone at the foot of a column tells nothing."""
SHAPE = 1.4
"""Width of a page by its height: a sheet of paper that lies on its side."""
LONGEST = 220
"""Characters of a step's words that are shown; with all details as many again are cut."""
INK, FAINT, PAPER, FRAME = "#1b1b1b", "#5d5d5d", "#ffffff", "#b9c2cc"
FILLS = {
    "says": "#e8eff7", "waits": "#f1f1f1", "hears": "#f7efe0", "asks": "#f7efe0",
    "checks": "#f7efe0", "timer": "#e3efe4", "counts": "#e8eff7", "head": "#35608f",
}  # fmt: skip
"""By what a step does; the word stands beside it: nothing is told by colour alone."""


@dataclass(frozen=True, slots=True)
class _Piece:
    """What is drawn in one go: a phase's head, or a row."""

    lines: tuple[str, ...]
    row: Row | None = None
    """None: it is a head."""

    @property
    def height(self) -> int:
        return HEAD if self.row is None else len(self.lines) * LINE + 2 * PAD


def draw_flow(game: Game, path: Path, *, detail: bool = False) -> None:
    """Draw a game's flow to a PNG file.

    Args:
        game: The script.
        path: Of the picture.
        detail: Every step and expression as the script has it; else what a host reads.

    Raises:
        OSError: The file cannot be written.
    """
    font, bold = ImageFont.load_default(14), ImageFont.load_default(18)
    phases = [list(_pieces(phase, font, detail=detail)) for phase in game.phases]
    columns = _columns(phases)
    heights = [sum(piece.height for piece in column) for column in columns]
    size = (MARGIN + (COLUMN + MARGIN) * len(columns), TOP + max(heights) + MARGIN)
    image = Image.new("RGB", size, PAPER)
    pen = ImageDraw.Draw(image)
    title = f"{game.title}, {game.low} to {game.high} players"
    pen.text((MARGIN, MARGIN), title, INK, font=ImageFont.load_default(24))
    for index, column in enumerate(columns):
        left, y = MARGIN + index * (COLUMN + MARGIN), TOP
        for piece in column:
            _draw(pen, piece, (left, y), bold if piece.row is None else font)
            y += piece.height
    image.save(path, optimize=True)


def _pieces(phase: Phase, font: Font, *, detail: bool) -> Iterator[_Piece]:
    told = [phase.name.replace("-", " "), *(["eyes closed"] if phase.eyes_closed else [])]
    told += ["masking sound"] if phase.cover else []
    yield _Piece((", ".join(told),))
    for row in outline(phase.steps, detail=detail):
        yield _Piece(tuple(_wrap(row, font)), row)


def _columns(phases: list[list[_Piece]]) -> list[list[_Piece]]:
    """Put the phases one below the other into as many columns as make a page."""
    whole = sum(piece.height for phase in phases for piece in phase)
    wanted = math.sqrt(whole * (COLUMN + MARGIN) / SHAPE)
    columns: list[list[_Piece]] = [[]]
    used = 0
    for phase in phases:
        head, rows = phase[0], phase[1:]
        start = sum(piece.height for piece in phase[: 1 + FEWEST_ROWS])
        if used and used + start > wanted:
            columns.append([])
            used = 0
        columns[-1].append(head)
        used += head.height
        for row in rows:
            if used + row.height > max(wanted, HEAD + row.height):
                columns.append([_Piece((f"{head.lines[0]}, continued",))])
                used = HEAD
            columns[-1].append(row)
            used += row.height
    return columns


def _draw(pen: ImageDraw.ImageDraw, piece: _Piece, at: tuple[int, int], font: Font) -> None:
    left, y = at
    if piece.row is None:
        pen.rectangle((left, y + 4, left + COLUMN, y + HEAD - 6), fill=FILLS["head"])
        pen.text((left + 10, y + 10), piece.lines[0], PAPER, font=font)
        return
    for level in range(piece.row.depth):
        x = left + level * INDENT + 6
        pen.line((x, y, x, y + piece.height), FRAME, 3)
    inner = left + piece.row.depth * INDENT
    fill = FILLS.get(piece.row.kind)
    if fill:
        pen.rectangle((inner, y + 2, left + COLUMN, y + piece.height - 2), fill=fill)
    ink = INK if fill else FAINT
    for number, line in enumerate(piece.lines):
        pen.text((inner + PAD, y + PAD + number * LINE), line, ink, font=font)


def _wrap(row: Row, font: Font) -> list[str]:
    width = COLUMN - row.depth * INDENT - 2 * PAD
    text = row.text if len(row.text) <= LONGEST else f"{row.text[: LONGEST - 3]}..."
    lines = [""]
    for word in f"{row.kind}: {text}".removeprefix(": ").split():
        longer = f"{lines[-1]} {word}".strip()
        if lines[-1] and font.getlength(longer) > width:
            lines.append(word)
        else:
            lines[-1] = longer
    return lines
