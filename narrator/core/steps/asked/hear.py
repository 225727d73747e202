"""A phrase that is waited for."""

from __future__ import annotations

from dataclasses import dataclass

from narrator.core.expect import Expectation, Meaning
from narrator.core.game import Nudge, Step
from narrator.core.steps.asked import answers
from narrator.core.steps.asked.ask import (
    FLOOR,
    held_early,
    hold_early,
    is_open,
    nudge_again,
    open_answer,
)
from narrator.core.steps.context import StepContext
from narrator.core.steps.rule import Quiet, register
from narrator.core.values import Constant, Expression


@dataclass(frozen=True, slots=True)
class Hear(Step):
    """Wait for one of a few phrases."""

    phrases: tuple[str, ...]
    """hassil templates."""
    seat: Expression | None = None
    """Who is expected to say it; None: anybody."""
    not_before: Expression = Constant(0.0)
    """Seconds in which nothing counts."""
    nudge: Nudge | None = None


class HearRule(Quiet):
    """Wait for a phrase."""

    def begin(self, context: StepContext) -> None:
        """Listen."""
        step = context.step
        if isinstance(step, Hear):
            context.state.seat = context.text(step.seat) if step.seat else None
            open_answer(context, step.not_before, step.nudge)

    def timer(self, context: StepContext, name: str, kind: str) -> None:
        """Nudge, in the same words for every seat; go on where the phrase came before the floor."""
        step = context.step
        if name == FLOOR:
            self.answer(context, held_early(context))
        elif name == "nudge" and isinstance(step, Hear):
            nudge_again(context, step.nudge)

    def answer(self, context: StepContext, meaning: Meaning) -> None:
        """Go on; a phrase that came early was heard by everybody, and counts at the floor."""
        if not is_open(context):
            hold_early(context, meaning)
            return
        context.state.remember(context.now, teller=context.state.seat or "")
        context.over = True

    def expected(self, context: StepContext) -> tuple[Expectation, ...]:
        """Return the phrases."""
        step = context.step
        return (answers.phrase(step.phrases),) if isinstance(step, Hear) else ()

    def anything(self, context: StepContext) -> tuple[Expectation, ...]:
        """Return the same: it listens for one thing all the time."""
        return self.expected(context)


register("hear", Hear, HearRule())
