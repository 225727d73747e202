"""Points over time as a picture: a line for each player, told apart by mark and name."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from PIL import Image, ImageDraw, ImageFont

WIDTH, HEIGHT = 960, 540
LEFT, RIGHT, TOP, BOTTOM = 70, 170, 50, 60
INK, FAINT, PAPER = "#1b1b1b", "#b9c2cc", "#ffffff"
COLOURS = ("#1f5fa8", "#b3471d", "#2f7d3b", "#7a3f94", "#8a6d00", "#146c74")
MARKS = "ox+*#@%&"


def draw_results(points: Mapping[str, Sequence[tuple[str, float]]], title: str, path: Path) -> None:
    """Draw everybody's points over time to a PNG file.

    Args:
        points: By player: date and points of each evening, the oldest first.
        title: Stands above it.
        path: Of the file.

    Raises:
        OSError: It cannot be written.
    """
    image = Image.new("RGB", (WIDTH, HEIGHT), PAPER)
    pen = ImageDraw.Draw(image)
    font = ImageFont.load_default(15)
    pen.text((LEFT, 16), title, INK, font)
    values = [value for line in points.values() for _, value in line]
    low, high = min([0.0, *values]), max([1.0, *values])
    dates = sorted({date for line in points.values() for date, _ in line})
    most = max([2, *(len(line) for line in points.values())])

    def place(index: int, value: float) -> tuple[float, float]:
        x = LEFT + (WIDTH - LEFT - RIGHT) * index / (most - 1)
        y = HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * (value - low) / (high - low)
        return x, y

    for value in (low, (low + high) / 2, high):
        y = place(0, value)[1]
        pen.line((LEFT, y, WIDTH - RIGHT, y), FAINT)
        pen.text((10, y - 8), f"{value:g}", INK, font)
    if dates:
        pen.text((LEFT, HEIGHT - 40), dates[0], INK, font)
        pen.text((WIDTH - RIGHT - 80, HEIGHT - 40), dates[-1], INK, font)
    for number, (name, line) in enumerate(points.items()):
        spots = [place(index, value) for index, (_, value) in enumerate(line)]
        _draw_line(pen, font, spots, number)
        if spots:
            x, y = WIDTH - RIGHT + 14, TOP + 24 * number
            mark = MARKS[number % len(MARKS)]
            pen.text((x, y), f"{mark} {name}", COLOURS[number % len(COLOURS)], font)
    image.save(path)


def _draw_line(
    pen: ImageDraw.ImageDraw,
    font: ImageFont.FreeTypeFont | ImageFont.ImageFont,
    spots: Sequence[tuple[float, float]],
    number: int,
) -> None:
    colour = COLOURS[number % len(COLOURS)]
    if len(spots) > 1:
        pen.line(list(spots), colour, 2)
    for x, y in spots:
        pen.text((x - 4, y - 9), MARKS[number % len(MARKS)], colour, font)
