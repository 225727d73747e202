"""`cover`: start or stop the masking sound."""

from __future__ import annotations

from typing import ClassVar

from narrator.core.game import Step
from narrator.core.steps.spoken.cover import CoverStep
from narrator.script.compiler.builder import Builder
from narrator.script.reading.fields import Truth
from narrator.script.steps.kind import StepShape, kind


class CoverShape(StepShape):
    """Start or stop the masking sound."""

    verb: ClassVar[str] = "cover"
    cover: Truth


def cover(b: Builder, shape: CoverShape) -> list[Step]:
    """`cover: on` or `cover: off`."""
    return [CoverStep(b.name(shape), shape.cover)]


kind(CoverShape, cover, makes=(CoverStep,))
