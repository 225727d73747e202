"""What each command does."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal, TypeAlias

from narrator.core import library
from narrator.core.effects import Adjust, Finish, Refusal
from narrator.core.events import Slept
from narrator.core.expect import Expectation, Meaning
from narrator.core.machine import Trigger
from narrator.core.state import State
from narrator.core.steps.asked.ask import Ask
from narrator.core.steps.asked.hear import Hear
from narrator.core.steps.asked.timer import Timer, TimerRule, more_time, plan_warning, timer_used
from narrator.core.steps.blocks import flow
from narrator.core.steps.context import StepContext
from narrator.core.steps.spoken.say import Say
from narrator.core.steps.spoken.wait import Wait, holds_still
from narrator.core.values import Value

MORE_TIME = 60.0
"""Seconds given where no number is said."""
Rejoin: TypeAlias = Callable[[StepContext], None]
"""Says what was cut off again and listens again; the engine's own."""
Run: TypeAlias = Callable[[StepContext, Value, Rejoin], None]
_CONFIRMS = {
    "end": Trigger.CONFIRM_END,
    "spoiled": Trigger.CONFIRM_SPOILED,
    "against_the_rules": Trigger.CONFIRM_SPOILED,
    "undo": Trigger.CONFIRM_UNDO,
}
MOST_PASSED = 5.0
"""Seconds of timers and windows that an undo goes back over without asking: a breath or two."""


def pause(context: StepContext) -> None:
    """Freeze speech and timers together; nothing moves until somebody says to go on."""
    context.state.freeze(context.now)
    context.hush()
    context.tell("paused")
    context.listen()


def resume(context: StepContext, rejoin: Rejoin) -> None:
    """Continue where it was, repeating what was cut off."""
    _thaw(context)
    context.hush()
    context.tell("resumed")
    rejoin(context)


def undo(context: StepContext, rejoin: Rejoin) -> None:
    """Return to before the last answer."""
    state = context.state
    context.hush()
    if not state.history:
        context.tell("nothing_to_undo")
        rejoin(context)
        return
    older, totals = state.history[:-1], dict(state.totals)
    restored = State.from_dict(state.history[-1], context.now)
    restored.history = older
    restored.used = {**state.used, **state.spent, **timer_used(context)}
    for counter in ("utterance", "listen", "generation"):
        setattr(restored, counter, getattr(state, counter))
    restored.covered = state.covered
    for timer in restored.timers.values():
        restored.generation += 1
        timer.generation = restored.generation
    told, teller = restored.told, restored.teller
    restored.told = restored.teller = ""
    _replace(state, restored)
    context.path = f"{state.stack[-1].block}/{_name_at(context)}"
    context.cover(context.phase.cover)
    _tell_undone(context, totals, told, teller)
    rejoin(context)


def _tell_undone(context: StepContext, totals: dict[str, Value], told: str, teller: str) -> None:
    """Say what was taken back: points where there were any, else whose answer, and which.

    Nothing is told that is a secret, and with eyes closed nothing at all.
    """
    points = library.minus(totals, context.state.totals)
    changed: dict[str, Value] = {seat: n for seat, n in points.items() if n}
    if changed and "totals" not in context.program.game.secrets:
        context.tell("undone_points", points_undone=changed)
    elif context.phase.eyes_closed or not (told or teller):
        context.tell("undone")
    elif not teller:
        context.tell("undone_answer", answer_undone=told)
    elif not told:
        context.tell("undone_of", seat_undone=teller)
    else:
        context.tell("undone_answer_of", answer_undone=told, seat_undone=teller)


def ask_first(context: StepContext, what: str, **values: Value) -> None:
    """What would cost the table much is confirmed first; until then everything stands still."""
    context.state.freeze(context.now)
    context.enter(_CONFIRMS[what])
    context.hush()
    context.tell(f"really_{what}", "question", **values)
    context.listen((Expectation("answer", "yesno", undoable=False),))


def slept(context: StepContext, seconds: float) -> None:
    """Say how long the machine slept, and ask whether the time counts if a timer runs.

    Fixed waits are nobody's time: they go on with what they had left.
    """
    state = context.state
    timed = isinstance(context.step, Timer) and "step" in state.timers
    if timed and state.moderator.fire(Trigger.CONFIRM_SLEPT):
        context.hush()
        state.slept = seconds
        state.freeze(context.now)
        context.tell("really_slept", "question", slept=round(seconds))
        context.listen((Expectation("answer", "yesno", undoable=False),))
    elif context.fire(Slept(seconds), Trigger.SLEPT):
        context.tell("slept", slept=round(seconds))


def _count_sleep(context: StepContext) -> None:
    """Take the time of the sleep off the timer, which is over where nothing is left."""
    state, timer = context.state, context.state.timers.get("step")
    if timer is not None and timer.due is not None:
        timer.due = max(context.now, timer.due - state.slept)
        plan_warning(context)


def confirmed(context: StepContext, answer: Meaning, rejoin: Rejoin) -> None:
    """End the game, call the round off, or go on as if nothing had been said."""
    moderator, yes = context.state.moderator, answer.value is True
    slept, spoiled = moderator.confirms_slept, moderator.confirms_spoiled
    undone = moderator.confirms_undo
    if not context.fire(answer, Trigger.YES if yes else Trigger.NO):
        return
    if slept:
        context.hush()
        context.state.thaw(context.now)
        if yes:
            _count_sleep(context)
        rejoin(context)
        return
    if yes and undone:
        undo(context, rejoin)
        return
    if yes and spoiled:
        context.state.remember(context.now)
        context.hush()
        flow.call_off(context)
        return
    if yes:
        stop(context)
        return
    context.hush()
    if moderator.is_paused:
        context.tell("paused")
        context.listen()
        return
    _thaw(context)
    context.tell("resumed")
    rejoin(context)


def _thaw(context: StepContext) -> None:
    """Let the timers run on; not where a lesson goes on, for which they stand still."""
    if not context.state.moderator.is_standing_still:
        context.state.thaw(context.now)


def stop(context: StepContext) -> None:
    """End the game by the table's own wish."""
    context.tell("ended")
    context.finish(Finish({}, "stopped"))


def _replace(state: State, other: State) -> None:
    for name in State.__slots__:
        setattr(state, name, getattr(other, name))


def _name_at(context: StepContext) -> str:
    frame = context.state.stack[-1]
    return context.program.blocks[frame.block][frame.index].name


def not_now(context: StepContext, name: str) -> None:
    """Refuse a command, with a short line by day."""
    context.refuse(name, Refusal.NOT_NOW)
    tell_not_now(context)


def tell_not_now(context: StepContext) -> None:
    """Say that this cannot be done now; with eyes closed nothing is said."""
    if not (context.state.moderator.is_playing and context.phase.eyes_closed):
        context.tell("not_now")


def repeat(context: StepContext, value: Value, rejoin: Rejoin) -> None:
    """Say the last line again; where something is asked, all that was said of it."""
    if context.state.last is None:
        context.refuse("repeat", Refusal.NOTHING_TO_REPEAT)
        return
    context.hush()
    number = context.say_again(whole=_is_asked(context))
    if context.state.awaited:
        context.state.awaited = number


def numbers(context: StepContext, value: Value, rejoin: Rejoin) -> None:
    """Say the numbers again that were told last, each in its sentence."""
    told = " ".join(context.state.numbers)
    if told:
        context.tell("numbers", numbers_told=told)
    else:
        context.tell("no_numbers")


def skip(context: StepContext, value: Value, rejoin: Rejoin) -> None:
    """Skip to the next step, if the rules allow that."""
    step = context.step
    if isinstance(step, Timer) and _runs(context):
        stop_timer(context, value, rejoin)
    elif isinstance(step, (Wait, Ask)) or holds_still(context):
        context.tell("needed")
    elif isinstance(step, (Say, Hear)):
        context.hush()
        context.state.remember(context.now)
        context.over = True
    else:
        context.hush()
        context.over = True


def _runs(context: StepContext) -> bool:
    """Whether a public timer runs; its end may be discussed."""
    moderator = context.state.moderator
    return moderator.is_timing or moderator.is_counting_hands


def stop_timer(context: StepContext, value: Value, rejoin: Rejoin) -> None:
    """End the timer before its time, as the table decided."""
    step = context.step
    if not isinstance(step, Timer) or not _runs(context):
        context.tell("no_timer")
    elif not step.cut_short:
        context.tell("runs_to_its_end")
    elif step.early is not None and step.early.hands is not None:
        TimerRule().ask_hands(context, step)
    else:
        TimerRule().end_early(context)


def give_time(context: StepContext, value: Value, rejoin: Rejoin) -> None:
    """Give the timer, or the seat that is asked, more time."""
    seconds = float(value) if isinstance(value, (int, float)) and value > 0 else MORE_TIME
    if isinstance(context.step, Timer) and "step" in context.state.timers:
        more_time(context, seconds)
    elif "nudge" in context.state.timers:
        context.state.start_timer("nudge", seconds, context.now)
        context.tell("take_your_time")
    else:
        context.tell("not_now")


def whose_turn(context: StepContext, value: Value, rejoin: Rejoin) -> None:
    """Say whose turn it is."""
    moderator = context.state.moderator
    seat = context.state.seat or flow.seat_in_turn(context)
    talking = moderator.is_timing or moderator.is_counting_hands or _is_asked(context)
    if seat is not None:
        context.tell("whose_turn", seat_of_turn=seat)
    elif talking and not context.phase.eyes_closed:
        context.tell("nobodys_turn")
    else:
        context.tell("nobody_speaks")


def _is_asked(context: StepContext) -> bool:
    """Whether the table as a whole is asked for something."""
    moderator = context.state.moderator
    return moderator.is_asking or moderator.is_answering


def scores(context: StepContext, value: Value, rejoin: Rejoin) -> None:
    """Say the scores, unless they are secret."""
    if "totals" in context.program.game.secrets:
        context.tell("hidden_scores")
    else:
        context.tell("scores" if context.state.totals else "no_scores")


def adjust_by(
    setting: Literal["volume", "rate", "cues", "cover"], direction: Literal["up", "down"], own: str
) -> Run:
    """Return what changes a setting of the sound by a step and says so."""

    def adjust(context: StepContext, value: Value, rejoin: Rejoin) -> None:
        context.effects.append(Adjust(setting, direction))
        context.tell(own)  # after it, and so in the new voice

    return adjust


def spoiled_round(context: StepContext) -> None:
    """Call the round off, once that is confirmed."""
    if flow.spoilable(context):
        ask_first(context, "spoiled")
    elif flow.spoilable(context, anyway=True):
        ask_first(context, "against_the_rules")
    else:
        context.refuse("spoiled_round", Refusal.NOT_NOW)
        context.tell("nothing_to_call_off")


def tell_help(context: StepContext) -> None:
    """Say what can be said."""
    moderator = context.state.moderator
    talking = moderator.is_timing and context.state.seat is None
    context.tell("help_paused" if moderator.is_paused else "help_talk" if talking else "help")


def without_value(act: Callable[[StepContext], None]) -> Run:
    """Return a command that needs neither a number nor a return to what was cut off."""
    return lambda context, value, rejoin: act(context)


def undo_last(context: StepContext, value: Value, rejoin: Rejoin) -> None:
    """Return to before the last answer; over a timer or a window only after a yes."""
    passed = context.state.passed + sum(timer_used(context).values())
    if not context.state.history or passed <= MOST_PASSED:
        undo(context, rejoin)
        return
    teller = str(context.state.history[-1].get("teller", ""))
    ask_first(context, "undo", seat_undone=teller, passed=round(passed))


def resume_after(context: StepContext, value: Value, rejoin: Rejoin) -> None:
    """Continue where it was."""
    resume(context, rejoin)


def end_the_game(context: StepContext) -> None:
    """End the game, once that is confirmed."""
    ask_first(context, "end")
