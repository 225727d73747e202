"""A game's flow as a picture to be read from top to bottom, one column for each phase."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

from PIL import Image, ImageDraw, ImageFont

from narrator.core.game import Game, Line, Phase, Step
from narrator.core.steps.asked.ask import Ask
from narrator.core.steps.asked.hear import Hear
from narrator.core.steps.asked.timer import Timer
from narrator.core.steps.blocks.again import Again
from narrator.core.steps.blocks.branch import If
from narrator.core.steps.blocks.for_each import ForEach
from narrator.core.steps.blocks.repeat import Repeat
from narrator.core.steps.spoken.countdown import Countdown
from narrator.core.steps.spoken.cover import CoverStep
from narrator.core.steps.spoken.cue import CueStep
from narrator.core.steps.spoken.say import Say
from narrator.core.steps.spoken.wait import Wait
from narrator.core.steps.values.score import Score
from narrator.core.steps.values.set import Set
from narrator.core.values import Constant, Expression

Font: TypeAlias = "ImageFont.FreeTypeFont | ImageFont.ImageFont"

COLUMN = 440
MARGIN = 24
INDENT = 18
LINE = 19
PAD = 6
LONGEST = 160
"""Characters of a step's words that are shown."""
INK, FAINT, PAPER, FRAME = "#1b1b1b", "#5d5d5d", "#ffffff", "#b9c2cc"
FILLS = {
    "says": "#e8eff7", "waits": "#f1f1f1", "hears": "#f7efe0", "asks": "#f7efe0",
    "timer": "#e3efe4", "counts": "#e8eff7", "head": "#35608f",
}  # fmt: skip
"""By what a step does; the word stands beside it: nothing is told by colour alone."""


@dataclass(frozen=True, slots=True)
class _Row:
    depth: int
    kind: str
    """What it does, in a word; empty for the head of a block."""
    text: str


def draw_flow(game: Game, path: Path) -> None:
    """Draw a game's flow to a PNG file. Raises OSError."""
    font, bold = ImageFont.load_default(14), ImageFont.load_default(18)
    columns = [list(_phase(phase)) for phase in game.phases]
    wrapped = [[(row, _wrap(row, font)) for row in rows] for rows in columns]
    heights = [sum(_height(lines) for _, lines in rows) for rows in wrapped]
    size = (
        MARGIN + (COLUMN + MARGIN) * max(1, len(columns)),
        max(heights, default=0) + 130 + MARGIN,
    )
    image = Image.new("RGB", size, PAPER)
    pen = ImageDraw.Draw(image)
    title = f"{game.title}, {game.low} to {game.high} players"
    pen.text((MARGIN, MARGIN), title, INK, font=ImageFont.load_default(24))
    for index, (phase, rows) in enumerate(zip(game.phases, wrapped, strict=True)):
        left = MARGIN + index * (COLUMN + MARGIN)
        _head(pen, phase, left, bold, is_last=index == len(wrapped) - 1)
        y = 120
        for row, lines in rows:
            y = _draw(pen, row, lines, (left, y), font)
    image.save(path, optimize=True)


def _head(pen: ImageDraw.ImageDraw, phase: Phase, left: int, font: Font, *, is_last: bool) -> None:
    told = [phase.name, *(["eyes closed"] if phase.eyes_closed else [])]
    told += ["masking sound"] if phase.cover else []
    pen.rectangle((left, 72, left + COLUMN, 108), fill=FILLS["head"])
    pen.text((left + 10, 80), ", ".join(told), PAPER, font=font)
    if not is_last:
        end = left + COLUMN + MARGIN
        pen.line((left + COLUMN, 90, end, 90), INK, 2)
        pen.polygon(((end, 90), (end - 8, 85), (end - 8, 95)), fill=INK)


def _draw(
    pen: ImageDraw.ImageDraw,
    row: _Row,
    lines: list[str],
    at: tuple[int, int],
    font: Font,
) -> int:
    """Draw one step; give where the next begins."""
    left, y = at
    height = _height(lines)
    for level in range(row.depth):
        x = left + level * INDENT + 6
        pen.line((x, y, x, y + height), FRAME, 3)
    inner = left + row.depth * INDENT
    fill = FILLS.get(row.kind)
    if fill:
        pen.rectangle((inner, y + 2, left + COLUMN, y + height - 2), fill=fill)
    for number, line in enumerate(lines):
        pen.text((inner + PAD, y + PAD + number * LINE), line, INK if fill else FAINT, font=font)
    return y + height


def _height(lines: list[str]) -> int:
    return len(lines) * LINE + 2 * PAD


def _wrap(row: _Row, font: Font) -> list[str]:
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


def _phase(phase: Phase) -> Iterator[_Row]:
    yield from _steps(phase.steps, 0)


def _steps(steps: tuple[Step, ...], depth: int) -> Iterator[_Row]:
    for step in steps:
        if isinstance(step, If):
            yield _Row(depth, "", f"if {_words(step.condition)}")
            yield from _steps(step.then, depth + 1)
            if step.otherwise:
                yield _Row(depth, "", "else")
                yield from _steps(step.otherwise, depth + 1)
        elif isinstance(step, ForEach):
            yield _Row(depth, "", f"for each {step.variable} in {_words(step.items)}")
            yield from _steps(step.steps, depth + 1)
        elif isinstance(step, Repeat):
            yield from _repeat(step, depth)
        else:
            yield _Row(depth, *_simple(step))


def _repeat(step: Repeat, depth: int) -> Iterator[_Row]:
    once = step.times == Constant(1) and step.until is None
    if once:  # a part, put in where it is used
        yield from _steps(step.steps, depth)
        return
    how = f"{_words(step.times)} times" if step.times else ""
    how += f" until {_words(step.until)}" if step.until else ""
    yield _Row(depth, "", f"repeat {how.strip()}")
    yield from _steps(step.steps, depth + 1)


def _simple(step: Step) -> tuple[str, str]:
    """Return what a step without steps of its own does, and its words."""
    if isinstance(step, Say):
        return "says", _line(step.line)
    if isinstance(step, Wait):
        return "waits", f"{_words(step.seconds)} s".replace("s s", "s")
    if isinstance(step, Hear):
        return "hears", " or ".join(step.phrases)
    if isinstance(step, Ask):
        return "asks", f"{_line(step.line)} ({step.kind}, into {step.into})".strip()
    if isinstance(step, Timer):
        return "timer", f"{_words(step.seconds)} {_line(step.line)}".strip()
    if isinstance(step, Countdown):
        return "counts", _line(step.line)
    return _silent(step)


def _silent(step: Step) -> tuple[str, str]:
    if isinstance(step, Set):
        return "sets", ", ".join(f"{name} = {_words(value)}" for name, value in step.values)
    if isinstance(step, Score):
        return "scores", step.scoring.name
    if isinstance(step, Again):
        return "goes back to", step.target
    if isinstance(step, CueStep):
        return "sound", step.cue
    if isinstance(step, CoverStep):
        return "masking sound", "on" if step.on else "off"
    return "ends", "the game"


def _line(line: Line | None) -> str:
    return _words(line.text) if line else ""


def _words(expression: Expression | None) -> str:
    """Return an expression as it was written, as far as it knows."""
    if isinstance(expression, Constant):
        value = expression.value
        return f"{value:g}" if isinstance(value, float) else str(value)
    for name in ("source", "text", "seconds"):
        inner = getattr(expression, name, None)
        if isinstance(inner, str):
            return inner
        if callable(inner):
            return _words(inner)
    return "..."
