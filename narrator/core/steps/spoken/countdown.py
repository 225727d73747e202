"""Words on the beat."""

from __future__ import annotations

from dataclasses import dataclass

from narrator.core.effects import CountDown
from narrator.core.game import SECOND, Line, Step
from narrator.core.machine import Trigger
from narrator.core.steps.context import StepContext
from narrator.core.steps.rule import Quiet, register
from narrator.core.values import Expression


@dataclass(frozen=True, slots=True)
class Countdown(Step):
    """Words one beat apart, placed by the sample."""

    line: Line
    """Its text gives the words, separated by commas or white space."""
    beat: Expression = SECOND


class CountdownRule(Quiet):
    """Words on the beat."""

    def begin(self, context: StepContext) -> None:
        """Count."""
        context.enter(Trigger.COUNT)
        context.listen()
        self._count(context)

    def again(self, context: StepContext) -> None:
        """Count once more from the first word."""
        self._count(context)

    def _count(self, context: StepContext) -> None:
        step = context.step
        if not isinstance(step, Countdown):
            return
        words = tuple(context.text(step.line.text).replace(",", " ").split())
        context.state.utterance += 1
        context.state.awaited = context.state.utterance
        beat = context.number(step.beat, 1.0)
        context.state.instruction = []
        context.effects.append(CountDown(context.state.utterance, words, beat, step.line.id))


register("countdown", Countdown, CountdownRule())
