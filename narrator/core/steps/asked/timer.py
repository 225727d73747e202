"""The public timer: introduction, warnings, more time, an early end by majority."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

from narrator.core.effects import CountDown, Hush, Say
from narrator.core.expect import Expectation, Meaning
from narrator.core.game import Line, Step
from narrator.core.machine import Trigger
from narrator.core.steps.asked import answers
from narrator.core.steps.context import StepContext
from narrator.core.steps.rule import Quiet, register
from narrator.core.values import Expression

EARLY = 0.05
"""Seconds before which nothing more can be placed."""
MARGIN = 0.5
"""Seconds by which a warning must lie ahead to be worth saying."""
HALF_FROM = 240.0
"""Seconds from which on half time is told (RULES, section 6)."""
FIXED_WARNINGS = (60.0, 30.0, 10.0)
LEAST_LEFT = 10.0
"""Seconds that a timer has at least when the table went back over it."""
LAST = 10
"""Seconds that are counted aloud where the last ten are."""
AHEAD = 0.6
"""Seconds before the first number is heard at which it is planned."""
COUNT = "count"
"""Timer that runs while numbers are being said, and kind of the one that begins it."""
LAST_TEN = "last_ten"
"""Option that every game with a timer has."""


@dataclass(frozen=True, slots=True)
class Early:
    """How the table may end a timer before its time."""

    phrases: tuple[str, ...] = ()
    """hassil templates; said once is enough, unless `hands` is given."""
    hands: Expression | None = None
    """How many hands it takes; the number raised is asked for and said."""
    question: Line | None = None
    """Asks how many hands are up."""


@dataclass(frozen=True, slots=True)
class Timer(Step):
    """A public countdown of time; starts when its introduction was heard."""

    marks_its_end: ClassVar[bool] = True

    seconds: Expression
    line: Line | None = None
    warnings: Expression | None = None
    """A list of seconds left at which to speak; None: half (from four minutes on), 60, 30, 10."""
    early: Early | None = None
    ended: Line | None = None
    """Said when the time is over, not when it was ended early."""
    seat: Expression | None = None
    """Whose time it is; None: everybody's."""
    cut_short: bool = True
    """Whether a command may end it before its time."""
    last_ten: Expression | None = None
    """Whether its last ten seconds are counted aloud; None: as the table chose."""
    elapsed: str = ""
    """Variable that gets the seconds it ran, in whole; empty: none."""
    remaining: str = ""
    """Variable that gets the seconds it had left, in whole; empty: none."""


def warnings_of(context: StepContext, step: Timer, seconds: float) -> list[float]:
    """Return the seconds left at which to speak, the longest first."""
    if step.warnings is None:
        half = [seconds / 2] if seconds >= HALF_FROM else []
        marks = [*half, *FIXED_WARNINGS]
    else:
        marks = [float(w) for w in context.items(step.warnings) if isinstance(w, (int, float))]
    least = LAST if counts(context, step) else 0
    return sorted({m for m in marks if least < m < seconds}, reverse=True)


def counts(context: StepContext, step: Timer) -> bool:
    """Whether the last ten seconds are counted aloud."""
    if step.last_ten is None:
        return context.state.settings.get(LAST_TEN) is True
    return context.value(step.last_ten) is True


def _timer_key(context: StepContext) -> str:
    return f"{context.path}/{context.state.seat or ''}"


def timer_used(context: StepContext) -> dict[str, float]:
    """Return what the timer that runs has used, by its path and seat: nothing where none runs."""
    timer = context.state.timers.get("step")
    if not isinstance(context.step, Timer) or timer is None:
        return {}
    return {_timer_key(context): max(0.0, context.state.timed - timer.left(context.now))}


def _keep_used(context: StepContext, used: dict[str, float]) -> None:
    """Remember what a timer that ends has used, in case an undo goes back over it."""
    context.state.spent |= used
    context.state.passed += sum(used.values())


class TimerRule(Quiet):
    """A public timer."""

    def begin(self, context: StepContext) -> None:
        """Introduce it; the time starts when the introduction was heard."""
        step = context.step
        if not isinstance(step, Timer):
            return
        context.state.seat = context.text(step.seat) if step.seat else None
        context.state.timed = context.number(step.seconds)
        _set_times(context, step, context.state.timed)  # it may be skipped before it runs
        if step.line is None:
            self._run(context, step)
            return
        context.enter(Trigger.INTRODUCE)
        context.state.awaited = context.say(step.line)
        context.listen()

    def speech(self, context: StepContext) -> None:
        """Start after the introduction, go on after the last line."""
        step = context.step
        if isinstance(step, Timer) and context.state.moderator.is_introducing:
            self._run(context, step)
        else:
            context.over = True

    def _run(self, context: StepContext, step: Timer) -> None:
        seconds = context.state.timed
        used = context.state.used.pop(_timer_key(context), 0.0)
        left = max(min(seconds, LEAST_LEFT), seconds - used)
        context.enter(Trigger.TIME)
        context.state.awaited = 0
        context.state.start_timer("step", left, context.now, kind=str(seconds))
        plan_warning(context)
        context.listen(self.expected(context))

    def timer(self, context: StepContext, name: str, kind: str) -> None:
        """Warn, ask for the hands again, or end."""
        step = context.step
        if not isinstance(step, Timer):
            return
        if name == "warning" and kind == COUNT:
            plan_warning(context)
        elif name == "warning":
            context.tell("time_left", "narration", seconds=round(float(kind)))
            plan_warning(context)
        elif name == "hands":
            self.ask_hands(context, step)
        elif name == "step":
            self._end(context, step)

    def _end(self, context: StepContext, step: Timer) -> None:
        note_time(context, at_its_end=True)
        _keep_used(context, {_timer_key(context): context.state.timed})
        context.state.timers.clear()
        context.state.instruction = []
        context.cue("time")
        if step.ended is None:
            context.over = True
            return
        context.enter(Trigger.SPEAK)
        context.state.awaited = context.say(step.ended)
        context.listen()

    def answer(self, context: StepContext, meaning: Meaning) -> None:
        """Somebody wants to stop, or the hands were counted."""
        step = context.step
        if not isinstance(step, Timer) or step.early is None:
            return
        if context.state.moderator.is_counting_hands:
            self._counted(context, step, meaning)
        elif step.early.hands is None:
            self.end_early(context)
        else:
            self.ask_hands(context, step)

    def ask_hands(self, context: StepContext, step: Timer) -> None:
        """Ask how many want to stop; the time runs on meanwhile."""
        note_time(context)
        context.enter(Trigger.ASK_HANDS)
        if step.early is not None and step.early.question is not None:
            context.hush()
            context.say(step.early.question, remember=False)
        else:
            context.tell("how_many_hands", "question")
        context.state.start_timer("hands", 20.0, context.now)
        context.listen(self.expected(context))

    def _counted(self, context: StepContext, step: Timer, meaning: Meaning) -> None:
        early = step.early
        needed = context.number(early.hands) if early and early.hands else 0
        context.state.timers.pop("hands", None)
        if isinstance(meaning.value, (int, float)) and meaning.value >= needed:
            self.end_early(context)
            return
        context.enter(Trigger.TIME)
        context.tell("hands_not_enough", needed=int(needed))
        plan_warning(context)
        context.listen(self.expected(context))

    def end_early(self, context: StepContext) -> None:
        """End before the time, as the table decided."""
        context.state.remember(context.now)
        note_time(context)
        _keep_used(context, timer_used(context))
        context.state.timers.clear()
        context.over = True

    def expected(self, context: StepContext) -> tuple[Expectation, ...]:
        """Return the early end's phrase, or the number of hands."""
        step = context.step
        if not isinstance(step, Timer) or step.early is None:
            return ()
        if context.state.moderator.is_counting_hands:
            return (answers.hands(context),)
        return answers.of_early(step.early) if context.state.moderator.is_timing else ()

    def anything(self, context: StepContext) -> tuple[Expectation, ...]:
        """Return the early end's phrase."""
        early = context.step.early if isinstance(context.step, Timer) else None
        return answers.of_early(early) if early else ()

    def again(self, context: StepContext) -> None:
        """Repeat the introduction or the end where it was cut; a running timer says its time."""
        if context.state.awaited:
            super().again(context)
        else:
            tell_time(context)


def note_time(context: StepContext, *, at_its_end: bool = False) -> None:
    """Set the variables that hold how long the timer ran and how long it had left.

    A timer that is over ran its whole time, however late its end is noticed.
    """
    step, timer = context.step, context.state.timers.get("step")
    if isinstance(step, Timer) and (timer or at_its_end):
        _set_times(context, step, timer.left(context.now) if timer and not at_its_end else 0.0)


def _set_times(context: StepContext, step: Timer, left: float) -> None:
    whole, variables = context.state.timed, context.state.variables
    if step.elapsed:
        variables[step.elapsed] = round(whole - left)
    if step.remaining:
        variables[step.remaining] = round(whole) - round(whole - left)


def plan_warning(context: StepContext) -> None:
    """Set the timer of the next warning, if there is one."""
    step, state = context.step, context.state
    timer = state.timers.get("step")
    if not isinstance(step, Timer) or timer is None:
        return
    state.timers.pop(COUNT, None)
    left = timer.left(context.now)
    marks = warnings_of(context, step, float(timer.kind or left))
    following = [m for m in marks if m < left - MARGIN]
    if following:
        state.start_timer("warning", left - following[0], context.now, kind=str(following[0]))
        return
    state.timers.pop("warning", None)
    if counts(context, step):
        _plan_count(context, left)


def _plan_count(context: StepContext, left: float) -> None:
    """Count what is left of the last ten seconds, or set the timer that begins it."""
    if left > LAST + AHEAD + EARLY:
        context.state.start_timer("warning", left - LAST - AHEAD, context.now, kind=COUNT)
    elif _is_free_to_count(context):
        words = tuple(context.own("last_ten").replace(",", " ").split())
        ten = context.now + left - LAST
        count = CountDown(context.state.utterance + 1, words, 1.0, "own/last_ten", ten)
        words, begins = count.following(context.now + EARLY)
        if words:
            context.state.utterance += 1
            context.effects.append(replace(count, words=words, begins=begins))
            context.state.start_timer(COUNT, max(0.0, left - EARLY), context.now)


def _is_free_to_count(context: StepContext) -> bool:
    moderator = context.state.moderator
    return moderator.is_timing and not moderator.is_paused


def give_way(context: StepContext, before: int) -> None:
    """Silence the count while something else is said, and continue it afterwards.

    It is called while numbers are being said; what was said since the utterance `before` came in
    between.
    """
    state = context.state
    said = [i for i, e in enumerate(context.effects) if isinstance(e, Say) and e.utterance > before]
    hushed = any(isinstance(effect, Hush) for effect in context.effects)
    if not said and not hushed:
        return
    if not hushed:
        context.effects.insert(said[0], Hush())
    if "step" in state.timers and not state.moderator.is_standing_still:
        plan_warning(context)


def more_time(context: StepContext, seconds: float) -> None:
    """Give the running timer more time and schedule its warnings again."""
    timer = context.state.timers["step"]
    context.state.timed += seconds
    if timer.due is None:
        timer.remaining += seconds
    else:
        timer.due += seconds
    plan_warning(context)
    tell_time(context)


def tell_time(context: StepContext) -> None:
    """Say how much time is left."""
    timer = context.state.timers.get("step")
    if isinstance(context.step, Timer) and timer is not None:
        context.tell("time_left", seconds=round(timer.left(context.now)))
    else:
        context.tell("no_timer")


register("timer", Timer, TimerRule())
