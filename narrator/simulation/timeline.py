"""A rehearsal on one page: phases and who spoke when above, everything that was said below."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from PIL import Image, ImageDraw

from narrator.adapters.pictures.letters import broken, cut, font_for
from narrator.simulation.report import NARRATOR, Report

WIDTH, MARGIN = 1600, 30
LEFT = 170
"""Pixels for the names beside the rows."""
ROW, LINE, GAP = 26, 21, 18
SMALL, LARGE, HEAD = 14, 16, 24
COLUMNS = 2
INK, FAINT, PAPER, GRID = "#1b1b1b", "#6a737d", "#ffffff", "#e3e7eb"
COLOURS = {NARRATOR: "#35608f", "player": "#8a5a16", "wait": "#cfd8e3"}
PHASES = ("#eef3f8", "#dfe8f1")
SIGNS = {"unclear": "?", "refused": "!", "ignored": "-"}
WORDS = {"unclear": "asked again", "refused": "refused", "ignored": "ignored"}
"""State is written out as well: never by colour alone."""
_TICKS = (5, 10, 15, 30, 60, 120, 300, 600, 1800, 3600)
"""Seconds between the marks of the clock; the first that leaves room for the times is taken."""
_MOST_TICKS = 16


@dataclass(frozen=True, slots=True)
class _Entry:
    """A paragraph of what was said: a time, and words; or the beginning of a phase."""

    time: str
    text: str
    heading: bool = False


def draw(path: Path, report: Report, *, title: str) -> None:
    """Draw the evening to a PNG file. Raises OSError."""
    rows = [NARRATOR, *report.seats, "waits"]
    columns = _columns(_entries(report))
    top = MARGIN + HEAD + 2 * GAP
    below = top + (len(rows) + 2) * ROW + 2 * GAP
    height = below + max(map(len, columns)) * LINE + MARGIN
    image = Image.new("RGB", (WIDTH, height), PAPER)
    pen = ImageDraw.Draw(image)
    head = f"{title}: {report.ended}, {clock(report.seconds)}, seed {report.seed}"
    pen.text((MARGIN, MARGIN), head, INK, font_for(head, HEAD))
    _Overview(pen, report, rows, top).draw()
    for number, column in enumerate(columns):
        _draw_column(pen, column, MARGIN + number * _column_width(), below)
    image.save(path, "PNG", optimize=True)


def clock(seconds: float) -> str:
    """Return a moment as minutes and seconds."""
    return f"{int(seconds) // 60}:{int(seconds) % 60:02d}"


class _Overview:
    """The whole evening in one strip."""

    def __init__(
        self, pen: ImageDraw.ImageDraw, report: Report, rows: Sequence[str], top: int
    ) -> None:
        self.pen, self.report, self.rows, self.top = pen, report, rows, top
        self.length = max(report.seconds, 1.0)
        self.bottom = top + (len(rows) + 1) * ROW

    def draw(self) -> None:
        """Draw phases, rows, bars and the clock."""
        self._phases()
        self._clock()
        for row in self.rows:
            y, font = self._y(row), font_for(row, LARGE)
            self.pen.text((MARGIN, y + 3), cut(row, font, LEFT - MARGIN - 10), INK, font)
            self.pen.line((LEFT, y + ROW - 1, WIDTH - MARGIN, y + ROW - 1), GRID)
        for said in self.report.spoken:
            colour = COLOURS.get(said.who, COLOURS["player"])
            self._bar(said.who, said.begin, said.end, colour)
        for begin, end, _ in self.report.timers:
            self._bar("waits", begin, end, COLOURS["wait"])
        self._signs()

    def _x(self, seconds: float) -> float:
        share = min(max(seconds / self.length, 0.0), 1.0)
        return LEFT + share * (WIDTH - MARGIN - LEFT)

    def _y(self, row: str) -> int:
        return self.top + (1 + self.rows.index(row)) * ROW

    def _bar(self, row: str, begin: float, end: float, colour: str) -> None:
        left, y = self._x(begin), self._y(row)
        self.pen.rectangle((left, y + 5, max(self._x(end), left + 2), y + ROW - 8), colour)

    def _phases(self) -> None:
        begins = [begin for begin, _ in self.report.phases]
        ends = [*begins[1:], self.length]
        for number, (begin, name) in enumerate(self.report.phases):
            left, right = self._x(begin), self._x(ends[number])
            self.pen.rectangle((left, self.top, right, self.bottom), PHASES[number % 2])
            font = font_for(name, LARGE)
            words = f"{number + 1} {name}"
            if font.getlength(words) > right - left - 6:  # the list below has its name
                words = str(number + 1)
            self.pen.text((left + 3, self.top + 3), words, INK, font)

    def _clock(self) -> None:
        step = next((t for t in _TICKS if self.length / t <= _MOST_TICKS), _TICKS[-1])
        font = font_for("0", SMALL)
        for number in range(int(self.length // step) + 1):
            x = self._x(number * step)
            self.pen.line((x, self.top + ROW, x, self.bottom + 4), GRID)
            words = clock(number * step)
            x = min(x, WIDTH - MARGIN - font.getlength(words))
            self.pen.text((x, self.bottom + 5), words, FAINT, font)

    def _signs(self) -> None:
        """Mark what was not understood, above the bar of who said it."""
        for item in self.report.heard:
            if item.verdict not in SIGNS:
                continue
            who = next(
                (s.who for s in self.report.spoken
                 if s.who != NARRATOR and s.begin <= item.end and item.begin <= s.end), "waits",
            )  # fmt: skip
            sign, font = SIGNS[item.verdict], font_for("?", LARGE)
            self.pen.text((self._x(item.begin) + 3, self._y(who) + 3), sign, INK, font)


def _entries(report: Report) -> list[_Entry]:
    """Return all that was said and not understood, phase by phase."""
    found: list[tuple[float, int, _Entry]] = []
    for number, (begin, name) in enumerate(report.phases, 1):
        heading = f"{number} {name}, from {clock(begin)}"
        found.append((begin, 0, _Entry("", heading, heading=True)))
    for said in report.spoken:
        who = "Narrator" if said.who == NARRATOR else said.who
        found.append((said.begin, 1, _Entry(clock(said.begin), f"{who}: {said.text}")))
    for item in report.heard:
        if item.verdict in WORDS:
            sign, what = SIGNS[item.verdict], item.text or "nothing"
            text = f"{sign} heard: {what} ({WORDS[item.verdict]})"
            found.append((item.end, 2, _Entry(clock(item.end), text)))
    return [entry for _, _, entry in sorted(found, key=lambda one: one[:2])]


_Line = tuple[str, str, bool]
"""A time or nothing, words, and whether it is a heading."""


def _columns(entries: Sequence[_Entry]) -> list[list[_Line]]:
    room = _column_width() - 60 - GAP
    lines: list[_Line] = []
    for entry in entries:
        if entry.heading and lines:
            lines.append(("", "", False))
        size = LARGE if entry.heading else SMALL
        parts = broken(entry.text, font_for(entry.text, size), room)
        lines += [
            (entry.time if n == 0 else "", part, entry.heading) for n, part in enumerate(parts)
        ]
    height = max(1, -(-len(lines) // COLUMNS))
    return [lines[at : at + height] for at in range(0, len(lines), height)] or [[]]


def _column_width() -> int:
    return (WIDTH - 2 * MARGIN) // COLUMNS


def _draw_column(pen: ImageDraw.ImageDraw, lines: Sequence[_Line], left: int, top: int) -> None:
    for number, (time, words, heading) in enumerate(lines):
        y = top + number * LINE
        pen.text((left, y), time, FAINT, font_for(time, SMALL))
        size, indent = (LARGE, 0) if heading else (SMALL, 60)
        pen.text((left + indent, y), words, INK, font_for(words, size))
        if heading:
            pen.line((left, y + LINE - 1, left + _column_width() - GAP, y + LINE - 1), GRID)
