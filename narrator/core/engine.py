"""The engine: an event and the time go in, effects come out.

It never raises for anything that players, scripts or the room can do, and it knows neither clock
nor thread nor sound.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from narrator.core.commands import acts, lesson, table
from narrator.core.effects import Cover, Effect, Refusal
from narrator.core.events import (
    Event,
    Key,
    PortFailed,
    Resumed,
    Slept,
    SpeechCut,
    SpeechFinished,
    Start,
    TimerFired,
    Transcript,
)
from narrator.core.expect import Meaning
from narrator.core.game import Game, Post
from narrator.core.machine import Trigger
from narrator.core.record import Past
from narrator.core.state import LESSON, State, draw
from narrator.core.steps.asked.ask import listen_on
from narrator.core.steps.asked.retry import ask_after_break, missed
from narrator.core.steps.asked.timer import COUNT, give_way
from narrator.core.steps.blocks import flow
from narrator.core.steps.context import StepContext
from narrator.core.steps.program import Program
from narrator.core.steps.rule import rule_of
from narrator.core.steps.spoken.say import Say
from narrator.core.steps.spoken.wait import Wait, opens_private
from narrator.core.values import Seat, Value
from narrator.core.view import GameView


class Engine(GameView):
    """One game in progress.

    Args:
        game: The compiled script.
        seats: The table, clockwise; between `game.low` and `game.high`, all names different.
        seed: Decides everything that is drawn.
        settings: Options and posts as the table chose them; what is missing has its default.
        like: An engine of the same game, whose table of moves is taken over: that is quicker.
    """

    def __init__(
        self,
        game: Game,
        seats: Sequence[Seat],
        *,
        seed: int = 0,
        settings: Mapping[str, Value] | None = None,
        like: Engine | None = None,
    ) -> None:
        program = like._program if like else Program(game)
        super().__init__(program, State(seats=list(seats), chance=seed))
        self._chosen = dict(settings or {})

    def step(self, event: Event, now: float) -> list[Effect]:
        """Take one event.

        Args:
            event: What happened.
            now: Session seconds; never less than at the step before.

        Returns:
            What is to be done, in order.
        """
        context, before = self._moment(now), self.state.utterance
        counting = COUNT in self.state.timers
        if isinstance(event, PortFailed):
            self._port(context, event)
        elif isinstance(event, Start):
            if context.fire(event, Trigger.START):
                self._start(context)
        elif self.is_running:
            self._tell(context, event)
        elif self.is_over and isinstance(event, Resumed):
            self._end_again(context)
        else:
            context.refuse(event, Refusal.GAME_OVER if self.is_over else Refusal.NOT_BEGUN)
        self._go_on(context)
        if self.state.asked and self.is_running and not isinstance(context.step, (Wait, Say)):
            self._do_put_off(context)
        if counting:
            give_way(context, before)
        return context.effects

    def restore(self, data: Mapping[str, Any], now: float) -> None:
        """Take up a saved game silently; `take_up` then says where it was."""
        self.state = State.from_dict(data, now)

    def take_over(self, past: Past) -> None:
        """Bring a new engine to where a game was broken off, silently; `Resumed` then says it."""
        if past.state is not None:
            self.restore(past.state, past.saved)
        for now, event in past.events:
            self.step(event, now)

    def take_up(self, now: float) -> list[Effect]:
        """Say again what was being said or asked, and listen: after a restore."""
        context = self._moment(now)
        if self.is_running:
            self._take_up(context, Resumed())
            self._go_on(context)
        return context.effects

    def _shift(self, seconds: float) -> None:
        """Postpone everything that is due: these seconds were not part of the game."""
        for timer in self.state.timers.values():
            if timer.due is not None:
                timer.due += seconds
        self.state.opened += seconds

    def _take_up(self, context: StepContext, event: Resumed) -> None:
        state = self.state
        stood = state.moderator.is_standing_still
        # Nobody knows any more what was to be confirmed: it is as if nobody had asked for it.
        context.fire(event, Trigger.RESUMED)
        if stood and not state.moderator.is_standing_still:
            state.thaw(context.now)
        if state.covered:
            context.effects.append(Cover(True))
        if state.moderator.is_paused:
            context.tell("paused")
            context.listen()
        else:
            self._rejoin(context)

    def _end_again(self, context: StepContext) -> None:
        """Tell the end once more: the program was ended before it could be stored."""
        if self.state.ended == "stopped":
            acts.stop(context)
        elif self.state.ended == "faulty":
            flow.give_up(context)
        else:
            flow.finish(context)

    def _moment(self, now: float) -> StepContext:
        path = self._path() if self.is_running else ""
        return StepContext(self._program, self.state, now, path, commands=table.expectations)

    def _start(self, context: StepContext) -> None:
        for post in self.game.posts:
            self.state.posts[post.name] = self._holder(context, post)
        for option in self.game.options:
            chosen = self._chosen.get(option.name)
            self.state.settings[option.name] = (
                context.value(option.default) if chosen is None else chosen
            )
        flow.enter_phase(context, self.game.phases[0].name)
        context.over = True

    def _holder(self, context: StepContext, post: Post) -> Value:
        names = self.state.names()
        if self._chosen.get(post.name) in names:
            return self._chosen[post.name]
        if post.first is not None:
            return context.value(post.first, names[0])
        index, self.state.chance = draw(self.state.chance, len(names))
        return names[index]

    def _go_on(self, context: StepContext) -> None:
        for _ in range(flow.MOST_STEPS):
            if not context.over or not self.is_running:
                return
            context.over = False
            self._enter(context, flow.following(context))
        flow.give_up(context)

    def _enter(self, context: StepContext, path: str | None) -> None:
        state = self.state
        state.timers.clear()
        state.awaited, state.misses, state.seat, state.early = 0, 0, None, None
        if self.is_over:
            return
        if path is None:
            flow.finish(context)
            return
        if not self._program.may_follow(path, context.path):
            context.show_fault(f"no move leads there from {context.path or 'the start'}")
        context.path = path
        rule_of(context.step).begin(context)

    def _tell(self, context: StepContext, event: Event) -> None:
        if isinstance(event, (SpeechFinished, SpeechCut)):
            self._speech(context, event)
        elif isinstance(event, Resumed):
            self._shift(event.outside)
            self._take_up(context, event)
        elif isinstance(event, Slept):
            acts.slept(context, event.seconds)
        elif isinstance(event, TimerFired):
            self._timer(context, event)
        elif isinstance(event, Key):
            self._key(context, event)
        elif isinstance(event, Transcript):
            self._transcript(context, event)

    def _speech(self, context: StepContext, event: SpeechFinished | SpeechCut) -> None:
        if self.state.moderator.is_teaching:
            if event.utterance == self.state.lesson_line and context.fire(event, Trigger.SPEECH):
                lesson.part_is_over(context, self._rejoin)
            return
        if event.utterance == self.state.awaited and context.fire(event, Trigger.SPEECH):
            if self.state.asked and isinstance(context.step, Say) and not opens_private(context):
                self._do_put_off(context)
                if self.state.awaited != event.utterance or self.state.moderator.is_standing_still:
                    return
            self.state.awaited = 0
            rule_of(context.step).speech(context)

    def _do_put_off(self, context: StepContext) -> None:
        """Carry out what was asked for in a window, now that it is over and its end was told."""
        asked, self.state.asked = self.state.asked, []
        for name in asked:
            if self.is_running:
                table.run(context, name, None, self._rejoin, by_key=True, put_off=True)
        self._go_on(context)

    def _timer(self, context: StepContext, event: TimerFired) -> None:
        timer = context.take_timer(event)
        if timer is not None and event.name == LESSON:
            lesson.say_part(context)
        elif timer is not None:
            rule_of(context.step).timer(context, event.name, timer.kind)

    def _key(self, context: StepContext, event: Key) -> None:
        if event.command in ("yes", "no"):
            self._answer(context, Meaning("answer", event.command == "yes"))
        elif self.is_confirming:
            context.refuse(event, Refusal.YES_OR_NO_AWAITED)
        else:
            table.run(context, event.command, None, self._rejoin, by_key=True)

    def _transcript(self, context: StepContext, event: Transcript) -> None:
        if event.listen != self.state.listen and not table.is_never_stale(event.meaning):
            context.refuse(event, Refusal.OLDER_QUESTION)
        elif event.meaning is None or event.unclear:
            self._not_understood(context, event)
        elif event.meaning.intent.startswith("command:"):
            name = event.meaning.intent.removeprefix("command:")
            table.run(context, name, event.meaning.value, self._rejoin)
        else:
            self._answer(context, event.meaning)

    def _not_understood(self, context: StepContext, event: Transcript) -> None:
        context.refuse(event, Refusal.NOT_UNDERSTOOD)
        moderator = self.state.moderator
        if moderator.is_confirming:
            self._ask_to_confirm_again(context, event)
        elif moderator.is_standing_still or context.now < self.state.opened:
            return
        elif moderator.is_answering or moderator.is_counting_hands:
            if event.only_heard:
                context.cue("again")
            else:
                missed(context, event.likely)

    @staticmethod
    def _ask_to_confirm_again(context: StepContext, event: Transcript) -> None:
        if event.only_heard:
            context.cue("again")
        else:
            context.tell("again", "question")

    def _answer(self, context: StepContext, meaning: Meaning) -> None:
        if self.is_confirming:
            if isinstance(meaning.value, bool):
                acts.confirmed(context, meaning, self._rejoin)
            else:
                context.refuse(meaning, Refusal.YES_OR_NO_AWAITED)
            return
        rule = rule_of(context.step)
        expected = {e.kind for e in rule.expected(context) if e.intent == meaning.intent}
        if not expected:
            context.refuse(meaning, Refusal.NOTHING_ASKED)
            return
        if isinstance(meaning.value, bool) != ("yesno" in expected) and not self.is_paused:
            context.refuse(meaning, Refusal.NO_ANSWER_TO_THIS)
            return
        if not context.fire(meaning, Trigger.ANSWER):
            return
        if self.state.awaited:
            context.hush()
        rule.answer(context, meaning)

    def _rejoin(self, context: StepContext) -> None:
        """Say again what was cut off, and listen to what the stage expects."""
        rule, state = rule_of(context.step), self.state
        if state.moderator.is_teaching:
            lesson.say_part(context)
            return
        if state.moderator.is_answering:
            ask_after_break(context)
        elif state.awaited:
            rule.again(context)
            listen_on(context, rule.expected(context))
        else:
            rule.again(context)
            context.listen(rule.expected(context))

    def _port(self, context: StepContext, event: PortFailed) -> None:
        context.refuse(event, Refusal.PORT_FAILED)
