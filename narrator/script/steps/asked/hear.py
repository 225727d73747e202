"""`hear`: wait for a phrase."""

from __future__ import annotations

from typing import ClassVar

from pydantic import Field

from narrator.core.game import Step
from narrator.core.steps.asked.hear import Hear
from narrator.script.compiler.builder import Builder
from narrator.script.reading.fields import Text, Texts
from narrator.script.steps.asked.wording import heard
from narrator.script.steps.kind import NudgeShape, StepShape, kind


class HearShape(StepShape):
    """Wait for a phrase."""

    verb: ClassVar[str] = "hear"
    hear: Texts
    whose: Text | None = Field(None, alias="from")
    not_before: Text | None = Field(None, alias="not before")
    nudge: NudgeShape | None = None


def hear(b: Builder, shape: HearShape) -> list[Step]:
    """`hear: [phrases]`."""
    name = b.name(shape)
    return [heard(b, shape, shape.hear, name)]


kind(HearShape, hear, makes=(Hear,))
