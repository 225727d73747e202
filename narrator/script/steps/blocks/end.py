"""`end`: finish the game."""

from __future__ import annotations

from typing import ClassVar

from narrator.core.game import Step
from narrator.core.steps.blocks.end import End
from narrator.script.compiler.builder import Builder
from narrator.script.reading.fields import Text
from narrator.script.steps.kind import StepShape, kind


class EndShape(StepShape):
    """Finish the game."""

    verb: ClassVar[str] = "end"
    end: Text | None = None


def end(b: Builder, shape: EndShape) -> list[Step]:
    """`end`."""
    b.finished |= b.known | b.maybe
    return [End(b.name(shape))]


kind(EndShape, end, makes=(End,))
