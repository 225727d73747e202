"""`timer`: a public timer."""

from __future__ import annotations

from typing import ClassVar

from pydantic import Field

from narrator.core.expect import Expectation
from narrator.core.game import Line, Step
from narrator.core.steps.asked.timer import Early, Timer
from narrator.core.values import Constant, Expression
from narrator.script.compiler.builder import Builder
from narrator.script.expressions.compiled import Listing
from narrator.script.reading.fields import Shape, Text, Texts, Truth
from narrator.script.steps.kind import StepShape, kind


class EarlyShape(Shape):
    """How a timer may end early."""

    hear: Texts
    ask: Text | None = None
    hands: Text | None = None


class TimerShape(StepShape):
    """A public timer."""

    verb: ClassVar[str] = "timer"
    timer: Text
    whose: Text | None = Field(None, alias="from")
    say: Text | None = None
    warnings: Texts | None = None
    end_early: EarlyShape | None = Field(None, alias="end early")
    cut_short: Truth = Field(True, alias="cut short")
    last_ten: Text | None = Field(None, alias="last ten")
    ended: Text | None = None
    elapsed: Text | None = None
    remaining: Text | None = None


def timer(b: Builder, shape: TimerShape) -> list[Step]:
    """`timer: duration`, with what is said and how it may end early."""
    name = b.name(shape)
    seconds = b.duration(shape.timer)
    line = b.line(name, shape.say) if shape.say else None
    elapsed = b.variable(shape.elapsed) if shape.elapsed else ""
    remaining = b.variable(shape.remaining) if shape.remaining else ""
    ended = b.line(f"{name}/ended", shape.ended) if shape.ended else None
    early = _early(b, shape.end_early, name) if shape.end_early else None
    seat = b.reference(shape.whose) if shape.whose else None
    return [
        Timer(
            name, seconds, line, _warnings(b, shape), early, ended, seat, shape.cut_short,
            _last_ten(b, shape), elapsed, remaining,
        )
    ]  # fmt: skip


def _last_ten(b: Builder, shape: TimerShape) -> Expression | None:
    if shape.last_ten is None:
        return None
    said = shape.last_ten.text
    return Constant(said == "yes") if said in ("yes", "no") else b.condition(shape.last_ten)


def _warnings(b: Builder, shape: TimerShape) -> Expression | None:
    if shape.warnings is None:
        return None
    if len(shape.warnings) == 1 and shape.warnings[0].text == "none":
        return Constant([])
    return Listing(tuple(("", b.duration(word)) for word in shape.warnings), keyed=False)


def _early(b: Builder, shape: EarlyShape, name: str) -> Early:
    question: Line | None = None
    hands: Expression | None = None
    if shape.hands is not None:
        hands = b.reference(shape.hands)
        if shape.ask is None:
            b.report.add("NS021", shape.place, key="ask")
    if shape.ask is not None:
        question = b.line(f"{name}/hands", shape.ask, "question")
    said = b.phrases(f"{name}/end-early", shape.hear)
    b.expects(shape.at("hear"), Expectation("phrase", "phrase", said))
    return Early(said, hands, question)


kind(TimerShape, timer, makes=(Timer,))
