"""Compiling what a script knows of its rules: answers to the table's questions, and the lesson."""

from __future__ import annotations

from collections.abc import Iterator

from narrator.core.commands.lesson import RULING
from narrator.core.expect import Expectation
from narrator.core.game import Line, Ruling
from narrator.script.compiler.builder import Builder, slug
from narrator.script.compiler.phrases import shortest
from narrator.script.reading.nodes import Scalar


def rulings(b: Builder) -> tuple[Ruling, ...]:
    """Compile what the table may ask about the rules; a line may use posts and options."""
    return tuple(_rulings(b))


def _rulings(b: Builder) -> Iterator[Ruling]:
    table = b.script.table("rules")
    names: set[str] = set()
    b.lines_at = "rules"
    for key, shape in (b.script.rules or {}).items():
        name, place = slug(key), table.keys_at[key]
        if not name or name in names:
            b.report.add("NS031", place, name=key, by="another rule")
        names.add(name)
        phrases = b.phrases(name, shape.ask)
        line = b.line(name, shape.say)
        if phrases:
            b.expects(place, Expectation(f"command:{RULING}{name}", "command", phrases))
            yield Ruling(name, phrases, shortest(phrases[0]), line)
    b.lines_at = ""


def lesson(b: Builder) -> tuple[Line, ...]:
    """Compile the parts of what teaches the game."""
    b.lines_at = "teach"
    parts = tuple(_part(b, number, text) for number, text in enumerate(b.script.teach or (), 1))
    b.lines_at = ""
    return parts


def _part(b: Builder, number: int, text: Scalar) -> Line:
    return b.line(str(number), text)
