"""Values put into variables."""

from __future__ import annotations

from dataclasses import dataclass

from narrator.core.game import Step
from narrator.core.steps.context import StepContext
from narrator.core.steps.rule import Quiet, register
from narrator.core.values import Expression


@dataclass(frozen=True, slots=True)
class Set(Step):
    """Assigns values to variables, in order."""

    values: tuple[tuple[str, Expression], ...]


class SetRule(Quiet):
    """Assign values to variables."""

    def begin(self, context: StepContext) -> None:
        """Set each in order: a later one sees the earlier."""
        step = context.step
        if isinstance(step, Set):
            for name, expression in step.values:
                context.state.variables[name] = context.value(expression)
        context.over = True


register("set", Set, SetRule())
