"""`again`: begin a run, or a phase, from its beginning."""

from __future__ import annotations

from typing import ClassVar

from narrator.core.game import Step
from narrator.core.steps.blocks.again import Again
from narrator.script.compiler.builder import Builder, slug
from narrator.script.reading.fields import Text
from narrator.script.steps.kind import StepShape, kind


class AgainShape(StepShape):
    """Begin an enclosing loop's run, or the phase, from its beginning."""

    verb: ClassVar[str] = "again"
    again: Text | None = None


def again(b: Builder, shape: AgainShape) -> list[Step]:
    """`again`: the innermost loop's run, or the phase; `again: name`: further out, or earlier."""
    word = shape.again.text if shape.again else ""
    for name, path in [*reversed(b.around), *((phase, phase) for phase in b.earlier)]:
        if not word or name == slug(word):
            return [Again(b.name(shape), path)]
    place = shape.again.place if shape.again else shape.place
    b.report.add(
        "NS053", place, name=word, near=(word, [*(name for name, _ in b.around), *b.earlier])
    )
    return []


kind(AgainShape, again, makes=(Again,))
