"""What the table can say or press at any time, and what it does."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Literal

from narrator.core import flow, library
from narrator.core.effects import Adjust, Finish
from narrator.core.expect import Expectation
from narrator.core.game import Ask, Hear, Say, Timer, Wait
from narrator.core.moment import Moment
from narrator.core.rules_timer import TimerRule, more_time, plan_warning, tell_time
from narrator.core.state import State
from narrator.core.values import Value

MORE_TIME = 60.0
"""Seconds given where no number is said."""

NIGHT = ("repeat", "pause", "stop")
"""All that is heard with eyes closed beside the expected phrase (RULES 0.2)."""
PAUSED = ("resume", "repeat", "end_the_game", "how_long_left", "scores", "help")
DAY = (
    "repeat", "pause", "stop", "skip", "undo", "back", "more_time", "how_long_left",
    "stop_the_timer", "whose_turn", "scores", "help", "louder", "quieter", "faster", "slower",
    "cover_louder", "cover_quieter", "cues_louder", "cues_quieter",
    "end_the_game", "spoiled_round",
)  # fmt: skip
_NO_RUN_TO_CALL_OFF = tuple(command for command in DAY if command != "spoiled_round")
CANNOT_BE_UNDONE = ("end_the_game",)
SLEPT = "slept"
"""What is being confirmed while the table is asked whether the machine's sleep counts."""

Rejoin = Callable[[Moment], None]
"""Says what was cut off again and listens again; the engine's own."""


def live(moment: Moment) -> tuple[str, ...]:
    """Give the commands that may be said now."""
    if moment.state.mode != "running" or moment.state.confirming:
        return ()
    if moment.state.paused:
        return PAUSED
    if moment.phase.eyes_closed:
        return NIGHT
    return DAY if flow.spoilable(moment) else _NO_RUN_TO_CALL_OFF


def expectations(moment: Moment) -> tuple[Expectation, ...]:
    """Expect the commands that may be said now."""
    return _expected(live(moment))


@cache
def _expected(names: tuple[str, ...]) -> tuple[Expectation, ...]:
    return tuple(
        Expectation(f"command:{name}", "command", undoable=name not in CANNOT_BE_UNDONE)
        for name in names
    )


def run(moment: Moment, name: str, value: Value, rejoin: Rejoin, *, by_key: bool = False) -> None:
    """Carry out a command; one that makes no sense now is refused with a short line."""
    allowed = PAUSED if moment.state.paused else DAY
    if name in ("pause", "stop") and not moment.state.paused:
        pause(moment)
    elif name == "resume" and moment.state.paused:
        resume(moment, rejoin)
    elif name not in allowed or not (by_key or name in live(moment)):
        _not_now(moment, name)
    elif name in ("undo", "back"):
        undo(moment, rejoin)
    else:
        _COMMANDS[name](moment, value)


def pause(moment: Moment) -> None:
    """Freeze speech and timers together; nothing moves until somebody says to go on."""
    moment.state.freeze(moment.now)
    moment.state.paused = True
    moment.hush()
    moment.tell("paused")
    moment.listen()


def resume(moment: Moment, rejoin: Rejoin) -> None:
    """Go on where it was, saying again what was cut off."""
    moment.state.paused = False
    moment.state.thaw(moment.now)
    moment.hush()
    moment.tell("resumed")
    rejoin(moment)


def undo(moment: Moment, rejoin: Rejoin) -> None:
    """Return to before the last answer."""
    state = moment.state
    moment.hush()
    if not state.history:
        moment.tell("nothing_to_undo")
        rejoin(moment)
        return
    older, totals = state.history[:-1], dict(state.totals)
    restored = State.from_dict(state.history[-1], moment.now)
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
    moment.path = f"{state.stack[-1].block}/{_name_at(moment)}"
    moment.moves.move(moment.path)
    moment.cover(moment.phase.cover)
    _tell_undone(moment, totals, told, teller)
    rejoin(moment)


def _tell_undone(moment: Moment, totals: dict[str, Value], told: str, teller: str) -> None:
    """Say what was taken back: points where there were any, else whose answer, and which.

    Nothing is told that is a secret, and with eyes closed nothing at all.
    """
    points = library.minus(totals, moment.state.totals)
    changed: dict[str, Value] = {seat: n for seat, n in points.items() if n}
    if changed and "totals" not in moment.program.game.secrets:
        moment.tell("undone_points", points_undone=changed)
    elif moment.phase.eyes_closed or not (told or teller):
        moment.tell("undone")
    elif not teller:
        moment.tell("undone_answer", answer_undone=told)
    elif not told:
        moment.tell("undone_of", seat_undone=teller)
    else:
        moment.tell("undone_answer_of", answer_undone=told, seat_undone=teller)


def ask_first(moment: Moment, what: str) -> None:
    """What would cost the table much is confirmed first; until then everything stands still."""
    state = moment.state
    if not state.paused:
        state.freeze(moment.now)
    state.confirming = what
    moment.hush()
    moment.tell(f"really_{what}", "question")
    moment.listen((Expectation("answer", "yesno", undoable=False),))


def slept(moment: Moment, seconds: float) -> None:
    """Tell how long the machine slept, and ask whether the time counts where a timer runs.

    Fixed waits are nobody's time: they go on with what they had left.
    """
    state = moment.state
    idle = not (state.paused or state.confirming)
    if isinstance(moment.step, Timer) and "step" in state.timers and idle:
        moment.hush()
        state.slept = seconds
        state.freeze(moment.now)
        state.confirming = SLEPT
        moment.tell("really_slept", "question", slept=round(seconds))
        moment.listen((Expectation("answer", "yesno", undoable=False),))
    else:
        moment.tell("slept", slept=round(seconds))


def _count_sleep(moment: Moment) -> None:
    """Take the time of the sleep off the timer, which is over where nothing is left."""
    state, timer = moment.state, moment.state.timers.get("step")
    if timer is not None and timer.due is not None:
        timer.due = max(moment.now, timer.due - state.slept)
        plan_warning(moment)


def confirmed(moment: Moment, yes: bool, rejoin: Rejoin) -> None:
    """End the game, call the round off, or go on as if nothing had been said."""
    what, moment.state.confirming = moment.state.confirming, ""
    if what == SLEPT:
        moment.hush()
        moment.state.thaw(moment.now)
        if yes:
            _count_sleep(moment)
        rejoin(moment)
        return
    if yes and what == "spoiled":
        moment.state.remember(moment.now)
        moment.hush()
        flow.call_off(moment)
        return
    if yes:
        moment.tell("ended")
        moment.finish(Finish({}, "stopped"))
        return
    moment.hush()
    if moment.state.paused:
        moment.tell("paused")
        moment.listen()
        return
    moment.state.thaw(moment.now)
    moment.tell("resumed")
    rejoin(moment)


def _replace(state: State, other: State) -> None:
    for name in State.__slots__:
        setattr(state, name, getattr(other, name))


def _name_at(moment: Moment) -> str:
    frame = moment.state.stack[-1]
    return moment.program.blocks[frame.block][frame.index].name


def _not_now(moment: Moment, name: str) -> None:
    moment.refuse(name, "the command makes no sense now")
    if not (moment.state.mode == "running" and moment.phase.eyes_closed):
        moment.tell("not_now")


def _repeat(moment: Moment, value: Value) -> None:
    last = moment.state.last
    if last is None:
        moment.refuse("repeat", "there is nothing to repeat")
        return
    moment.hush()
    number = moment.speak(last)
    if isinstance(moment.step, Wait):
        moment.state.timers.pop("step", None)
        moment.state.awaited = number
    elif moment.state.awaited:
        moment.state.awaited = number


def _skip(moment: Moment, value: Value) -> None:
    step = moment.step
    if isinstance(step, Timer) and moment.state.stage in ("running", "hands"):
        _stop_timer(moment, value)
    elif isinstance(step, (Wait, Ask)):
        moment.tell("needed")
    elif isinstance(step, (Say, Hear)):
        moment.hush()
        moment.state.remember(moment.now)
        moment.over = True
    else:
        moment.hush()
        moment.over = True


def _stop_timer(moment: Moment, value: Value) -> None:
    step, state = moment.step, moment.state
    if not isinstance(step, Timer) or state.stage not in ("running", "hands"):
        moment.tell("no_timer")
    elif not step.cut_short:
        moment.tell("runs_to_its_end")
    elif step.early is not None and step.early.hands is not None:
        TimerRule().ask_hands(moment, step)
    else:
        TimerRule().end_early(moment)


def _more_time(moment: Moment, value: Value) -> None:
    seconds = float(value) if isinstance(value, (int, float)) and value > 0 else MORE_TIME
    if isinstance(moment.step, Timer) and "step" in moment.state.timers:
        more_time(moment, seconds)
    elif "nudge" in moment.state.timers:
        moment.state.start_timer("nudge", seconds, moment.now)
        moment.tell("take_your_time")
    else:
        moment.tell("not_now")


def _whose_turn(moment: Moment, value: Value) -> None:
    seat = moment.state.seat
    if seat is None:
        moment.tell("nobodys_turn")
    else:
        moment.tell("whose_turn", seat_of_turn=seat)


def _scores(moment: Moment, value: Value) -> None:
    if "totals" in moment.program.game.secrets:
        moment.tell("hidden_scores")
    else:
        moment.tell("scores" if moment.state.totals else "no_scores")


def _adjust(
    setting: Literal["volume", "rate", "cues", "cover"], direction: Literal["up", "down"]
) -> Callable[[Moment, Value], None]:
    def adjust(moment: Moment, value: Value) -> None:
        moment.effects.append(Adjust(setting, direction))
        moment.tell(_CONFIRMED[setting, direction])  # after it, and so in the new voice

    return adjust


_CONFIRMED = {
    ("volume", "up"): "louder",
    ("volume", "down"): "quieter",
    ("rate", "up"): "faster",
    ("rate", "down"): "slower",
    ("cover", "up"): "cover_louder",
    ("cover", "down"): "cover_quieter",
    ("cues", "up"): "cues_louder",
    ("cues", "down"): "cues_quieter",
}

_COMMANDS: dict[str, Callable[[Moment, Value], None]] = {
    "repeat": _repeat,
    "skip": _skip,
    "more_time": _more_time,
    "how_long_left": lambda moment, value: tell_time(moment),
    "stop_the_timer": _stop_timer,
    "whose_turn": _whose_turn,
    "scores": _scores,
    "help": lambda moment, value: _help(moment),
    "louder": _adjust("volume", "up"),
    "quieter": _adjust("volume", "down"),
    "faster": _adjust("rate", "up"),
    "slower": _adjust("rate", "down"),
    "cover_louder": _adjust("cover", "up"),
    "cover_quieter": _adjust("cover", "down"),
    "cues_louder": _adjust("cues", "up"),
    "cues_quieter": _adjust("cues", "down"),
    "end_the_game": lambda moment, value: ask_first(moment, "end"),
    "spoiled_round": lambda moment, value: _spoiled_round(moment),
}


def _spoiled_round(moment: Moment) -> None:
    if flow.spoilable(moment):
        ask_first(moment, "spoiled")
    else:
        _not_now(moment, "spoiled_round")


def _help(moment: Moment) -> None:
    moment.tell("help_paused" if moment.state.paused else "help")
