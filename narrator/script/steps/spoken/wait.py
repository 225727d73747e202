"""`wait`: a silence that nobody can shorten."""

from __future__ import annotations

from typing import ClassVar

from narrator.core.game import Step
from narrator.core.steps.spoken.wait import Wait
from narrator.script.compiler.builder import Builder
from narrator.script.reading.fields import Text
from narrator.script.steps.kind import StepShape, kind


class WaitShape(StepShape):
    """A silence that nobody can shorten."""

    verb: ClassVar[str] = "wait"
    wait: Text


def wait(b: Builder, shape: WaitShape) -> list[Step]:
    """`wait: duration`."""
    return [Wait(b.name(shape), b.duration(shape.wait))]


kind(WaitShape, wait, makes=(Wait,))
