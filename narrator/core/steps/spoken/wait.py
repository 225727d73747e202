"""A silent window of fixed length."""

from __future__ import annotations

from dataclasses import dataclass

from narrator.core.game import Step
from narrator.core.library import clamp
from narrator.core.machine import Trigger
from narrator.core.steps.context import StepContext
from narrator.core.steps.rule import Quiet, register
from narrator.core.values import Expression

PACES = (0.5, 4.0)
"""The quickest and the slowest pace."""


@dataclass(frozen=True, slots=True)
class Wait(Step):
    """A silent window that nobody can shorten."""

    seconds: Expression


class WaitRule(Quiet):
    """A window of fixed length."""

    def begin(self, context: StepContext) -> None:
        """Open the window."""
        step = context.step
        if isinstance(step, Wait):
            context.enter(Trigger.WAIT)
            seconds = context.number(step.seconds) * _pace(context)
            context.state.start_timer("step", seconds, context.now)
            context.listen()

    def timer(self, context: StepContext, name: str, kind: str) -> None:
        """Close the window."""
        context.over = True

    def speech(self, context: StepContext) -> None:
        """A line repeated within the window was heard: the window starts again after it."""
        self.begin(context)


def _pace(context: StepContext) -> float:
    """Return what every window is lengthened by: the same for all, whatever happens in it."""
    chosen = context.state.settings.get("pace")
    return clamp(chosen, *PACES) if isinstance(chosen, (int, float)) else 1.0


register("wait", Wait, WaitRule())
