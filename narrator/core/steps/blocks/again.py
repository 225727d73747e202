"""A run that begins once more."""

from __future__ import annotations

from dataclasses import dataclass

from narrator.core.game import Step
from narrator.core.steps.blocks import flow
from narrator.core.steps.context import StepContext
from narrator.core.steps.program import Program
from narrator.core.steps.rule import Quiet, register


@dataclass(frozen=True, slots=True)
class Again(Step):
    """Start an enclosing loop's run, the phase or an earlier one from its beginning: a spoiled
    round, or the next night.
    """

    target: str
    """Path of the enclosing step, or a phase."""

    def after(self, program: Program, following: tuple[str, ...]) -> tuple[str, ...]:
        """Return where the phase or the run begins."""
        if self.target in program.phases:
            return program.first_of_phase(self.target)
        return program.first_of_block(self.target, following)


class AgainRule(Quiet):
    """A round that does not count."""

    def begin(self, context: StepContext) -> None:
        """Go back to the beginning of the run."""
        step = context.step
        if isinstance(step, Again):
            flow.again(context, step.target)
        context.over = True


register("again", Again, AgainRule())
