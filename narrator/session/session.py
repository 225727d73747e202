"""The one thread that thinks: it takes an event or the next deadline, and performs what follows."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from narrator.core.effects import (
    Adjust,
    Chosen,
    CountDown,
    Cover,
    Cue,
    Effect,
    Finish,
    Hush,
    Listen,
    Refused,
    Say,
    Show,
)
from narrator.core.engine import Engine
from narrator.core.events import (
    Event,
    Key,
    PortFailed,
    Slept,
    SpeechFinished,
    Start,
    TimerFired,
    Transcript,
)
from narrator.core.lobby import Lobby
from narrator.core.record import OVER
from narrator.core.values import Value
from narrator.core.view import Deadline
from narrator.listening.interpreter import Interpreter
from narrator.ports.errors import JournalError
from narrator.ports.faults import Then
from narrator.ports.session import Ended, Fault, Heard, Observer, Shown
from narrator.ports.storage import Journal
from narrator.session.endpoints import Endpoints
from narrator.session.journal_writer import JOURNAL, JournalWriter
from narrator.session.keyboard_input import WAKE
from narrator.session.keyboard_turns import KeyboardTurns
from narrator.session.look_ahead import LookAhead
from narrator.session.outcome import GOES_ON, Ending, Follow, Following, Outcome
from narrator.session.watch import Watch

QUIT = Key("quit")
"""Ends the session at once, without a question: Ctrl-C."""
SILENT_PORTS = ("synthesiser", "speaker", "loudspeaker", "speech store", "observer")
"""Ports whose faults are shown only: there is no voice to tell them with, or nothing to hear, or
nothing to be done about it in the game."""

TOLD_AGAIN = 60.0
"""Seconds in which the same fault is told once."""
EARLY = 0.25
"""Seconds before its moment at which a signal is planned: more than the loudspeaker holds."""
LOOK = 1.0
"""Seconds after which a running timer is looked after: the machine may have slept."""


class Session:
    """Plays a game to its end, and what follows it.

    Args:
        engine: The game, or the lobby before it.
        ends: Where sound comes from and goes to, who controls, who watches.
        journal: Gets every event before anything of it is heard.
        understanding: What is said and typed means.
        foresight: Finds lines to render ahead; None: every line is rendered when it is due.
        follow: Tells what is played behind it; None: the session is over then.
    """

    def __init__(
        self,
        engine: Engine | Lobby,
        ends: Endpoints,
        journal: Journal,
        understanding: Interpreter,
        *,
        foresight: LookAhead | None = None,
        follow: Follow | None = None,
    ) -> None:
        clock, speech, typed, ears = ends.clock, ends.output, ends.controls, ends.input
        self.engine = engine
        self.outcome: Outcome | None = None
        """How it ended; None while it goes on."""
        self._inbox, self._clock = ends.inbox, clock
        self._speech, self._understanding = speech, understanding
        self._typed, self._ears, self._foresight = typed, ears, foresight
        self._messages = understanding.messages
        self._follow = follow
        self._following: Following | None = None
        self._journal = JournalWriter(journal, self._storing, clock.now())
        self._watch = Watch([*ends.observers, self._journal])
        self._keyboard = KeyboardTurns(typed, understanding, ears, clock, self)
        self._listen: Listen | None = None
        self._fired: Deadline | None = None
        self._latest = 0.0
        """Session seconds of the last event."""
        self._foreseen: object = None
        self._told: dict[str, float] = {}
        self._acts: dict[type[Effect], Callable[[Any], None]] = {
            Say: speech.say,
            CountDown: speech.count,
            Hush: lambda effect: speech.hush(),
            Cue: lambda effect: speech.cue(effect.name),
            Cover: lambda effect: speech.cover(effect.on),
            Listen: self._change_listen,
            Show: lambda effect: self.show(effect.text),
            Adjust: speech.adjust,
            Refused: lambda effect: None,
            Chosen: lambda effect: self.end("chosen", {GOES_ON: effect.goes_on}),
            Finish: self._finish,
        }

    def run(self, first: Event | None = None) -> Outcome:
        """Play until the game is over and its last line was heard, or somebody quits.

        Args:
            first: What happens first; Start if not given.
        """
        try:
            self.take(first or Start())
            while self.outcome is None:
                self.turn()
            if self.outcome.ended != "quit":
                self._hear_out()
        except KeyboardInterrupt:
            self.end("quit")
        self._keyboard.tell_left_over()
        self._speech.hush()
        self._tell_ended()
        assert self.outcome is not None  # noqa: S101 - every way out of the loop has set it
        return self.outcome

    def turn(self, until: float | None = None) -> bool:
        """Wait for the next event and take it; tell whether there was one.

        Args:
            until: Session seconds at which nothing more is waited for; None: as long as it takes.
        """
        event = self._next(until)
        self._look_after_time()
        if event is not None:
            self._handle(event)
        self._speech.check()
        self._tell_ended()
        if self.outcome is None:
            self._take_typed()
        if self.outcome is None and self._nobody_can_answer():
            self._speech.tell(self._messages.line("unanswered"))
            self.end("unanswered")
        return event is not None

    def take(self, event: Event, heard: Heard | None = None) -> list[Effect]:
        """Hand an event to the game and perform what follows; return it.

        Args:
            event: What happened.
            heard: How it was heard, where it was.
        """
        now = self._moment_of(event)
        effects = self.engine.step(event, now)
        self._journal.write(now, event, effects, self.engine.to_dict)
        for effect in effects:
            if isinstance(effect, Cue) and isinstance(event, TimerFired):
                self._speech.cue(effect.name, now)
            else:
                self._acts[type(effect)](effect)
        if isinstance(event, Transcript):
            self._speech.release()  # what fell silent for these words, and was not ended by them
            self._watch.heard(now, event, effects, heard)
        self._watch.look(now, self.engine)
        self._look_ahead(now)
        self._go_on()
        return effects

    def show(self, text: str) -> None:
        """Show a line that is not said."""
        self._watch.tell(Shown(self._clock.now(), text))

    def add(self, observer: Observer) -> None:
        """Add an observer, to be notified from now on."""
        self._watch.add(observer)

    def is_over(self) -> bool:
        """Whether the session has ended."""
        return self.outcome is not None

    def next_moment(self) -> float | None:
        """Return when something is due by itself, in session seconds; None: nothing is."""
        now, due = self._clock.now(), self.engine.deadline()
        marks = [self._speech.next_check(), self._keyboard.opening()]
        if due is not None:
            marks += [
                self._planned(due) if due != self._fired else None,
                now + LOOK if self._clock.sleeps else None,
            ]
        return min((mark for mark in marks if mark is not None), default=None)

    def _next(self, until: float | None) -> Event | Heard | None:
        """Wait for the next event; a timer that is due queues with the others, by its class."""
        now, due = self._clock.now(), self.engine.deadline()
        if due is not None and self._planned(due) <= now and due != self._fired:
            self._fired = due
            self._inbox.post(TimerFired(due.name, due.generation))
        marks = [mark for mark in (self.next_moment(), until) if mark is not None]
        return self._inbox.take(max(0.0, min(marks) - now) if marks else None)

    @staticmethod
    def _planned(due: Deadline) -> float:
        """Return when a timer is told: a signal at its end is planned ahead."""
        return due.due - EARLY if due.signal else due.due

    def _handle(self, event: Event | Heard) -> None:
        if event == QUIT:
            self.end("quit")
        elif event == WAKE:
            return
        elif isinstance(event, PortFailed):
            self._tell_fault(event)
        elif not isinstance(event, Heard):
            self.take(event)
        elif event.transcript is not None:
            self.take(event.transcript, event)
        else:
            self._watch.tell(event)

    def _moment_of(self, event: Event) -> float:
        """Return the moment an event belongs to, be it told early or late; none runs backwards."""
        now, fired = self._clock.now(), self._fired
        if isinstance(event, TimerFired) and fired is not None and fired.signal:
            now = max(now, fired.due) if fired.generation == event.generation else now
        if isinstance(event, SpeechFinished) and event.at is not None:
            now = min(now, event.at)
        self._latest = max(self._latest, now)
        return self._latest

    def _look_after_time(self) -> None:
        """Note the time that goes by while a timer runs, and a sleep of the machine at any time."""
        slept = self._clock.gap()
        if slept:
            self.take(Slept(slept))
        if self.engine.deadline() is not None:
            self._journal.beat(self._clock.now())

    def _tell_fault(self, event: PortFailed) -> None:
        """Say a fault once, then show it now and then: a bad cable comes and goes all evening."""
        self.take(event)
        text = self._messages.event(event.code, event.fields, event.then)
        last, now = self._told.get(text), self._clock.now()
        self._watch.tell(
            Fault(now, event.port, text, event.code, event.fields, recovered=event.recovered)
        )
        if last is not None and now - last < TOLD_AGAIN:
            return
        self._told[text] = now
        if event.port in SILENT_PORTS or event.recovered or last is not None:
            self.show(text)
        else:
            self._speech.tell(text)

    def _storing(self, fault: JournalError, recovered: bool) -> None:
        """Show that the evening cannot be stored, or can be again; nothing need be done for it."""
        told = self._messages.event(fault.code, fault.fields, Then.GO_ON)
        text = self._messages.line("stored again") if recovered else told
        code, now = fault.code.value, self._clock.now()
        self._watch.tell(Fault(now, JOURNAL, text, code, fault.fields, recovered=recovered))
        self.show(text)

    def _change_listen(self, listen: Listen) -> None:
        self._listen = listen
        able = self._ears is not None and self._ears.is_able()
        self._speech.awaits(bool(listen.answers) and able)
        if self._ears is not None:
            self._ears.expect(listen)
        self._watch.asked(self._clock.now(), listen)
        self._keyboard.expect(listen)

    def _finish(self, effect: Finish) -> None:
        self.end(effect.ended, effect.result)

    def end(self, how: Ending, result: Mapping[str, Value] | None = None) -> None:
        """End what is played in this way, at once, and the session where nothing follows."""
        totals, now = dict(self.engine.state.totals), self._clock.now()
        outcome = Outcome(how, dict(result or {}), totals, now)
        if how in OVER:
            self._journal.finish(now, how, outcome.result, totals)
        if how in ("quit", "unanswered") or self._follow is None:
            self._following = None
        else:
            self._following = self._follow(outcome)
        if self._following is None:
            self.outcome = outcome
        if how not in ("chosen", "declined") or self._following is None:
            self._watch.tell(Ended(now, how, outcome.result, totals))

    def _go_on(self) -> None:
        """Begin what follows; what is still being said of the old is said first."""
        following, self._following = self._following, None
        if following is None:
            return
        self.engine, self._foresight = following.engine, following.foresight
        self._journal.change(following.journal, self._clock.now())
        self._listen = self._fired = self._foreseen = None
        self.take(following.first)

    def _take_typed(self) -> None:
        self._keyboard.take()
        self._go_on()

    def _nobody_can_answer(self) -> bool:
        if (self._ears is not None and self._ears.is_able()) or self._keyboard.may_answer():
            return False
        return self.engine.is_stuck and self._speech.is_silent()

    def _look_ahead(self, now: float) -> None:
        """Render what is likely to come next while this is heard."""
        if self._foresight is None or not self.engine.is_running:
            return
        if self.engine.place != self._foreseen:
            self._foreseen = self.engine.place
            state = self.engine.state.to_dict(now, history=False)
            likely = self._foresight.lines(state, now)
            self._speech.prepare([*likely, *self._foresight.own_lines])

    def _tell_ended(self) -> None:
        for line in self._speech.ended():
            self._watch.tell(line)

    def _hear_out(self) -> None:
        """Wait until the last line was heard."""
        while not self._speech.is_silent():
            check = self._speech.next_check()
            left = None if check is None else max(0.0, check - self._clock.now())
            if self._inbox.take(left) == QUIT:
                return
            self._speech.check()
            self._tell_ended()
