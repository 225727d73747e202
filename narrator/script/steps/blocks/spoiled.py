"""`spoiled`: how a run of a loop, or a phase, may be called off."""

from __future__ import annotations

from pydantic import Field

from narrator.core.game import Spoiled, Step
from narrator.script.compiler.builder import Builder, slug
from narrator.script.reading.fields import Shape, Text


class SpoiledShape(Shape):
    """How a run may be called off."""

    say: Text
    before: Text | None = None
    condition: Text | None = Field(None, alias="if")


class SpoiledPhaseShape(SpoiledShape):
    """How a phase may be called off, and which phase the game goes on from then."""

    again: Text | None = None


BEGINS = ("", "-say", "-ask", "-countdown", "-none", "-with", "-worked-out")
"""What the first of the steps that one of an author's becomes adds to its name."""


def called_off(
    b: Builder, shape: SpoiledShape, name: str, steps: tuple[Step, ...], phase: str = ""
) -> Spoiled:
    """Compile how a run of these steps may be called off.

    Args:
        b: The builder.
        shape: What the author wrote.
        name: Of the loop; empty: it is a phase.
        steps: What is run.
        phase: The phase that the game goes on from; empty: the run begins again.
    """
    line = b.line(f"{name}/spoiled" if name else "spoiled", shape.say)
    condition = b.condition(shape.condition) if shape.condition else None
    if shape.before is None:
        return Spoiled(line, len(steps), condition, phase)
    names = [step.name for step in steps]
    last = slug(shape.before.text)
    places = [names.index(last + more) for more in BEGINS if last + more in names]
    if not places:
        word = shape.before.text
        b.report.add("NS041", shape.before.place, name=word, near=(word, names))
    return Spoiled(line, min(places, default=0), condition, phase)
