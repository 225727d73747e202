"""`part`: the steps of a part, put in here."""

from __future__ import annotations

from typing import Any, ClassVar

from pydantic import Field

from narrator.core.game import Step
from narrator.core.steps.blocks.repeat import Repeat
from narrator.core.steps.values.set import Set
from narrator.core.values import Constant
from narrator.script.compiler.builder import Builder, slug
from narrator.script.reading.fields import Text, Whole
from narrator.script.steps.kind import StepShape, kind
from narrator.script.steps.values.set import assigned


class PartShape(StepShape):
    """The steps of a part, here."""

    verb: ClassVar[str] = "part"
    part: Text
    values: dict[str, Any] | None = Field(None, alias="with")
    at_most: Whole | None = Field(None, alias="at most")


def part(b: Builder, shape: PartShape) -> list[Step]:
    """`part: name`: its steps, put in here."""
    word = shape.part.text
    parts = b.script.parts or {}
    b.used.add(f"part {word}")
    if word in b.report.dropped:
        return []
    if word not in parts:
        b.report.add("NS050", shape.part.place, name=word, near=(word, parts))
        return []
    if word in b.parts and shape.at_most is not None:
        if not _deeper(b, shape, shape.at_most):
            return []
    elif word in b.parts:
        way = " > ".join([*b.parts, word])
        b.report.add("NS051", shape.part.place, name=word, way=way)
        return []
    name = b.name(shape)
    given = assigned(b, shape.table("with"))
    first: list[Step] = [Set(b.claim(f"{name}-with"), given)] if given else []
    b.parts.append(word)
    # A block of its own, run once, so that its steps' names cannot meet those around it.
    steps = b.steps(parts[word], name, at=f"parts/{slug(word)}")
    b.parts.pop()
    return [*first, Repeat(name, steps, times=Constant(1))]


DEEPEST = 50
"""Times that a part may be put into itself: more than any table plays on for."""


def _deeper(b: Builder, shape: PartShape, most: int) -> bool:
    """Whether a part is put into itself here once more; what lies beyond its bound is left out."""
    if not 1 <= most <= DEEPEST:
        what = f"A part calls itself between 1 and {DEEPEST} times"
        b.report.add("NS027", shape.at("at most"), what=what)
        return False
    return b.parts.count(shape.part.text) <= most


kind(PartShape, part, makes=())
