"""`for each`: steps, once for each of a list."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, ClassVar

from pydantic import Field

from narrator.core.game import Step
from narrator.core.steps.blocks.for_each import ForEach
from narrator.core.values import Expression
from narrator.script.compiler.builder import Builder
from narrator.script.reading.fields import Several, Text
from narrator.script.reading.nodes import Items, Scalar
from narrator.script.steps.blocks.spoiled import SpoiledShape, called_off
from narrator.script.steps.kind import StepShape, kind

if TYPE_CHECKING:
    from narrator.script.reading.models import AnyStep


class ForEachShape(StepShape):
    """Steps, once for each of a list."""

    verb: ClassVar[str] = "for each"
    variable: Text = Field(alias="for each")
    begin: Text | None = Field(None, alias="from")
    items: Several | None = Field(None, alias="in")
    spoiled: SpoiledShape | None = None
    steps: list[AnyStep]


_TOGETHER = re.compile(r"^(.+?) in (.+)$")


def for_each(b: Builder, shape: ForEachShape) -> list[Step]:
    """`for each: seat`."""
    name = b.name(shape)
    together = _TOGETHER.match(shape.variable.text)
    if together:
        cure = f"Write `for each: {together[1]}`, and below it `in: {together[2]}`."
        why = "the list stands in a line of its own"
        b.report.add("NS030", shape.variable.place, name=shape.variable.text, why=why, cure=cure)
    items = voters_of(b, shape.begin, shape.items, shape.variable)
    before = set(b.known)
    variable = b.variable(shape.variable, loop=True)
    with b.inside(name):
        steps = b.steps(shape.steps, name)
        spoiled = called_off(b, shape.spoiled, name, steps) if shape.spoiled else None
    if variable not in before:
        b.known.discard(variable)
    return [ForEach(name, variable, items, steps, spoiled)]


def voters_of(
    b: Builder, begin: Scalar | None, among: Scalar | Items | None, at: Scalar
) -> Expression:
    """Return who takes turns: all seats, clockwise from one of them, or those of a list."""
    if begin is None:
        return b.written("seats", at) if among is None else b.reference(among)
    around = f"circle({b.bare(begin)})"
    if among is None:
        return b.written(around, begin)
    return b.written(f"{around} | only({b.bare(among)})", begin)


kind(ForEachShape, for_each, makes=(ForEach,))
