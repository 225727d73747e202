"""The one table of commands, and which of them may be said now."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import Flag, auto
from functools import cache

from narrator.core.commands import acts, lesson
from narrator.core.commands.acts import Rejoin, Run, adjust_by, without_value
from narrator.core.expect import Expectation, Meaning
from narrator.core.machine import Trigger
from narrator.core.steps.asked.timer import tell_time
from narrator.core.steps.context import StepContext
from narrator.core.steps.spoken.wait import holds_still
from narrator.core.values import Value


class When(Flag):
    """The moments at which a command is listened for."""

    DAY = auto()
    NIGHT = auto()
    """With eyes closed only what is marked so is heard beside the expected phrase (RULES 0.2)."""
    PAUSED = auto()
    LESSON = auto()
    """While the script's lesson is spoken."""
    LOBBY = auto()


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
    after_window: bool = False
    """Whether it waits for the end of a fixed window, whose length is nobody's to change."""
    trigger: Trigger = Trigger.COMMAND
    """What it is to the moderator."""

    @property
    def intent(self) -> str:
        """What it is called by among the things that may be said."""
        return f"command:{self.name}"


def live(context: StepContext) -> tuple[str, ...]:
    """Return the commands that may be said now."""
    moderator = context.state.moderator
    if moderator.is_over or moderator.is_ready or moderator.is_confirming:
        return ()
    when = When.DAY
    if moderator.is_offered:
        when = When.LOBBY
    elif moderator.is_paused:
        when = When.PAUSED
    elif moderator.is_teaching:
        when = When.LESSON
    elif context.phase.eyes_closed:
        when = When.NIGHT
    return tuple(c.name for c in TABLE.values() if when in c.when)


def expectations(context: StepContext) -> tuple[Expectation, ...]:
    """Expect the commands that may be said now, and by day the questions about the rules."""
    names = live(context)
    return expected(names) + (
        lesson.expectations_of(context.program.game) if _TOPICS in names else ()
    )


@cache
def expected(names: tuple[str, ...]) -> tuple[Expectation, ...]:
    """Expect these commands."""
    return tuple(
        Expectation(TABLE[name].intent, "command", undoable=TABLE[name].undoable) for name in names
    )


def run(
    context: StepContext,
    name: str,
    value: Value,
    rejoin: Rejoin,
    *,
    by_key: bool = False,
    put_off: bool = False,
) -> None:
    """Carry out a command; one that makes no sense now is refused with a short line.

    Args:
        context: This moment.
        name: The command's.
        value: The number that it carries, if any.
        rejoin: Says what was cut off again.
        by_key: Whether a key was pressed, and nothing said.
        put_off: Whether it was said in a window, and is due now.
    """
    if name.startswith(lesson.RULING):
        _rule(context, name, rejoin)
        return
    command = TABLE.get(name)
    if command is None or not _is_heard(context, command, by_key=by_key):
        acts.not_now(context, name)
    elif command.after_window and not put_off and holds_still(context):
        context.put_off(name)
    elif context.fire(name, command.trigger):
        command.run(context, value, rejoin)
    else:
        acts.tell_not_now(context)


def _rule(context: StepContext, name: str, rejoin: Rejoin) -> None:
    """Answer a question about the rules; in a fixed window and at night nobody is answered."""
    topics = TABLE[_TOPICS]
    if not _is_heard(context, topics, by_key=False) or holds_still(context):
        acts.not_now(context, name)
    elif context.fire(name, topics.trigger) and not lesson.answer(context, name, rejoin):
        acts.not_now(context, name)


def _is_heard(context: StepContext, command: Command, *, by_key: bool) -> bool:
    """Whether a command is obeyed now: a key also where nobody listens for it."""
    moderator = context.state.moderator
    if moderator.is_confirming:
        return command.never_stale
    if by_key:
        when = When.PAUSED if moderator.is_paused else When.DAY
        return (When.LESSON if moderator.is_teaching else when) in command.when
    return command.name in live(context)


_BY_DAY = When.DAY
_EVEN_PAUSED = When.DAY | When.PAUSED
_OR_LOBBY = When.DAY | When.LOBBY | When.LESSON
_ANYWHERE = When.DAY | When.NIGHT | When.LOBBY | When.LESSON
_TOPICS = "rules"
"""The command that tells what may be asked about the rules, which is when it may be asked."""

TABLE: Mapping[str, Command] = {
    row.name: row
    for row in (
        Command("repeat", _ANYWHERE | When.PAUSED, lesson.repeat, "F2", "r",
                over_speech=True, after_window=True),
        Command("pause", _ANYWHERE, without_value(acts.pause), "Space", "p", urgent=True,
                over_speech=True, never_stale=True, after_window=True, trigger=Trigger.PAUSE),
        Command("stop", _ANYWHERE, without_value(acts.pause), shares="pause", urgent=True,
                over_speech=True, never_stale=True, after_window=True, trigger=Trigger.PAUSE),
        Command("resume", When.PAUSED, acts.resume_after,
                shares="pause", trigger=Trigger.RESUME),
        Command("skip", _BY_DAY | When.LESSON, lesson.skip, "F4", "k", over_speech=True),
        Command("undo", _BY_DAY, acts.undo_last, "F3", "u", after_window=True),
        Command("back", _BY_DAY, acts.undo_last, shares="undo", after_window=True),
        Command("more_time", _BY_DAY, acts.give_time, "F5", "m"),
        Command("how_long_left", _EVEN_PAUSED, without_value(tell_time), "F6", "t"),
        Command("stop_the_timer", _BY_DAY, acts.stop_timer, "F7", "x"),
        Command("whose_turn", _BY_DAY, acts.whose_turn, "F8", "w"),
        Command("scores", _EVEN_PAUSED, acts.scores, "F9", "s"),
        Command("numbers", _EVEN_PAUSED, acts.numbers, "Insert", "d"),
        Command("help", _EVEN_PAUSED | _OR_LOBBY, without_value(acts.tell_help), "F1", "h"),
        Command("teach", _BY_DAY, lesson.teach, "F11", "g", after_window=True),
        Command("to_the_game", When.LESSON, lesson.leave, shares="teach",
                over_speech=True),
        Command("rules", _BY_DAY, lesson.topics, "F12", "a", after_window=True),
        Command("louder", _OR_LOBBY, adjust_by("volume", "up", "louder"), "Up", "+"),
        Command("quieter", _OR_LOBBY, adjust_by("volume", "down", "quieter"), "Down", "-"),
        Command("faster", _OR_LOBBY, adjust_by("rate", "up", "faster"), "Right", ">"),
        Command("slower", _OR_LOBBY, adjust_by("rate", "down", "slower"), "Left", "<"),
        Command("cover_louder", _OR_LOBBY, adjust_by("cover", "up", "cover_louder"),
                "PageUp", "b+"),
        Command("cover_quieter", _OR_LOBBY, adjust_by("cover", "down", "cover_quieter"),
                "PageDown", "b-"),
        Command("cues_louder", _OR_LOBBY, adjust_by("cues", "up", "cues_louder"), "Home", "s+"),
        Command("cues_quieter", _OR_LOBBY, adjust_by("cues", "down", "cues_quieter"), "End", "s-"),
        Command("end_the_game", _EVEN_PAUSED | _OR_LOBBY, without_value(acts.end_the_game),
                "Escape", "q", urgent=True, undoable=False, after_window=True),
        Command("spoiled_round", _BY_DAY, without_value(acts.spoiled_round), "F10", "b",
                after_window=True),
    )
}  # fmt: skip
"""Every command. Keys, the inbox's order, what is heard while the narrator speaks, help, random
play and the check of the locales are read from it: a new command is a row here, and its phrases.
"""


def is_never_stale(meaning: Meaning | None) -> bool:
    """Whether somebody wants silence: that is as true a line later."""
    row = meaning and TABLE.get(meaning.intent.removeprefix("command:"))
    return bool(row and row.never_stale and row.intent == (meaning and meaning.intent))


def intents(chosen: Callable[[Command], bool] = lambda command: True) -> frozenset[str]:
    """Return the intents of the commands for which something holds."""
    return frozenset(command.intent for command in TABLE.values() if chosen(command))
