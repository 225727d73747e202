"""What each kind of step does when it begins and when something happens: speech, waits, silent
steps.
"""

from __future__ import annotations

from typing import Protocol

from narrator.core import flow, scoring
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
from narrator.core.moment import Moment
from narrator.core.values import ExpressionError, Value

PACES = (0.5, 4.0)
"""The quickest and the slowest pace."""


class Rule(Protocol):
    """How one kind of step behaves. A rule that is done sets `moment.over`."""

    def begin(self, moment: Moment) -> None:
        """Start the step."""
        ...

    def speech(self, moment: Moment) -> None:
        """The line that was awaited has been heard."""
        ...

    def timer(self, moment: Moment, name: str, kind: str) -> None:
        """A timer of the step is due."""
        ...

    def answer(self, moment: Moment, meaning: Meaning) -> None:
        """Something expected was said."""
        ...

    def expected(self, moment: Moment) -> tuple[Expectation, ...]:
        """Give what may be said at the stage the step is at, commands aside."""
        ...

    def again(self, moment: Moment) -> None:
        """Say once more what was cut off, after a pause or an undo."""
        ...


class Quiet:
    """A rule that does nothing; the base of those that need only part of it."""

    def begin(self, moment: Moment) -> None:
        """Be over at once."""
        moment.over = True

    def speech(self, moment: Moment) -> None:
        """Go on."""
        moment.over = True

    def timer(self, moment: Moment, name: str, kind: str) -> None:
        """Have no timer."""

    def answer(self, moment: Moment, meaning: Meaning) -> None:
        """Expect nothing."""

    def expected(self, moment: Moment) -> tuple[Expectation, ...]:
        """Expect nothing."""
        return ()

    def again(self, moment: Moment) -> None:
        """Speak the line that was awaited once more."""
        if moment.state.awaited and moment.state.last is not None:
            moment.state.awaited = moment.speak(moment.state.last)


class SayRule(Quiet):
    """Speak, and go on when the last sample was played."""

    def begin(self, moment: Moment) -> None:
        """Speak the line."""
        step = moment.step
        if isinstance(step, Say):
            moment.state.stage = "speaking"
            moment.state.awaited = moment.say(step.line)
            moment.listen()


class WaitRule(Quiet):
    """A window of fixed length."""

    def begin(self, moment: Moment) -> None:
        """Open the window."""
        step = moment.step
        if isinstance(step, Wait):
            moment.state.stage = "waiting"
            seconds = moment.number(step.seconds) * _pace(moment)
            moment.state.start_timer("step", seconds, moment.now)
            moment.listen()

    def timer(self, moment: Moment, name: str, kind: str) -> None:
        """Close the window."""
        moment.over = True

    def speech(self, moment: Moment) -> None:
        """A line repeated within the window was heard: the window starts anew behind it."""
        self.begin(moment)


def _pace(moment: Moment) -> float:
    """Give what every window is lengthened by: the same for all, whatever happens in it."""
    chosen = moment.state.settings.get("pace")
    return clamp(chosen, *PACES) if isinstance(chosen, (int, float)) else 1.0


class CountdownRule(Quiet):
    """Words on the beat."""

    def begin(self, moment: Moment) -> None:
        """Count."""
        moment.state.stage = "counting"
        moment.listen()
        self._count(moment)

    def again(self, moment: Moment) -> None:
        """Count once more from the first word."""
        self._count(moment)

    def _count(self, moment: Moment) -> None:
        step = moment.step
        if not isinstance(step, Countdown):
            return
        words = tuple(moment.text(step.line.text).replace(",", " ").split())
        moment.state.utterance += 1
        moment.state.awaited = moment.state.utterance
        beat = moment.number(step.beat, 1.0)
        moment.effects.append(CountDown(moment.state.utterance, words, beat, step.line.id))


class SetRule(Quiet):
    """Put values into variables."""

    def begin(self, moment: Moment) -> None:
        """Set each in order: a later one sees the earlier."""
        step = moment.step
        if isinstance(step, Set):
            for name, expression in step.values:
                moment.state.variables[name] = moment.value(expression)
        moment.over = True


class ScoreRule(Quiet):
    """Apply a scoring of the script."""

    def begin(self, moment: Moment) -> None:
        """Set what the scoring gives and add its points to the totals."""
        step = moment.step
        if isinstance(step, Score):
            self._apply(moment, step.scoring, step.adds)
        moment.over = True

    def _apply(self, moment: Moment, what: Scoring, adds: bool) -> None:
        try:
            outcome = scoring.apply(what, moment.scope())
        except ExpressionError as fault:
            moment.show_fault(str(fault))
            return
        if outcome.refused:
            moment.show_fault(outcome.refused)
        moment.state.variables.update(outcome.values)
        if adds:
            _add(moment.state.totals, outcome.values.get("points"))


class AgainRule(Quiet):
    """A round that does not count."""

    def begin(self, moment: Moment) -> None:
        """Go back to the beginning of the run."""
        step = moment.step
        if isinstance(step, Again):
            flow.again(moment, step)
        moment.over = True


class EndRule(Quiet):
    """The end of the game."""

    def begin(self, moment: Moment) -> None:
        """Finish with the script's result."""
        if isinstance(moment.step, End):
            flow.finish(moment)


class SoundRule(Quiet):
    """Cues and cover sound."""

    def begin(self, moment: Moment) -> None:
        """Give the sound and go on."""
        step = moment.step
        if isinstance(step, CueStep):
            moment.cue(step.cue)
        elif isinstance(step, CoverStep):
            moment.cover(step.on)
        moment.over = True


def _add(totals: dict[str, Value], points: Value) -> None:
    if not isinstance(points, dict):
        return
    for seat, more in points.items():
        before = totals.get(seat, 0)
        if isinstance(before, (int, float)) and isinstance(more, (int, float)):
            totals[seat] = before + more
