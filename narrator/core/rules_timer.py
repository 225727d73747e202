"""The public timer: introduction, warnings, more time, an early end by majority."""

from __future__ import annotations

from dataclasses import replace

from narrator.core import answers
from narrator.core.effects import CountDown, Hush, Say
from narrator.core.expect import Expectation, Meaning
from narrator.core.game import Timer
from narrator.core.moment import Moment
from narrator.core.rules import Quiet

EARLY = 0.05
"""Seconds before which nothing more can be placed."""
MARGIN = 0.5
"""Seconds by which a warning must lie ahead to be worth saying."""
HALF_FROM = 240.0
"""Seconds from which on half time is told (RULES, section 6)."""
FIXED_WARNINGS = (60.0, 30.0, 10.0)
LAST = 10
"""Seconds that are counted aloud where the last ten are."""
AHEAD = 0.6
"""Seconds before the first number is heard at which it is planned."""
COUNT = "count"
"""Timer that runs while numbers are being said, and kind of the one that begins it."""
LAST_TEN = "last_ten"
"""Option that every game with a timer has."""


def warnings_of(moment: Moment, step: Timer, seconds: float) -> list[float]:
    """Give the seconds left at which to speak, the longest first."""
    if step.warnings is None:
        half = [seconds / 2] if seconds >= HALF_FROM else []
        marks = [*half, *FIXED_WARNINGS]
    else:
        marks = [float(w) for w in moment.items(step.warnings) if isinstance(w, (int, float))]
    least = LAST if counts(moment, step) else 0
    return sorted({m for m in marks if least < m < seconds}, reverse=True)


def counts(moment: Moment, step: Timer) -> bool:
    """Tell whether the last ten seconds are counted aloud."""
    if step.last_ten is None:
        return moment.state.settings.get(LAST_TEN) is True
    return moment.value(step.last_ten) is True


class TimerRule(Quiet):
    """A public timer."""

    def begin(self, moment: Moment) -> None:
        """Introduce it; the time starts when the introduction was heard."""
        step = moment.step
        if not isinstance(step, Timer):
            return
        moment.state.seat = moment.text(step.seat) if step.seat else None
        if step.line is None:
            self._run(moment, step)
            return
        moment.state.stage = "introducing"
        moment.state.awaited = moment.say(step.line)
        moment.listen()

    def speech(self, moment: Moment) -> None:
        """Start after the introduction, go on after the last line."""
        step = moment.step
        if isinstance(step, Timer) and moment.state.stage == "introducing":
            self._run(moment, step)
        elif moment.state.stage == "ending":
            moment.over = True

    def _run(self, moment: Moment, step: Timer) -> None:
        seconds = moment.number(step.seconds)
        moment.state.stage, moment.state.awaited = "running", 0
        moment.state.start_timer("step", seconds, moment.now, kind=str(seconds))
        plan_warning(moment)
        moment.listen(self.expected(moment))

    def timer(self, moment: Moment, name: str, kind: str) -> None:
        """Warn, ask for the hands again, or end."""
        step = moment.step
        if not isinstance(step, Timer):
            return
        if name == "warning" and kind == COUNT:
            plan_warning(moment)
        elif name == "warning":
            moment.tell("time_left", "narration", seconds=round(float(kind)))
            plan_warning(moment)
        elif name == "hands":
            self.ask_hands(moment, step)
        elif name == "step":
            self._end(moment, step)

    def _end(self, moment: Moment, step: Timer) -> None:
        moment.state.timers.clear()
        moment.cue("time")
        if step.ended is None:
            moment.over = True
            return
        moment.state.stage = "ending"
        moment.state.awaited = moment.say(step.ended)
        moment.listen()

    def answer(self, moment: Moment, meaning: Meaning) -> None:
        """Somebody wants to stop, or the hands were counted."""
        step = moment.step
        if not isinstance(step, Timer) or step.early is None:
            return
        if moment.state.stage == "hands":
            self._counted(moment, step, meaning)
        elif step.early.hands is None:
            self.end_early(moment)
        else:
            self.ask_hands(moment, step)

    def ask_hands(self, moment: Moment, step: Timer) -> None:
        """Ask how many want to stop; the time runs on meanwhile."""
        moment.state.stage = "hands"
        if step.early is not None and step.early.question is not None:
            moment.hush()
            moment.say(step.early.question, remember=False)
        else:
            moment.tell("how_many_hands", "question")
        moment.state.start_timer("hands", 20.0, moment.now)
        moment.listen(self.expected(moment))

    def _counted(self, moment: Moment, step: Timer, meaning: Meaning) -> None:
        early = step.early
        needed = moment.number(early.hands) if early and early.hands else 0
        moment.state.timers.pop("hands", None)
        if isinstance(meaning.value, (int, float)) and meaning.value >= needed:
            self.end_early(moment)
            return
        moment.state.stage = "running"
        moment.tell("hands_not_enough", needed=int(needed))
        plan_warning(moment)
        moment.listen(self.expected(moment))

    def end_early(self, moment: Moment) -> None:
        """End before the time, as the table decided."""
        moment.state.remember(moment.now)
        moment.state.timers.clear()
        moment.over = True

    def expected(self, moment: Moment) -> tuple[Expectation, ...]:
        """Give the early end's phrase, or the number of hands."""
        step = moment.step
        if not isinstance(step, Timer) or step.early is None:
            return ()
        if moment.state.stage == "hands":
            return (answers.hands(moment),)
        return answers.of_early(step.early) if moment.state.stage == "running" else ()

    def again(self, moment: Moment) -> None:
        """Repeat the introduction or the end where it was cut; a running timer says its time."""
        if moment.state.awaited:
            super().again(moment)
        else:
            tell_time(moment)


def plan_warning(moment: Moment) -> None:
    """Set the timer of the next warning, if there is one."""
    step, state = moment.step, moment.state
    timer = state.timers.get("step")
    if not isinstance(step, Timer) or timer is None:
        return
    state.timers.pop(COUNT, None)
    left = timer.left(moment.now)
    marks = warnings_of(moment, step, float(timer.kind or left))
    following = [m for m in marks if m < left - MARGIN]
    if following:
        state.start_timer("warning", left - following[0], moment.now, kind=str(following[0]))
        return
    state.timers.pop("warning", None)
    if counts(moment, step):
        _plan_count(moment, left)


def _plan_count(moment: Moment, left: float) -> None:
    """Count what is left of the last ten seconds, or set the timer that begins it."""
    if left > LAST + AHEAD + EARLY:
        moment.state.start_timer("warning", left - LAST - AHEAD, moment.now, kind=COUNT)
    elif moment.state.stage == "running" and not moment.state.paused:
        words = tuple(moment.own("last_ten").replace(",", " ").split())
        ten = moment.now + left - LAST
        count = CountDown(moment.state.utterance + 1, words, 1.0, "own/last_ten", ten)
        words, begins = count.following(moment.now + EARLY)
        if words:
            moment.state.utterance += 1
            moment.effects.append(replace(count, words=words, begins=begins))
            moment.state.start_timer(COUNT, max(0.0, left - EARLY), moment.now)


def give_way(moment: Moment, before: int) -> None:
    """Let the count be silent for whatever else is said meanwhile, and go on behind it.

    It is called while numbers are being said; what was said since the utterance `before` came in
    between.
    """
    state = moment.state
    said = [i for i, e in enumerate(moment.effects) if isinstance(e, Say) and e.utterance > before]
    hushed = any(isinstance(effect, Hush) for effect in moment.effects)
    if not said and not hushed:
        return
    if not hushed:
        moment.effects.insert(said[0], Hush())
    if "step" in state.timers and not state.paused and not state.confirming:
        plan_warning(moment)


def more_time(moment: Moment, seconds: float) -> None:
    """Give the running timer more time and plan its warnings anew."""
    timer = moment.state.timers["step"]
    if timer.due is None:
        timer.remaining += seconds
    else:
        timer.due += seconds
    plan_warning(moment)
    tell_time(moment)


def tell_time(moment: Moment) -> None:
    """Say how much time is left."""
    timer = moment.state.timers.get("step")
    if isinstance(moment.step, Timer) and timer is not None:
        moment.tell("time_left", seconds=round(timer.left(moment.now)))
    else:
        moment.tell("no_timer")
