"""A silent window of fixed length."""

from __future__ import annotations

from dataclasses import dataclass

from narrator.core.game import Step
from narrator.core.library import clamp
from narrator.core.machine import Trigger
from narrator.core.steps.context import StepContext
from narrator.core.steps.rule import Quiet, register
from narrator.core.values import Constant, Expression

PACES = (0.5, 4.0)
"""The quickest and the slowest pace."""


@dataclass(frozen=True, slots=True)
class Wait(Step):
    """A silent window that nobody can shorten or lengthen."""

    seconds: Expression
    least: Expression = Constant(0.0)
    """Seconds that it lasts at any pace."""


class WaitRule(Quiet):
    """A window of fixed length."""

    def begin(self, context: StepContext) -> None:
        """Open the window."""
        step = context.step
        if isinstance(step, Wait):
            context.enter(Trigger.WAIT)
            least = context.number(step.least)
            seconds = max(least, context.number(step.seconds) * _pace(context))
            context.state.timed = seconds
            said = str(context.state.utterance)
            context.state.start_timer("step", seconds, context.now, kind=said)
            context.state.passed += seconds
            context.listen()

    def timer(self, context: StepContext, name: str, kind: str) -> None:
        """Close the window to the moment: what was answered in it may still be being said."""
        if kind and kind != str(context.state.utterance):
            context.hush()
        context.over = True


def _pace(context: StepContext) -> float:
    """Return what every window is lengthened by: the same for all, whatever happens in it."""
    chosen = context.state.settings.get("pace")
    return clamp(chosen, *PACES) if isinstance(chosen, (int, float)) else 1.0


register("wait", Wait, WaitRule())
