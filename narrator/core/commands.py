"""What the table can say or press at any time, and what it does."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import Flag, auto
from functools import cache
from typing import Literal

from narrator.core import flow, library
from narrator.core.context import StepContext
from narrator.core.effects import Adjust, Finish, Refusal
from narrator.core.events import Slept
from narrator.core.expect import Expectation, Meaning
from narrator.core.game import Ask, Hear, Say, Timer, Wait
from narrator.core.machine import Trigger
from narrator.core.rules_timer import TimerRule, more_time, plan_warning, tell_time
from narrator.core.state import State
from narrator.core.values import Value

MORE_TIME = 60.0
"""Seconds given where no number is said."""

Rejoin = Callable[[StepContext], None]
"""Says what was cut off again and listens again; the engine's own."""
Run = Callable[[StepContext, Value, Rejoin], None]
_CONFIRMS = {"end": Trigger.CONFIRM_END, "spoiled": Trigger.CONFIRM_SPOILED}


class When(Flag):
    """The moments at which a command is listened for."""

    DAY = auto()
    NIGHT = auto()
    """With eyes closed only what is marked so is heard beside the expected phrase (RULES 0.2)."""
    PAUSED = auto()


def _always(context: StepContext) -> bool:
    return True


@dataclass(frozen=True, slots=True)
class Command:
    """One row of the table: a command, and all that depends on which one it is."""

    name: str
    """What its phrases are called by in the locales, with spaces for underscores."""
    when: When
    run: Run
    key: str = ""
    """Name of the key that acts at once."""
    letter: str = ""
    """What may be typed for it, with Enter."""
    shares: str = ""
    """The command whose key this one has, where two never mean something at one time."""
    urgent: bool = False
    """Whether it overtakes whatever else waits to be handled."""
    over_speech: bool = False
    """Whether it is heard while the narrator speaks, where that is wanted."""
    never_stale: bool = False
    """Whether it is obeyed although it was said while something else was being listened for."""
    undoable: bool = True
    """False where what it does cannot be taken back: it needs a surer hearing."""
    possible: Callable[[StepContext], bool] = _always
    """Whether it is worth listening for at this moment."""
    trigger: Trigger = Trigger.COMMAND
    """What it is to the moderator."""

    @property
    def intent(self) -> str:
        """What it is called by among the things that may be said."""
        return f"command:{self.name}"


def live(context: StepContext) -> tuple[str, ...]:
    """Return the commands that may be said now."""
    moderator = context.state.moderator
    if not moderator.is_playing or moderator.is_confirming:
        return ()
    when = When.DAY
    if moderator.is_paused:
        when = When.PAUSED
    elif context.phase.eyes_closed:
        when = When.NIGHT
    return tuple(c.name for c in TABLE.values() if when in c.when and c.possible(context))


def expectations(context: StepContext) -> tuple[Expectation, ...]:
    """Expect the commands that may be said now."""
    return expected(live(context))


@cache
def expected(names: tuple[str, ...]) -> tuple[Expectation, ...]:
    """Expect these commands."""
    return tuple(
        Expectation(TABLE[name].intent, "command", undoable=TABLE[name].undoable) for name in names
    )


def run(
    context: StepContext, name: str, value: Value, rejoin: Rejoin, *, by_key: bool = False
) -> None:
    """Carry out a command; one that makes no sense now is refused with a short line."""
    command = TABLE.get(name)
    if command is None or not _is_heard(context, command, by_key=by_key):
        _not_now(context, name)
    elif context.fire(name, command.trigger):
        command.run(context, value, rejoin)
    else:
        _tell_not_now(context)


def _is_heard(context: StepContext, command: Command, *, by_key: bool) -> bool:
    """Whether a command is obeyed now: a key also where nobody listens for it."""
    moderator = context.state.moderator
    if moderator.is_confirming:
        return command.never_stale
    if by_key:
        return (When.PAUSED if moderator.is_paused else When.DAY) in command.when
    return command.name in live(context)


def pause(context: StepContext) -> None:
    """Freeze speech and timers together; nothing moves until somebody says to go on."""
    context.state.freeze(context.now)
    context.hush()
    context.tell("paused")
    context.listen()


def resume(context: StepContext, rejoin: Rejoin) -> None:
    """Go on where it was, saying again what was cut off."""
    context.state.thaw(context.now)
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


def ask_first(context: StepContext, what: str) -> None:
    """What would cost the table much is confirmed first; until then everything stands still."""
    context.state.freeze(context.now)
    context.enter(_CONFIRMS[what])
    context.hush()
    context.tell(f"really_{what}", "question")
    context.listen((Expectation("answer", "yesno", undoable=False),))


def slept(context: StepContext, seconds: float) -> None:
    """Tell how long the machine slept, and ask whether the time counts where a timer runs.

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
    if not context.fire(answer, Trigger.YES if yes else Trigger.NO):
        return
    if slept:
        context.hush()
        context.state.thaw(context.now)
        if yes:
            _count_sleep(context)
        rejoin(context)
        return
    if yes and spoiled:
        context.state.remember(context.now)
        context.hush()
        flow.call_off(context)
        return
    if yes:
        context.tell("ended")
        context.finish(Finish({}, "stopped"))
        return
    context.hush()
    if moderator.is_paused:
        context.tell("paused")
        context.listen()
        return
    context.state.thaw(context.now)
    context.tell("resumed")
    rejoin(context)


def _replace(state: State, other: State) -> None:
    for name in State.__slots__:
        setattr(state, name, getattr(other, name))


def _name_at(context: StepContext) -> str:
    frame = context.state.stack[-1]
    return context.program.blocks[frame.block][frame.index].name


def _not_now(context: StepContext, name: str) -> None:
    context.refuse(name, Refusal.NOT_NOW)
    _tell_not_now(context)


def _tell_not_now(context: StepContext) -> None:
    if not (context.state.moderator.is_playing and context.phase.eyes_closed):
        context.tell("not_now")


def _repeat(context: StepContext, value: Value, rejoin: Rejoin) -> None:
    last = context.state.last
    if last is None:
        context.refuse("repeat", Refusal.NOTHING_TO_REPEAT)
        return
    context.hush()
    number = context.speak(last)
    if isinstance(context.step, Wait):
        context.state.timers.pop("step", None)
        context.state.awaited = number
    elif context.state.awaited:
        context.state.awaited = number


def _skip(context: StepContext, value: Value, rejoin: Rejoin) -> None:
    step = context.step
    if isinstance(step, Timer) and _runs(context):
        _stop_timer(context, value, rejoin)
    elif isinstance(step, (Wait, Ask)):
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


def _stop_timer(context: StepContext, value: Value, rejoin: Rejoin) -> None:
    step = context.step
    if not isinstance(step, Timer) or not _runs(context):
        context.tell("no_timer")
    elif not step.cut_short:
        context.tell("runs_to_its_end")
    elif step.early is not None and step.early.hands is not None:
        TimerRule().ask_hands(context, step)
    else:
        TimerRule().end_early(context)


def _more_time(context: StepContext, value: Value, rejoin: Rejoin) -> None:
    seconds = float(value) if isinstance(value, (int, float)) and value > 0 else MORE_TIME
    if isinstance(context.step, Timer) and "step" in context.state.timers:
        more_time(context, seconds)
    elif "nudge" in context.state.timers:
        context.state.start_timer("nudge", seconds, context.now)
        context.tell("take_your_time")
    else:
        context.tell("not_now")


def _whose_turn(context: StepContext, value: Value, rejoin: Rejoin) -> None:
    seat = context.state.seat
    if seat is None:
        context.tell("nobodys_turn")
    else:
        context.tell("whose_turn", seat_of_turn=seat)


def _scores(context: StepContext, value: Value, rejoin: Rejoin) -> None:
    if "totals" in context.program.game.secrets:
        context.tell("hidden_scores")
    else:
        context.tell("scores" if context.state.totals else "no_scores")


def _adjust(
    setting: Literal["volume", "rate", "cues", "cover"], direction: Literal["up", "down"], own: str
) -> Run:
    def adjust(context: StepContext, value: Value, rejoin: Rejoin) -> None:
        context.effects.append(Adjust(setting, direction))
        context.tell(own)  # after it, and so in the new voice

    return adjust


def _spoiled_round(context: StepContext) -> None:
    if flow.spoilable(context):
        ask_first(context, "spoiled")
    else:
        _not_now(context, "spoiled_round")


def _help(context: StepContext) -> None:
    context.tell("help_paused" if context.state.moderator.is_paused else "help")


def _without_value(act: Callable[[StepContext], None]) -> Run:
    return lambda context, value, rejoin: act(context)


def _undo(context: StepContext, value: Value, rejoin: Rejoin) -> None:
    undo(context, rejoin)


_BY_DAY = When.DAY
_EVEN_PAUSED = When.DAY | When.PAUSED

TABLE: Mapping[str, Command] = {
    row.name: row
    for row in (
        Command("repeat", When.DAY | When.NIGHT | When.PAUSED, _repeat, "F2", "r",
                over_speech=True),
        Command("pause", When.DAY | When.NIGHT, _without_value(pause), "Space", "p", urgent=True,
                over_speech=True, never_stale=True, trigger=Trigger.PAUSE),
        Command("stop", When.DAY | When.NIGHT, _without_value(pause), shares="pause", urgent=True,
                over_speech=True, never_stale=True, trigger=Trigger.PAUSE),
        Command("resume", When.PAUSED, lambda context, value, rejoin: resume(context, rejoin),
                shares="pause", trigger=Trigger.RESUME),
        Command("skip", _BY_DAY, _skip, "F4", "k", over_speech=True),
        Command("undo", _BY_DAY, _undo, "F3", "u"),
        Command("back", _BY_DAY, _undo, shares="undo"),
        Command("more_time", _BY_DAY, _more_time, "F5", "m"),
        Command("how_long_left", _EVEN_PAUSED, _without_value(tell_time), "F6", "t"),
        Command("stop_the_timer", _BY_DAY, _stop_timer, "F7", "x"),
        Command("whose_turn", _BY_DAY, _whose_turn, "F8", "w"),
        Command("scores", _EVEN_PAUSED, _scores, "F9", "s"),
        Command("help", _EVEN_PAUSED, _without_value(_help), "F1", "h"),
        Command("louder", _BY_DAY, _adjust("volume", "up", "louder"), "Up", "+"),
        Command("quieter", _BY_DAY, _adjust("volume", "down", "quieter"), "Down", "-"),
        Command("faster", _BY_DAY, _adjust("rate", "up", "faster"), "Right", ">"),
        Command("slower", _BY_DAY, _adjust("rate", "down", "slower"), "Left", "<"),
        Command("cover_louder", _BY_DAY, _adjust("cover", "up", "cover_louder"), "PageUp", "b+"),
        Command("cover_quieter", _BY_DAY, _adjust("cover", "down", "cover_quieter"), "PageDown",
                "b-"),
        Command("cues_louder", _BY_DAY, _adjust("cues", "up", "cues_louder"), "Home", "s+"),
        Command("cues_quieter", _BY_DAY, _adjust("cues", "down", "cues_quieter"), "End", "s-"),
        Command("end_the_game", _EVEN_PAUSED, lambda context, value, rejoin: ask_first(
                context, "end"), "Escape", "q", urgent=True, undoable=False),
        Command("spoiled_round", _BY_DAY, _without_value(_spoiled_round), "F10", "b",
                possible=lambda context: flow.spoilable(context) is not None),
    )
}  # fmt: skip
"""Every command. Keys, the inbox's order, what is heard while the narrator speaks, help, random
play and the check of the locales are read from it: a new command is a row here, and its phrases.
"""


def intents(chosen: Callable[[Command], bool] = lambda command: True) -> frozenset[str]:
    """Return the intents of the commands for which something holds."""
    return frozenset(command.intent for command in TABLE.values() if chosen(command))
