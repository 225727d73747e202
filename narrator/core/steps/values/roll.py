"""Dice."""

from __future__ import annotations

from dataclasses import dataclass

from narrator.core.game import Step
from narrator.core.state import draw
from narrator.core.steps.context import StepContext
from narrator.core.steps.rule import Quiet, register
from narrator.core.values import Expression, Value

SIDES = (2, 1_000)
"""Sides of a die, least and most: a coin, and more than any die that is sold."""
DICE = (1, 100)
"""Dice rolled at once, least and most: more than anybody can hold."""


@dataclass(frozen=True, slots=True)
class Roll(Step):
    """Roll dice."""

    variable: str
    """Gets the number, or the list of numbers."""
    sides: Expression
    dice: Expression | None = None
    """How many, as a list; None: one, its number alone."""


class RollRule(Quiet):
    """Roll, and go on at once."""

    def begin(self, context: StepContext) -> None:
        """Set what was rolled."""
        step = context.step
        if isinstance(step, Roll):
            _roll(context, step)
        context.over = True


def _roll(context: StepContext, step: Roll) -> None:
    sides = _within(context, context.whole(step.sides, 6), SIDES, "sides")
    dice = _within(context, context.whole(step.dice, 1), DICE, "dice") if step.dice else 1
    rolled: list[Value] = []
    for _ in range(dice):
        number, context.state.chance = draw(context.state.chance, sides)
        rolled.append(number + 1)
    context.state.variables[step.variable] = rolled if step.dice else rolled[0]


def _within(context: StepContext, number: int, bounds: tuple[int, int], what: str) -> int:
    low, high = bounds
    if not low <= number <= high:
        context.show_fault(f"a roll has {low} to {high} {what}, not {number}")
    return max(low, min(high, number))


register("roll", Roll, RollRule())
