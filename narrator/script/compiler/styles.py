"""The style that a line or a phase is spoken in."""

from __future__ import annotations

from dataclasses import replace

from narrator.core.effects import STYLES
from narrator.core.game import Line
from narrator.script.compiler.builder import Builder
from narrator.script.reading.nodes import Scalar


def style_of(b: Builder, scalar: Scalar | None) -> str:
    """Return the style that is named; it is a word and no expression, so it can tell no secret."""
    if scalar is None:
        return ""
    word = scalar.text
    if word in STYLES:
        return word
    b.report.add("NS026", scalar.place, word=word, key="style", near=(word, STYLES))
    return ""


def in_style(b: Builder, line: Line, scalar: Scalar | None) -> Line:
    """Return a line in the style that is named beside it."""
    return replace(line, style=style_of(b, scalar))


def read_back(line: Line) -> Line:
    """Return a line that reads an answer back: slowly, part by part."""
    return replace(line, style="list")
