"""`repeat`: steps, a number of times or until something holds."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from narrator.core.game import Step
from narrator.core.steps.blocks.repeat import Repeat
from narrator.core.values import Expression
from narrator.script.compiler.builder import Builder, ends
from narrator.script.reading.fields import Text
from narrator.script.reading.nodes import Scalar
from narrator.script.steps.blocks.spoiled import SpoiledShape, called_off
from narrator.script.steps.kind import StepShape, kind

if TYPE_CHECKING:
    from narrator.script.reading.models import AnyStep


class RepeatShape(StepShape):
    """Steps, a number of times or until something holds."""

    verb: ClassVar[str] = "repeat"
    repeat: Text | None = None
    until: Text | None = None
    count: Text | None = None
    spoiled: SpoiledShape | None = None
    steps: list[AnyStep]


def repeat(b: Builder, shape: RepeatShape) -> list[Step]:
    """`repeat: times`, or `repeat:` with `until:`."""
    name = b.name(shape)
    times: Expression | None = None
    if shape.repeat is not None and shape.repeat.text.strip():
        times = b.reference(shape.repeat)
        _sane_times(b, shape.repeat)
    counter = b.variable(shape.count) if shape.count else ""
    with b.inside(name):
        steps = b.steps(shape.steps, name)
    until = b.condition(shape.until) if shape.until else None
    spoiled = called_off(b, shape.spoiled, name, steps) if shape.spoiled else None
    if times is None and until is None and not ends(steps):
        b.report.add("NS061", shape.place, why="it is repeated without end",
                     cure="Say how often (`repeat: 4`), or add `until:`.")  # fmt: skip
    return [Repeat(name, steps, times, until, counter, spoiled)]


MOST_RUNS = 1_000
"""Runs of a loop whose number is written out: nobody plays a thousand rounds in an evening."""


def _sane_times(b: Builder, times: Scalar) -> None:
    if not times.text.lstrip("-").isdecimal():
        return
    # A number of thousands of digits is one that Python itself refuses to read.
    if len(times.text) > len(str(MOST_RUNS)) or not 1 <= int(times.text) <= MOST_RUNS:
        what = f"Steps are repeated between 1 and {MOST_RUNS} times"
        b.report.add("NS027", times.place, what=what)


kind(RepeatShape, repeat, makes=(Repeat,))
