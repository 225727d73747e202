"""A line that is spoken."""

from __future__ import annotations

from dataclasses import dataclass

from narrator.core.game import Line, Step
from narrator.core.machine import Trigger
from narrator.core.steps.context import StepContext
from narrator.core.steps.rule import Quiet, register


@dataclass(frozen=True, slots=True)
class Say(Step):
    """Speak a line and go on when its last sample was played."""

    line: Line


class SayRule(Quiet):
    """Speak, and go on when the last sample was played."""

    def begin(self, context: StepContext) -> None:
        """Speak the line."""
        step = context.step
        if isinstance(step, Say):
            context.enter(Trigger.SPEAK)
            context.state.awaited = context.say(step.line)
            context.listen()


register("say", Say, SayRule())
