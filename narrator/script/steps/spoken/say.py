"""`say`: speak a line."""

from __future__ import annotations

from typing import ClassVar

from narrator.core.game import Step
from narrator.core.steps.spoken.say import Say
from narrator.script.compiler.builder import Builder
from narrator.script.compiler.styles import in_style
from narrator.script.reading.fields import Text
from narrator.script.steps.kind import StepShape, kind


class SayShape(StepShape):
    """Speak a line."""

    verb: ClassVar[str] = "say"
    say: Text
    style: Text | None = None


def say(b: Builder, shape: SayShape) -> list[Step]:
    """`say: text`."""
    name = b.name(shape)
    return [Say(name, in_style(b, b.line(name, shape.say), shape.style))]


kind(SayShape, say, makes=(Say,))
