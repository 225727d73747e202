"""A short sound."""

from __future__ import annotations

from dataclasses import dataclass

from narrator.core.game import Step
from narrator.core.steps.context import StepContext
from narrator.core.steps.rule import Quiet, register


@dataclass(frozen=True, slots=True)
class CueStep(Step):
    """Play a short sound."""

    cue: str


class CueRule(Quiet):
    """Play the sound and go on."""

    def begin(self, context: StepContext) -> None:
        """Play it."""
        step = context.step
        if isinstance(step, CueStep):
            context.cue(step.cue)
        context.over = True


register("cue", CueStep, CueRule())
