"""The masking sound."""

from __future__ import annotations

from dataclasses import dataclass

from narrator.core.game import Step
from narrator.core.steps.context import StepContext
from narrator.core.steps.rule import Quiet, register


@dataclass(frozen=True, slots=True)
class CoverStep(Step):
    """Start or stop the masking sound."""

    on: bool


class CoverRule(Quiet):
    """Switch the sound and go on."""

    def begin(self, context: StepContext) -> None:
        """Start or stop it."""
        step = context.step
        if isinstance(step, CoverStep):
            context.cover(step.on)
        context.over = True


register("cover", CoverStep, CoverRule())
