"""`wait`: a silence that nobody can shorten or lengthen."""

from __future__ import annotations

import re
from typing import ClassVar

from narrator.core.game import Step
from narrator.core.steps.spoken.wait import Wait
from narrator.core.values import Constant, Expression
from narrator.script.compiler.builder import Builder, identifier
from narrator.script.reading.fields import Text
from narrator.script.steps.kind import StepShape, kind

_OPTION = re.compile(r"^\{\{\s*(\w+)\s*\}\}s?$")
"""A duration that is an option of the game."""


class WaitShape(StepShape):
    """A silence that nobody can shorten."""

    verb: ClassVar[str] = "wait"
    wait: Text


def wait(b: Builder, shape: WaitShape) -> list[Step]:
    """`wait: duration`."""
    return [Wait(b.name(shape), b.duration(shape.wait), _least(b, shape.wait))]


def _least(b: Builder, duration: Text) -> Expression:
    """Return the least that a window lasts: the option's `from`, where one is its length."""
    named = _OPTION.match(duration.text.strip())
    for name, option in (b.script.options or {}).items():
        if named and identifier(name) == named[1] and option.low is not None:
            return b.duration(option.low)
    return Constant(0.0)


kind(WaitShape, wait, makes=(Wait,))
