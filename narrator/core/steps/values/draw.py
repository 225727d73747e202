"""Things drawn by chance, from a list or all of it: cards, names, an order."""

from __future__ import annotations

from dataclasses import dataclass

from narrator.core.game import Step
from narrator.core.state import State, draw
from narrator.core.steps.context import StepContext
from narrator.core.steps.rule import Quiet, register
from narrator.core.values import Expression, Value


@dataclass(frozen=True, slots=True)
class Draw(Step):
    """Draw from a list without putting anything back."""

    variable: str
    """Gets what was drawn."""
    items: Expression
    count: Expression | None = None
    """How many are drawn, as a list; None: one, alone."""
    whole: bool = False
    """Whether the whole list is drawn: it is shuffled."""
    rest: str = ""
    """Variable that gets what is left, in its order; empty: none."""


def chosen(state: State, items: list[Value], count: int) -> tuple[list[Value], list[Value]]:
    """Draw so many of a list.

    Args:
        state: Whose chance decides; it moves on, and is stored and undone with the rest.
        items: What is drawn from; it stays as it is.
        count: How many, at most all.

    Returns:
        What was drawn, in the order of drawing, and what is left, in the list's order.
    """
    left, drawn = list(items), []
    for _ in range(min(count, len(items))):
        index, state.chance = draw(state.chance, len(left))
        drawn.append(left.pop(index))
    return drawn, left


class DrawRule(Quiet):
    """Draw, and go on at once."""

    def begin(self, context: StepContext) -> None:
        """Set what was drawn and what is left."""
        step = context.step
        if isinstance(step, Draw):
            _draw(context, step)
        context.over = True


def _draw(context: StepContext, step: Draw) -> None:
    items, variables = context.items(step.items), context.state.variables
    wanted = len(items) if step.whole else context.whole(step.count, 1) if step.count else 1
    if not 0 <= wanted <= len(items):
        context.show_fault(f"{wanted} should be drawn from a list of {len(items)}")
    drawn, left = chosen(context.state, items, max(0, wanted))
    one = step.count is None and not step.whole
    variables[step.variable] = next(iter(drawn), None) if one else drawn
    if step.rest:
        variables[step.rest] = left


register("draw", Draw, DrawRule())
