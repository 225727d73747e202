"""`countdown`: words, one a beat."""

from __future__ import annotations

from typing import ClassVar

from narrator.core.game import SECOND, Step
from narrator.core.steps.spoken.countdown import Countdown
from narrator.core.values import Constant
from narrator.script.compiler.builder import Builder
from narrator.script.expressions.duration import parse_duration
from narrator.script.reading.fields import Text, Texts
from narrator.script.reading.nodes import Scalar
from narrator.script.steps.kind import StepShape, kind


class CountdownShape(StepShape):
    """Words, one a beat."""

    verb: ClassVar[str] = "countdown"
    countdown: Texts
    beat: Text | None = None


def countdown(b: Builder, shape: CountdownShape) -> list[Step]:
    """`countdown: [three, two, one]`."""
    name = b.name(shape)
    return [counted(b, name, shape.countdown, shape.beat)]


def counted(b: Builder, name: str, words: list[Scalar], beat: Scalar | None) -> Countdown:
    """Compile words that are spoken one a beat; also used by `vote`."""
    first, last = words[0], words[-1]
    text = ", ".join(word.text for word in words)
    whole = Scalar(text, first.place, first.plain, last.last)
    seconds = SECOND
    if beat is not None:
        length = parse_duration(beat.text)
        if length is None:
            b.duration(beat)
        elif not 0.4 <= length <= 5:
            b.report.add("NS027", beat.place, what="A beat lasts between 0.4 and 5 seconds")
        else:
            seconds = Constant(length)
    return Countdown(name, b.line(name, whole), seconds)


kind(CountdownShape, countdown, makes=(Countdown,))
