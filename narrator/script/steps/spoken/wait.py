"""`wait`: a silence that nobody can shorten or lengthen."""

from __future__ import annotations

import re
from typing import ClassVar

from narrator.core.game import Step
from narrator.core.steps.spoken.wait import Wait
from narrator.core.values import Constant, Expression
from narrator.script.compiler.builder import Builder, identifier
from narrator.script.expressions.compiled import With
from narrator.script.expressions.habits import joined
from narrator.script.reading.fields import Text, Truth
from narrator.script.steps.kind import StepShape, kind

_NAME = re.compile(r"[^\W\d]\w*")
"""A name in an expression."""


class WaitShape(StepShape):
    """A silence that nobody can shorten."""

    verb: ClassVar[str] = "wait"
    wait: Text
    private: Truth | None = None


def wait(b: Builder, shape: WaitShape) -> list[Step]:
    """`wait: duration`."""
    seconds = b.duration(shape.wait)
    lows = _lows(b, shape.wait)
    least: Expression = With(seconds, lows) if lows else Constant(0.0)
    private = True if lows and shape.private is None else shape.private
    return [Wait(b.name(shape), seconds, least, private)]


def _lows(b: Builder, written: Text) -> tuple[tuple[str, Expression], ...]:
    """Return the `from` of each option in a duration, by name."""
    words = set(_NAME.findall(joined(written.text, b.known)))
    return tuple(
        (
            identifier(name),
            b.duration(option.low) if option.kind.text == "duration" else b.value(option.low),
        )
        for name, option in (b.script.options or {}).items()
        if option.low is not None and identifier(name) in words
    )


kind(WaitShape, wait, makes=(Wait,))
