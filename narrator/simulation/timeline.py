"""The picture of an evening: who spoke when, what was heard, waits, timers and phases."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from PIL import Image, ImageDraw, ImageFont

from narrator.simulation.report import Report

ROW = 34
LEFT = 130
WIDTH = 1500
"""Pixels of a strip of time."""
STRIP = 45.0
"""Seconds in one strip: a long evening is drawn as several strips, one below the other."""
HEAD = 46
GAP = 26
MOST_STRIPS = 24
"""Beyond this the strips grow longer instead of more."""

INK, FAINT, PAPER = "#1b1b1b", "#8a8a8a", "#ffffff"
COLOURS = {
    "narrator": "#35608f",
    "player": "#8a5a16",
    "accepted": "#2d7a3c",
    "refused": "#6a4f9a",
    "unclear": "#c07b00",
    "ignored": "#9a9a9a",
    "timer": "#cfd8e3",
}
MARKS = {
    "accepted": "understood",
    "refused": "refused",
    "unclear": "said again",
    "ignored": "ignored",
}
"""State is written out as well: never by colour alone."""


@dataclass(frozen=True, slots=True)
class _Bar:
    """A stretch of time with its words."""

    begin: float
    end: float
    colour: str
    text: str


class _Sheet:
    """A page of strips with a common scale."""

    def __init__(self, report: Report, title: str) -> None:
        self.rows = ["narrator", *report.seats, "heard", "waits"]
        self.strip = max(STRIP, report.seconds / MOST_STRIPS)
        self.count = max(1, int(report.seconds // self.strip) + 1)
        self.height = len(self.rows) * ROW + GAP
        size = (LEFT + WIDTH + 20, HEAD + self.count * self.height + 20)
        self.image = Image.new("RGB", size, PAPER)
        self.pen = ImageDraw.Draw(self.image)
        self.font = ImageFont.load_default(12)
        self.small = ImageFont.load_default(10)
        self.pen.text((10, 12), title, fill=INK, font=ImageFont.load_default(18))

    def x(self, strip: int, seconds: float) -> float:
        """Return the column of a moment in a strip."""
        return LEFT + (seconds - strip * self.strip) / self.strip * WIDTH

    def y(self, strip: int, row: str) -> int:
        """Return the line at which a row begins in a strip."""
        return HEAD + strip * self.height + GAP + self.rows.index(row) * ROW

    def bar(self, row: str, bar: _Bar, until: float) -> None:
        """Draw a stretch of time, over strips where it is long; its words end at `until`."""
        last = min(int(bar.end // self.strip), self.count - 1)
        for strip in range(int(bar.begin // self.strip), last + 1):
            left = max(self.x(strip, bar.begin), LEFT)
            right = min(self.x(strip, bar.end), LEFT + WIDTH)
            top = self.y(strip, row)
            self.pen.rectangle((left, top + 4, max(right, left + 2), top + 16), fill=bar.colour)
            if bar.begin >= strip * self.strip:
                room = min(self.x(strip, until), LEFT + WIDTH + 15) - left - 6
                self.pen.text((left, top + 18), self._fitted(bar.text, room), INK, self.small)

    def _fitted(self, text: str, room: float) -> str:
        if self.pen.textlength(text, self.small) <= room:
            return text
        while text and self.pen.textlength(text + "...", self.small) > room:
            text = text[:-1]
        return text + "..." if text else ""

    def frame(self, strip: int) -> None:
        """Draw a strip's rows, names and seconds."""
        for row in self.rows:
            top = self.y(strip, row)
            self.pen.line((LEFT, top + ROW - 1, LEFT + WIDTH, top + ROW - 1), fill="#e8e8e8")
            self.pen.text((10, top + 3), row, fill=INK, font=self.font)
        step = 5 if self.strip <= 90 else 15
        second = int(strip * self.strip) // step * step + step
        top, bottom = self.y(strip, self.rows[0]), self.y(strip, self.rows[-1]) + ROW
        while second < (strip + 1) * self.strip:
            x = self.x(strip, second)
            self.pen.line((x, top, x, bottom), fill="#f0f0f0")
            if second % (step * 3) == 0:
                label = f"{second // 60}:{second % 60:02d}"
                self.pen.text((x - 10, top - 14), label, fill=FAINT, font=self.small)
            second += step


def draw(
    path: Path,
    report: Report,
    *,
    title: str,
) -> None:
    """Draw the evening to a PNG file. Raises OSError."""
    sheet = _Sheet(report, f"{title}, seed {report.seed}: {report.ended}")
    for strip in range(sheet.count):
        sheet.frame(strip)
    _phases(sheet, report)
    for row, bars in _rows(report).items():
        bars.sort(key=lambda bar: bar.begin)
        following = [bar.begin for bar in bars[1:]] + [float("inf")]
        for bar, until in zip(bars, following, strict=False):  # a row may be empty
            sheet.bar(row, bar, until)
    sheet.image.save(path, optimize=True)


def _rows(report: Report) -> dict[str, list[_Bar]]:
    rows: dict[str, list[_Bar]] = {row: [] for row in ["narrator", *report.seats, "heard", "waits"]}
    for said in report.spoken:
        colour = COLOURS["narrator" if said.who == "narrator" else "player"]
        rows[said.who].append(_Bar(said.begin, said.end, colour, said.text))
    for item in report.heard:
        words = f"{item.text or 'nothing'}: {MARKS[item.verdict]}"
        rows["heard"].append(_Bar(item.begin, item.end, COLOURS[item.verdict], words))
    for begin, end, step in report.timers:
        words = f"{step.split('/')[-1]} {end - begin:.1f} s"
        rows["waits"].append(_Bar(begin, end, COLOURS["timer"], words))
    return rows


def _phases(sheet: _Sheet, report: Report) -> None:
    for begin, name in report.phases:
        strip = min(int(begin // sheet.strip), sheet.count - 1)
        x, top = sheet.x(strip, begin), sheet.y(strip, sheet.rows[0]) - 14
        bottom = sheet.y(strip, sheet.rows[-1]) + ROW
        sheet.pen.line((x, top, x, bottom), fill=INK)
        sheet.pen.text((x + 3, top), name, fill=INK, font=sheet.font)
