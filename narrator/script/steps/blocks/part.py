"""`part`: the steps of a part, put in here."""

from __future__ import annotations

from typing import Any, ClassVar

from pydantic import Field

from narrator.core.game import Step
from narrator.core.steps.blocks.repeat import Repeat
from narrator.core.steps.values.set import Set
from narrator.core.values import Constant
from narrator.script.compiler.builder import Builder, slug
from narrator.script.reading.fields import Text
from narrator.script.steps.kind import StepShape, kind
from narrator.script.steps.values.set import assigned


class PartShape(StepShape):
    """The steps of a part, here."""

    verb: ClassVar[str] = "part"
    part: Text
    values: dict[str, Any] | None = Field(None, alias="with")


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
    if word in b.parts:
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


kind(PartShape, part, makes=())
