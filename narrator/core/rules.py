"""What each kind of step does when it begins and when something happens: speech, waits, silent
steps.
"""

from __future__ import annotations

from typing import Protocol

from narrator.core import flow, scoring
from narrator.core.context import StepContext
from narrator.core.effects import CountDown
from narrator.core.expect import Expectation, Meaning
from narrator.core.game import (
    Again,
    Countdown,
    CoverStep,
    CueStep,
    End,
    Say,
    Score,
    Scoring,
    Set,
    Wait,
)
from narrator.core.library import clamp
from narrator.core.machine import Trigger
from narrator.core.values import ExpressionError, Value

PACES = (0.5, 4.0)
"""The quickest and the slowest pace."""


class Rule(Protocol):
    """How one kind of step behaves. A rule that is done sets `moment.over`."""

    def begin(self, context: StepContext) -> None:
        """Start the step."""
        ...

    def speech(self, context: StepContext) -> None:
        """The line that was awaited has been heard."""
        ...

    def timer(self, context: StepContext, name: str, kind: str) -> None:
        """A timer of the step is due."""
        ...

    def answer(self, context: StepContext, meaning: Meaning) -> None:
        """Something expected was said."""
        ...

    def expected(self, context: StepContext) -> tuple[Expectation, ...]:
        """Return what may be said at the stage the step is at, commands aside."""
        ...

    def again(self, context: StepContext) -> None:
        """Say once more what was cut off, after a pause or an undo."""
        ...


class Quiet:
    """A rule that does nothing; the base of those that need only part of it."""

    def begin(self, context: StepContext) -> None:
        """Be over at once."""
        context.over = True

    def speech(self, context: StepContext) -> None:
        """Go on."""
        context.over = True

    def timer(self, context: StepContext, name: str, kind: str) -> None:
        """Have no timer."""

    def answer(self, context: StepContext, meaning: Meaning) -> None:
        """Expect nothing."""

    def expected(self, context: StepContext) -> tuple[Expectation, ...]:
        """Expect nothing."""
        return ()

    def again(self, context: StepContext) -> None:
        """Speak the line that was awaited once more."""
        if context.state.awaited and context.state.last is not None:
            context.state.awaited = context.speak(context.state.last)


class SayRule(Quiet):
    """Speak, and go on when the last sample was played."""

    def begin(self, context: StepContext) -> None:
        """Speak the line."""
        step = context.step
        if isinstance(step, Say):
            context.enter(Trigger.SPEAK)
            context.state.awaited = context.say(step.line)
            context.listen()


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
        """A line repeated within the window was heard: the window starts anew behind it."""
        self.begin(context)


def _pace(context: StepContext) -> float:
    """Return what every window is lengthened by: the same for all, whatever happens in it."""
    chosen = context.state.settings.get("pace")
    return clamp(chosen, *PACES) if isinstance(chosen, (int, float)) else 1.0


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
        context.effects.append(CountDown(context.state.utterance, words, beat, step.line.id))


class SetRule(Quiet):
    """Put values into variables."""

    def begin(self, context: StepContext) -> None:
        """Set each in order: a later one sees the earlier."""
        step = context.step
        if isinstance(step, Set):
            for name, expression in step.values:
                context.state.variables[name] = context.value(expression)
        context.over = True


class ScoreRule(Quiet):
    """Apply a scoring of the script."""

    def begin(self, context: StepContext) -> None:
        """Set what the scoring gives and add its points to the totals."""
        step = context.step
        if isinstance(step, Score):
            self._apply(context, step.scoring, step.adds)
        context.over = True

    def _apply(self, context: StepContext, what: Scoring, adds: bool) -> None:
        try:
            outcome = scoring.apply(what, context.scope())
        except ExpressionError as fault:
            context.show_fault(str(fault))
            return
        if outcome.refused:
            context.show_fault(outcome.refused)
        context.state.variables.update(outcome.values)
        if adds:
            _add(context.state.totals, outcome.values.get("points"))


class AgainRule(Quiet):
    """A round that does not count."""

    def begin(self, context: StepContext) -> None:
        """Go back to the beginning of the run."""
        step = context.step
        if isinstance(step, Again):
            flow.again(context, step)
        context.over = True


class EndRule(Quiet):
    """The end of the game."""

    def begin(self, context: StepContext) -> None:
        """Finish with the script's result."""
        if isinstance(context.step, End):
            flow.finish(context)


class SoundRule(Quiet):
    """Cues and cover sound."""

    def begin(self, context: StepContext) -> None:
        """Return the sound and go on."""
        step = context.step
        if isinstance(step, CueStep):
            context.cue(step.cue)
        elif isinstance(step, CoverStep):
            context.cover(step.on)
        context.over = True


def _add(totals: dict[str, Value], points: Value) -> None:
    if not isinstance(points, dict):
        return
    for seat, more in points.items():
        before = totals.get(seat, 0)
        if isinstance(before, (int, float)) and isinstance(more, (int, float)):
            totals[seat] = before + more
