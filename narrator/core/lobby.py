"""The lobby: what the moderator does before a game, which is to ask whether an old one goes on.

It is stepped as the engine is (`step`, `deadline`, and everything a `GameView` tells), by the one
session, which performs its effects; what the table chose is the effect `Chosen`. Its states are
those of the moderator's machine (`lobby/choosing`, `lobby/offered`), and its commands are the rows
of the table of commands that are marked so. A set-up by voice will be more such states.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from narrator.core.commands import table
from narrator.core.effects import Chosen, Effect, Finish, Refusal
from narrator.core.events import (
    Event,
    Key,
    PortFailed,
    Slept,
    SpeechCut,
    SpeechFinished,
    Start,
    TimerFired,
    Transcript,
)
from narrator.core.expect import Expectation, Meaning
from narrator.core.game import Game
from narrator.core.machine import Trigger
from narrator.core.state import Spoken, State
from narrator.core.steps.asked.ask import FIRST_NUDGE, NEXT_NUDGE
from narrator.core.steps.context import StepContext
from narrator.core.steps.program import Program
from narrator.core.values import Seat, Value
from narrator.core.view import GameView

APART = 1_000_000
"""What its lines and questions are numbered from, so that none is taken for one of the game's."""
_YES_OR_NO = Expectation("answer", "yesno")


class Lobby(GameView):
    """Asks whether a game that was broken off goes on.

    Args:
        like: The game, for the narrator's own lines in its language.
        seats: The table.
        offer: What is asked.
    """

    def __init__(self, like: Game, seats: Sequence[Seat], offer: str) -> None:
        state = State(list(seats), 0, utterance=APART, listen=APART)
        super().__init__(Program(like), state)
        state.last = Spoken(offer, "own/unfinished", "question")

    def step(self, event: Event, now: float) -> list[Effect]:
        """Take one event; it begins with Start. See `Engine.step`."""
        context = StepContext(self._program, self.state, now, commands=table.expectations)
        moderator = self.state.moderator
        if isinstance(event, PortFailed):
            context.refuse(event, Refusal.PORT_FAILED)
        elif isinstance(event, Start):
            if context.fire(event, Trigger.OFFER):
                _ask(context)
        elif moderator.is_offered:
            self._tell(context, event)
        else:
            over = moderator.is_over
            context.refuse(event, Refusal.GAME_OVER if over else Refusal.NOT_BEGUN)
        return context.effects

    def _tell(self, context: StepContext, event: Event) -> None:
        if isinstance(event, (SpeechFinished, SpeechCut)):
            if event.utterance == self.state.awaited and context.fire(event, Trigger.SPEECH):
                self.state.awaited = 0
                self.state.start_timer("nudge", FIRST_NUDGE, context.now)
                _listen(context)
        elif isinstance(event, TimerFired):
            if context.take_timer(event) is not None and self.state.last is not None:
                context.speak(self.state.last)
                self.state.start_timer("nudge", NEXT_NUDGE, context.now)
        elif isinstance(event, Slept):
            context.fire(event, Trigger.SLEPT)  # nobody's time: nothing is said of it
        elif isinstance(event, Key):
            self._key(context, event)
        elif isinstance(event, Transcript):
            self._transcript(context, event)

    def _key(self, context: StepContext, event: Key) -> None:
        if event.command in ("yes", "no"):
            _choose(context, event, event.command == "yes")
        else:
            _command(context, event.command, None)

    def _transcript(self, context: StepContext, event: Transcript) -> None:
        meaning = event.meaning
        if event.listen != self.state.listen and not table.is_never_stale(meaning):
            context.refuse(event, Refusal.OLDER_QUESTION)
        elif meaning is None or event.unclear:
            context.refuse(event, Refusal.NOT_UNDERSTOOD)
            if event.only_heard:
                context.cue("again")
            else:
                context.tell("again", "question")
        elif meaning.intent.startswith("command:"):
            _command(context, meaning.intent.removeprefix("command:"), meaning.value)
        elif isinstance(meaning.value, bool):
            _choose(context, meaning, meaning.value)
        else:
            context.refuse(meaning, Refusal.NO_ANSWER_TO_THIS)


def _ask(context: StepContext) -> None:
    """Ask, be it for the first time or again; an answer counts at once."""
    context.state.timers.clear()
    if context.state.last is not None:
        context.state.awaited = context.speak(context.state.last)
    _listen(context)


def _listen(context: StepContext) -> None:
    context.listen((_YES_OR_NO,))


def _choose(context: StepContext, event: Key | Meaning, goes_on: bool) -> None:
    if not context.fire(event, Trigger.YES if goes_on else Trigger.NO):
        return
    _fall_silent(context)
    context.effects.append(Chosen(goes_on))


def _fall_silent(context: StepContext) -> None:
    """Stop speaking, and do not ask again by oneself."""
    context.state.timers.clear()
    context.state.awaited = 0
    context.hush()


def _command(context: StepContext, name: str, value: Value) -> None:
    row = table.TABLE.get(name)
    if row is None or table.When.LOBBY not in row.when:
        context.refuse(name, Refusal.NOT_NOW)
        context.tell("not_now")
    elif context.fire(name, Trigger.COMMAND):
        own = _OWN.get(name)
        if own is None:
            row.run(context, value, _ask)
        else:
            own(context)


def _again(context: StepContext) -> None:
    context.hush()
    _ask(context)


def _pause(context: StepContext) -> None:
    """Stay silent until somebody says something; the same key again repeats the question."""
    if context.state.awaited or context.state.timers:
        _fall_silent(context)
        context.tell("paused")
    else:
        _again(context)


def _leave(context: StepContext) -> None:
    """Play nothing; the game that was broken off is offered again another time."""
    context.hush()
    context.tell("ended")
    context.finish(Finish({}, "stopped"))


_OWN: Mapping[str, Callable[[StepContext], None]] = {
    "repeat": _again,
    "pause": _pause,
    "stop": _pause,
    "end_the_game": _leave,
}
"""What does something else here than in a game."""
