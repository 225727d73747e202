"""A silent window of fixed length."""

from __future__ import annotations

from dataclasses import dataclass

from narrator.core.game import Step
from narrator.core.library import clamp
from narrator.core.machine import Trigger
from narrator.core.steps.context import StepContext
from narrator.core.steps.rule import Quiet, register
from narrator.core.steps.spoken.say import Say
from narrator.core.values import Constant, Expression

PACES = (0.5, 4.0)
"""The quickest and the slowest pace."""
LONGEST_WINDOW = 60.0
"""Seconds before the pace is applied: the longest window of a shipped game in which eyes are open
lasts 30 (One Missing Briefing). What takes longer while all can see each other is a break."""
BREATH = 5.0
"""Seconds: so long hands and cards get to come to rest; nobody acts in secret in such a wait."""


@dataclass(frozen=True, slots=True)
class Wait(Step):
    """A silent window that nobody can shorten or lengthen."""

    seconds: Expression
    least: Expression = Constant(0.0)
    """Seconds that it lasts at any pace, where it is written to be as long or longer."""
    private: bool | None = None
    """Whether somebody acts in secret in it, so that the lines around it are not cut off; None:
    where it is longer than a breath."""


class WaitRule(Quiet):
    """A window of fixed length."""

    def begin(self, context: StepContext) -> None:
        """Open the window."""
        step = context.step
        if isinstance(step, Wait):
            context.enter(Trigger.WAIT)
            seconds = length(context, step)
            context.state.timed, context.state.instruction = seconds, []
            said = str(context.state.utterance)
            context.state.start_timer("step", seconds, context.now, kind=said)
            context.state.passed += seconds
            context.listen()

    def timer(self, context: StepContext, name: str, kind: str) -> None:
        """Close the window to the moment: what was answered in it may still be being said."""
        if kind and kind != str(context.state.utterance):
            context.hush()
        context.over = True


def length(context: StepContext, step: Wait) -> float:
    """Return the seconds that a window lasts at the pace of this table."""
    written = context.number(step.seconds)
    least = min(written, context.number(step.least))
    return max(least, written * _pace(context))


def holds_still(context: StepContext) -> bool:
    """Whether nothing may be held up now: a fixed window is open, or a line that opens or closes a
    private one is being said, at which eyes are about to open or to close.
    """
    step = context.step
    if context.state.moderator.is_standing_still:
        return False
    if isinstance(step, Wait):
        return context.state.moderator.is_waiting and _is_fixed(context, step)
    return isinstance(step, Say) and (_is_private(context, -1) or opens_private(context))


def opens_private(context: StepContext) -> bool:
    """Whether the next step is a private window."""
    return _is_private(context, 1)


def _is_private(context: StepContext, away: int) -> bool:
    """Whether the step so many places further in this block is a private window."""
    frame = context.state.stack[-1]
    steps, index = context.program.blocks[frame.block], frame.index + away
    step = steps[index] if 0 <= index < len(steps) else None
    if not isinstance(step, Wait) or not _is_fixed(context, step):
        return False
    return context.number(step.seconds) > BREATH if step.private is None else step.private


def _is_fixed(context: StepContext, step: Wait) -> bool:
    """Whether nobody may lengthen a wait; a long one by day is a break, which can be paused."""
    return context.phase.eyes_closed or context.number(step.seconds) <= LONGEST_WINDOW


def _pace(context: StepContext) -> float:
    """Return what every window is lengthened by: the same for all, whatever happens in it."""
    chosen = context.state.settings.get("pace")
    return clamp(chosen, *PACES) if isinstance(chosen, (int, float)) else 1.0


register("wait", Wait, WaitRule())
