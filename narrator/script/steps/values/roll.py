"""`roll`: dice."""

from __future__ import annotations

from typing import ClassVar

from narrator.core.game import Step
from narrator.core.steps.values.roll import DICE, SIDES, Roll
from narrator.core.values import Constant
from narrator.script.compiler.builder import Builder
from narrator.script.reading.fields import Text
from narrator.script.steps.kind import StepShape, kind
from narrator.script.steps.values.bounds import whole_within

SIX = 6
"""Sides of a die where nothing else is said."""


class RollShape(StepShape):
    """Roll one die, or several."""

    verb: ClassVar[str] = "roll"
    roll: Text
    dice: Text | None = None
    sides: Text | None = None


def rolled(b: Builder, shape: RollShape) -> list[Step]:
    """`roll: variable`."""
    name = b.name(shape)
    sides = whole_within(b, shape.sides, SIDES, "sides a die has") if shape.sides else Constant(SIX)
    dice = whole_within(b, shape.dice, DICE, "dice are rolled") if shape.dice else None
    return [Roll(name, b.variable(shape.roll), sides, dice)]


kind(RollShape, rolled, makes=(Roll,))
