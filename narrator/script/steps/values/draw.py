"""`draw`: something from a list, by chance; `shuffle`: all of it."""

from __future__ import annotations

from typing import ClassVar

from pydantic import Field

from narrator.core.game import Step
from narrator.core.steps.values.draw import Draw
from narrator.script.compiler.builder import Builder, identifier
from narrator.script.reading.fields import Several, Text
from narrator.script.reading.nodes import Scalar
from narrator.script.steps.kind import StepShape, kind
from narrator.script.steps.values.bounds import whole_within

MOST = 500
"""Things drawn at once: what a list may hold."""


class DrawShape(StepShape):
    """Draw from a list without putting back."""

    verb: ClassVar[str] = "draw"
    draw: Text
    items: Several = Field(alias="from")
    count: Text | None = None
    rest: Text | None = None


class ShuffleShape(StepShape):
    """Put a list into an order by chance."""

    verb: ClassVar[str] = "shuffle"
    shuffle: Text
    items: Several | None = Field(None, alias="from")


def drawn(b: Builder, shape: DrawShape) -> list[Step]:
    """`draw: variable`, `from: list`."""
    name = b.name(shape)
    items = b.reference(shape.items)
    count = whole_within(b, shape.count, (0, MOST), "things are drawn") if shape.count else None
    variable = b.variable(shape.draw)
    rest = b.variable(shape.rest) if shape.rest else ""
    return [Draw(name, variable, items, count, rest=rest)]


def shuffled(b: Builder, shape: ShuffleShape) -> list[Step]:
    """`shuffle: variable`: itself, or the list that `from` names."""
    name = b.name(shape)
    source = Scalar(identifier(shape.shuffle.text), shape.shuffle.place)
    items = b.reference(shape.items if shape.items is not None else source)
    return [Draw(name, b.variable(shape.shuffle), items, whole=True)]


kind(DrawShape, drawn, makes=(Draw,))
kind(ShuffleShape, shuffled, makes=(Draw,))
