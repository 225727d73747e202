"""The one thread that thinks: it takes an event or the next deadline, and performs what follows."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol, TypeAlias

from narrator.core.effects import (
    Adjust,
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
from narrator.core.values import Value
from narrator.core.view import Deadline
from narrator.listening.interpreter import Interpreter
from narrator.ports.errors import JournalError
from narrator.ports.session import Clock, Inbox, Screen
from narrator.ports.storage import Journal
from narrator.session.keyboard_input import LISTEN_NOW, WAKE, KeyboardInput, prompt
from narrator.session.keys import HELP
from narrator.session.look_ahead import LookAhead
from narrator.session.replies import NOT_NOW, reply
from narrator.speaking.speech_queue import Speech

QUIT = Key("quit")
"""Ends the session at once, without a question: Ctrl-C."""
HOUSE_KEYS = ("quit", "typed", "talk")
LISTENING = "Listening."
DEAF = "Nothing is heard here. Please type."
UNANSWERED = (
    "The keyboard is closed and nothing is heard, so nobody can answer. The game ends here."
)
SILENT_PORTS = ("synthesiser", "speaker", "loudspeaker", "speech store")
"""Ports whose faults are shown only: there is no voice to tell them with, or nothing to hear, or
nothing to be done about it in the game."""

TOLD_AGAIN = 60.0
"""Seconds in which the same fault is told once."""

SAVED_EVERY = 20
"""Events after which the state is stored, so that resuming is quick."""
BEAT = 2.0
"""Seconds after which the time that was played is stored though nothing happened."""
EARLY = 0.25
"""Seconds before its moment at which a signal is planned: more than the loudspeaker holds."""
LOOK = 1.0
"""Seconds after which a running timer is looked after: the machine may have slept."""
STORED_AGAIN = "The evening is being stored again, with all that happened meanwhile."


Ending: TypeAlias = Literal["complete", "stopped", "quit", "unanswered", "declined"]


class Time(Clock, Protocol):
    """Session seconds, and what the machine slept."""

    def gap(self) -> float:
        """Return the seconds the machine slept since the last call; 0.0 where it did not."""
        ...


class Ears(Protocol):
    """What listens."""

    def expect(self, listen: Listen) -> None:
        """Change what may be said, from the next utterance on; returns at once."""
        ...

    def is_able(self) -> bool:
        """Whether it hears, or may hear again."""
        ...

    def talk(self) -> None:
        """Listen to the next utterance, whoever speaks."""
        ...


@dataclass(frozen=True, slots=True)
class Outcome:
    """How the session ended."""

    ended: Ending
    """To its end; by the table's own wish; by Ctrl-C; for want of anybody who could answer; or it
    was an offer that nobody took."""
    result: Mapping[str, Value] = field(default_factory=dict)
    totals: Mapping[str, Value] = field(default_factory=dict)
    seconds: float = 0.0


class Session:
    """Plays one game to its end.

    Args:
        engine: The game.
        speech: Speaks; reports to the same inbox.
        understanding: What is said and typed means.
        typed: The keyboard's lines; None: no keyboard.
        ears: What listens; None: the keyboard only.
        foresight: Finds lines to render ahead; None: every line is rendered when it is due.
    """

    def __init__(
        self,
        engine: Engine,
        inbox: Inbox,
        clock: Time,
        journal: Journal,
        screen: Screen,
        speech: Speech,
        understanding: Interpreter,
        *,
        typed: KeyboardInput | None = None,
        ears: Ears | None = None,
        foresight: LookAhead | None = None,
    ) -> None:
        self.engine = engine
        self._inbox, self._clock, self._journal = inbox, clock, journal
        self._screen, self._speech, self._understanding = screen, speech, understanding
        self._typed, self._ears, self._foresight = typed, ears, foresight
        self._listen: Listen | None = None
        self._fired: Deadline | None = None
        self._latest = 0.0
        """Session seconds of the last event."""
        self._outcome: Outcome | None = None
        self._prompted = ""
        self._foreseen: object = None
        self._journal_failed = False
        self._unsaved = 0
        """Events since the state was stored."""
        self._beaten = clock.now()
        """When the time that was played was last stored."""
        self._told: dict[str, float] = {}
        self._acts: dict[type[Effect], Callable[[Any], None]] = {
            Say: speech.say,
            CountDown: speech.count,
            Hush: lambda effect: speech.hush(),
            Cue: lambda effect: speech.cue(effect.name),
            Cover: lambda effect: speech.cover(effect.on),
            Listen: self._change_listen,
            Show: lambda effect: screen.line(effect.text),
            Adjust: speech.adjust,
            Refused: lambda effect: None,
            Finish: self._finish,
        }

    def run(self, first: Event | None = None) -> Outcome:
        """Play until the game is over and its last line was heard, or somebody quits.

        Args:
            first: What happens first; Start if not given.
        """
        try:
            self._take(first or Start())
            while self._outcome is None:
                self._turn()
            if self._outcome.ended != "quit":
                self._hear_out()
        except KeyboardInterrupt:
            self._end("quit")
        self._speech.hush()
        assert self._outcome is not None  # noqa: S101 - every way out of the loop has set it
        return self._outcome

    def _turn(self) -> None:
        event = self._next()
        self._look_after_time()
        if event is not None:
            self._handle(event)
        self._speech.check()
        if self._outcome is None:
            self._take_typed()
        if self._outcome is None and self._nobody_can_answer():
            self._speech.tell(UNANSWERED)
            self._end("unanswered")

    def _next(self) -> Event | None:
        """Wait for the next event; a timer that is due queues with the others, by its class."""
        now, due = self._clock.now(), self.engine.deadline()
        lead = EARLY if due is not None and due.signal else 0.0
        if due is not None and due.due - lead <= now and due != self._fired:
            self._fired = due
            self._inbox.post(TimerFired(due.name, due.generation))
        marks = [self._speech.next_check(), self._opening()]
        if due is not None:
            marks += [due.due - lead if due != self._fired else None, now + LOOK]
        soonest = min((mark for mark in marks if mark is not None), default=None)
        return self._inbox.take(None if soonest is None else max(0.0, soonest - now))

    def _handle(self, event: Event) -> None:
        if event == QUIT:
            self._end("quit")
        elif event == WAKE:
            return
        elif isinstance(event, PortFailed):
            self._tell_fault(event)
        else:
            self._take(event)

    def _take(self, event: Event) -> list[Effect]:
        now = self._moment_of(event)
        effects = self.engine.step(event, now)
        self._write(now, event, effects)
        for effect in effects:
            if isinstance(effect, Cue) and isinstance(event, TimerFired):
                self._speech.cue(effect.name, now)
            else:
                self._acts[type(effect)](effect)
        if isinstance(event, Transcript):
            self._speech.release()  # what fell silent for these words, and was not ended by them
        self._look_ahead(now)
        return effects

    def _moment_of(self, event: Event) -> float:
        """Return the moment an event belongs to, be it told early or late; none runs backwards."""
        now, fired = self._clock.now(), self._fired
        if isinstance(event, TimerFired) and fired is not None and fired.signal:
            now = max(now, fired.due) if fired.generation == event.generation else now
        if isinstance(event, SpeechFinished) and event.at is not None:
            now = min(now, event.at)
        self._latest = max(self._latest, now)
        return self._latest

    def _write(self, now: float, event: Event, effects: list[Effect]) -> None:
        """Store before anything is heard; what cannot be stored is played all the same."""
        self._unsaved += 1
        self._beaten = now
        try:
            self._journal.append(now, event, effects)
            if self._unsaved >= SAVED_EVERY:
                self._journal.keep(now, self.engine.to_dict(now))
                self._unsaved = 0
            if self._journal_failed:
                self._journal_failed = False
                self._screen.line(STORED_AGAIN)
        except JournalError as fault:
            if not self._journal_failed:
                self._journal_failed = True
                self._screen.line(f"{fault} The game goes on.")

    def _look_after_time(self) -> None:
        """Note the time that goes by while a timer runs, and a sleep of the machine at any time."""
        slept = self._clock.gap()
        if slept:
            self._take(Slept(slept))
        now = self._clock.now()
        if now - self._beaten >= BEAT and self.engine.deadline() is not None:
            self._beaten = now
            with contextlib.suppress(JournalError):  # the next event tells of it
                self._journal.beat(now)

    def _tell_fault(self, event: PortFailed) -> None:
        """Say a fault once, then show it now and then: a bad cable comes and goes all evening."""
        self._take(event)
        last, now = self._told.get(event.message), self._clock.now()
        if last is not None and now - last < TOLD_AGAIN:
            return
        self._told[event.message] = now
        if event.port in SILENT_PORTS or event.recovered or last is not None:
            self._screen.line(event.message)
        else:
            self._speech.tell(event.message)

    def _change_listen(self, listen: Listen) -> None:
        self._listen = listen
        answer = any(e.kind != "command" for e in listen.expectations)
        self._speech.awaits(answer and self._ears is not None and self._ears.is_able())
        if self._ears is not None:
            self._ears.expect(listen)
        if self._typed is not None:
            self._prompt(listen)

    def _prompt(self, listen: Listen) -> None:
        """Say in one line what may be typed, where that is not what it was before."""
        if self.engine.is_asking:
            return
        text = prompt(listen, self._understanding)
        if text and text != self._prompted:
            self._screen.line(text)
        self._prompted = text

    def _finish(self, effect: Finish) -> None:
        self._end(effect.ended, effect.result)

    def _end(self, how: Ending, result: Mapping[str, Value] | None = None) -> None:
        totals, now = dict(self.engine.state.totals), self._clock.now()
        self._outcome = Outcome(how, dict(result or {}), totals, now)
        if how in ("complete", "stopped"):
            with contextlib.suppress(JournalError):  # its last event told of it
                self._journal.finish(now, how, dict(result or {}), totals)

    def _take_typed(self) -> None:
        while self._typed is not None and self._outcome is None:
            event = self._typed.take(
                self._listen, open_now=self._is_asking(), timed=self.engine.is_timing
            )
            if event is None:
                return
            self._tell_typed(event)

    def _tell_typed(self, event: Event) -> None:
        """Hand on what was typed; whatever it is, something is shown for it."""
        if isinstance(event, Key):
            self._press(event)
            return
        lost = isinstance(event, Transcript) and event.meaning is None
        if lost and not self._is_asking():
            self._screen.line(NOT_NOW)
            self._take(event)
            return
        told = reply(self._take(event))
        awaited = prompt(self._listen, self._understanding) if lost and self._listen else ""
        self._show(f"{told} {awaited}" if told else "")

    def _press(self, key: Key) -> None:
        if key == LISTEN_NOW:
            self._listen_now()
            return
        if key.command == "pause" and self.engine.is_paused:
            key = Key("resume")
        if key.command == "help":
            self._screen.line(HELP)
        self._show(reply(self._take(key)))

    def _listen_now(self) -> None:
        able = self._ears is not None and self._ears.is_able()
        if self._ears is not None and able:
            self._ears.talk()
        self._screen.line(LISTENING if able else DEAF)

    def _show(self, text: str) -> None:
        if text:
            self._screen.line(text.strip())

    def _is_asking(self) -> bool:
        """Whether the game waits for an answer that counts by now."""
        return self.engine.awaits_answer(self._clock.now())

    def _opening(self) -> float | None:
        """Return when a typed line that waits may be taken, where that is known."""
        if self._typed is None or not self._typed.is_waiting():
            return None
        return self.engine.opens_at(self._clock.now())

    def _nobody_can_answer(self) -> bool:
        if self._ears is not None and self._ears.is_able():
            return False
        if self._typed is not None and not self._typed.is_over():
            return False
        return self.engine.is_stuck and self._speech.is_silent()

    def _look_ahead(self, now: float) -> None:
        """Have what is likely to come next rendered while this is heard."""
        if self._foresight is None or not self.engine.is_running:
            return
        if self.engine.place != self._foreseen:
            self._foreseen = self.engine.place
            state = self.engine.state.to_dict(now, history=False)
            likely = self._foresight.lines(state, now)
            self._speech.prepare([*likely, *self._foresight.own_lines])

    def _hear_out(self) -> None:
        """Wait until the last line was heard."""
        while not self._speech.is_silent():
            check = self._speech.next_check()
            left = None if check is None else max(0.0, check - self._clock.now())
            if self._inbox.take(left) == QUIT:
                return
            self._speech.check()
