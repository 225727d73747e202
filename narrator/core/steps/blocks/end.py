"""The end of the game."""

from __future__ import annotations

from dataclasses import dataclass

from narrator.core.game import Step
from narrator.core.steps.blocks import flow
from narrator.core.steps.context import StepContext
from narrator.core.steps.program import Program
from narrator.core.steps.rule import Quiet, register


@dataclass(frozen=True, slots=True)
class End(Step):
    """Finish the game here."""

    def after(self, program: Program, following: tuple[str, ...]) -> tuple[str, ...]:
        """Return the end."""
        return ("",)


class EndRule(Quiet):
    """The end of the game."""

    def begin(self, context: StepContext) -> None:
        """Finish with the script's result."""
        if isinstance(context.step, End):
            flow.finish(context)


register("end", End, EndRule())
