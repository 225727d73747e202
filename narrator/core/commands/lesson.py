"""What the script knows of its own rules: the lesson, and answers to questions about them."""

from __future__ import annotations

from narrator.core.commands import acts
from narrator.core.commands.acts import Rejoin
from narrator.core.expect import Expectation
from narrator.core.game import Game
from narrator.core.machine import Trigger
from narrator.core.state import LESSON, Spoken
from narrator.core.steps.context import StepContext
from narrator.core.values import Value

GAP = 2.5
"""Seconds of silence between two parts: where the narrator hears nothing while it speaks, a word
of somebody who wants to play has to have room (the guard time of 0.5 s and a short command)."""
RULING = "rule:"
"""What begins the name of the command by which a ruling is asked for."""


def teach(context: StepContext, value: Value, rejoin: Rejoin) -> None:
    """Speak the lesson part by part; every timer stands still, and the game goes on behind it."""
    if not context.program.game.lesson:
        context.tell("no_lesson")
        return
    context.state.freeze(context.now)
    context.enter(Trigger.TEACH)
    context.hush()
    context.tell("lesson_begins")
    context.state.lesson = 1
    say_part(context)


def say_part(context: StepContext) -> None:
    """Speak the part of the lesson that is due, and listen to what may be said in it."""
    context.state.timers.pop(LESSON, None)
    line = context.program.game.lesson[context.state.lesson - 1]
    spoken = Spoken(context.text(line.text), line.id, line.role)
    context.state.lesson_line = context.speak(spoken)
    context.listen()


def part_is_over(context: StepContext, rejoin: Rejoin) -> None:
    """Wait a little for the next part, or go on with the game."""
    context.state.lesson += 1
    if context.state.lesson <= len(context.program.game.lesson):
        context.state.start_timer(LESSON, GAP, context.now)
    else:
        _go_back(context, rejoin)


def _go_back(context: StepContext, rejoin: Rejoin) -> None:
    """Let the game go on where it stood still."""
    context.state.timers.pop(LESSON, None)
    if context.fire("lesson", Trigger.LEARNT):
        context.state.lesson = context.state.lesson_line = 0
        context.state.thaw(context.now)
        context.tell("lesson_is_over")
        rejoin(context)


def skip(context: StepContext, value: Value, rejoin: Rejoin) -> None:
    """Skip to the next part of a lesson; elsewhere to the next step, if the rules allow that."""
    state = context.state
    if not state.moderator.is_teaching:
        acts.skip(context, value, rejoin)
        return
    context.hush()
    state.lesson += LESSON not in state.timers  # in the gap, the next part is due already
    if state.lesson <= len(context.program.game.lesson):
        say_part(context)
    else:
        _go_back(context, rejoin)


def repeat(context: StepContext, value: Value, rejoin: Rejoin) -> None:
    """Say this part of the lesson again; elsewhere the last line."""
    if context.state.moderator.is_teaching:
        context.hush()
        say_part(context)
    else:
        acts.repeat(context, value, rejoin)


def leave(context: StepContext, value: Value, rejoin: Rejoin) -> None:
    """Go on with the game before the lesson is over."""
    context.hush()
    _go_back(context, rejoin)


def expectations_of(game: Game) -> tuple[Expectation, ...]:
    """Expect the questions about the rules that a game answers."""
    return tuple(
        Expectation(f"command:{RULING}{ruling.name}", "command", ruling.phrases)
        for ruling in game.rulings
    )


def answer(context: StepContext, name: str, rejoin: Rejoin) -> bool:
    """Answer a question about the rules, and go back; return whether the game has this one.

    What it cut off is said again, a question that is open too; a timer runs on.
    """
    found = [r for r in context.program.game.rulings if name == RULING + r.name]
    for line in (ruling.answer for ruling in found):
        back = bool(context.state.awaited) or context.state.moderator.is_answering
        if back:
            context.hush()
        context.speak(Spoken(context.text(line.text), line.id, line.role))
        if back:
            rejoin(context)
    return bool(found)


def topics(context: StepContext, value: Value, rejoin: Rejoin) -> None:
    """Say what may be asked about the rules."""
    rulings: list[Value] = [ruling.shown for ruling in context.program.game.rulings]
    if rulings:
        context.tell("rulings", rulings_shown=rulings)
    else:
        context.tell("no_rulings")
