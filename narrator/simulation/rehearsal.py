"""A whole game without waiting: simulated players, a virtual clock, the real engine and a stage."""

from __future__ import annotations

import contextlib
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from narrator.core.codec import encode
from narrator.core.effects import (
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
from narrator.core.events import Event, Resumed, Start, TimerFired, Transcript
from narrator.core.expect import Meaning
from narrator.core.game import Game
from narrator.core.record import Past
from narrator.core.values import Seat, Value
from narrator.language.grammar.grammar import Grammar
from narrator.listening.interpreter import Interpreter
from narrator.ports.errors import JournalError
from narrator.ports.storage import Journal
from narrator.session.journal_writer import SAVED_EVERY
from narrator.simulation.simulated_players import Reply, SimulatedPlayers
from narrator.simulation.world import World

PATIENCE = 2.5
"""Seconds after an utterance without any reaction after which a player says it again."""
STRIDE = 0.1
"""Seconds by which time goes on at least while somebody waits to speak."""
MOST_TRIES = 8
"""Tries by voice after which a player types the answer."""
ROUNDED = 1e-6
"""Seconds that a moment may be missed by and count as reached. The stage counts from 0 and the
session from where it was broken off: their sum may stay short of a moment for ever.
"""
LONGEST = 6 * 3600.0
"""Session seconds after which a rehearsal is given up: the script does not end."""


@dataclass(slots=True)
class Answer:
    """One answer of the evening, from the question to its acceptance."""

    step: str
    seat: str
    """Who spoke."""
    asked: str
    said: str
    heard: str = ""
    """What was accepted, in words."""
    value: Value = None
    meant: Value = None
    """What whoever spoke meant to say; other than `value` where it was misheard."""
    of_what_was_read_back: bool = False
    """Whether it was to say if something had been heard right, or what had not."""
    tries: int = 0
    """Times it was said by voice."""
    typed: bool = False
    at: float = 0.0
    """Session seconds of its acceptance."""


@dataclass(slots=True)
class Report:
    """How the rehearsal went."""

    game: str
    seats: list[str]
    seed: int
    result: Mapping[str, Value] = field(default_factory=dict)
    totals: Mapping[str, Value] = field(default_factory=dict)
    ended: str = "unfinished"
    seconds: float = 0.0
    answers: list[Answer] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    """What could not be stored, each sentence once."""
    unused: list[str] = field(default_factory=list)
    """What players were to say by the list of answers, and had no occasion to."""
    journal: list[tuple[float, Event, list[Effect]]] = field(default_factory=list)
    phases: list[tuple[float, str]] = field(default_factory=list)
    """When each phase began."""
    timers: list[tuple[float, float, str]] = field(default_factory=list)
    """Begin, end and step of each wait and timer."""

    def to_dict(self) -> dict[str, Any]:
        """Return what `--json` prints."""
        return {
            "game": self.game,
            "seats": self.seats,
            "seed": self.seed,
            "ended": self.ended,
            "result": dict(self.result),
            "totals": dict(self.totals),
            "winners": self.result.get("winners"),
            "seconds": round(self.seconds, 1),
            "answers": [asdict(a) for a in self.answers],
            "faults": self.faults,
            "unused": self.unused,
        }

    def journal_lines(self) -> list[dict[str, Any]]:
        """Return the journal as JSON can hold it: two runs are the same if these are."""
        return [
            {"now": round(now, 3), "event": encode(event), "effects": encode(effects)}
            for now, event, effects in self.journal
        ]


class Rehearsal:
    """Plays one game to its end.

    Args:
        game: The compiled script.
        seats: The table.
        people: Who answers.
        stage: Where it is played.
        understanding: Gives the grammar of each moment.
        seed: Of the game.
        settings: Options and posts.
        journal: Also gets every event, before its effects are performed.
        past: What happened before: the game is taken up where it was broken off.
    """

    def __init__(
        self,
        game: Game,
        seats: Sequence[Seat],
        people: SimulatedPlayers,
        stage: World,
        understanding: Interpreter,
        *,
        seed: int = 0,
        settings: Mapping[str, Value] | None = None,
        journal: Journal | None = None,
        past: Past | None = None,
    ) -> None:
        self._engine = Engine(game, seats, seed=seed, settings=settings)
        self._journal = journal
        self._past = past
        self._begun = past.now if past else 0.0
        """Session seconds at which the stage's own time began."""
        self._unsaved = 0
        if past is not None:
            self._engine.take_over(past)
        self._people = people
        self._stage = stage
        self._understanding = understanding
        self.report = Report(game.id, [s.name for s in seats], seed)
        self._listen: Listen | None = None
        self._grammar: Grammar | None = None
        self._asked = ""
        self._reply: Reply | None = None
        self._due: float | None = None
        self._answer: Answer | None = None
        self._at = ""
        self._since = 0.0

    def run(self) -> Report:
        """Play to the end; return how it went."""
        stage = self._stage
        self._tell(Start() if self._engine.is_ready else Resumed())
        while self.report.ended == "unfinished" and self._now() < LONGEST:
            self._speak_up()
            for event in stage.advance(self._until() - self._begun):
                self._tell(event)
            self._fire()
        stage.drain()
        self.report.seconds = self._now()
        self.report.totals = dict(self._engine.state.totals)
        if self._journal is not None and self.report.ended in ("complete", "stopped"):
            report = self.report
            with contextlib.suppress(JournalError):  # its last event told of it
                self._journal.finish(self._now(), report.ended, report.result, report.totals)
        self.report.unused = [line.say for line in self._people.lines]
        return self.report

    def _now(self) -> float:
        return self._begun + self._stage.now()

    def _until(self) -> float:
        deadline = self._engine.deadline()
        marks = [deadline.due] if deadline else []
        if self._due is not None:
            # A line may be in the way when a player is due: time must go on all the same.
            marks.append(max(self._due, self._now() + STRIDE))
        elif self._reply is not None:
            marks.append(max(self._silent_since + PATIENCE, self._now() + STRIDE))
        return min(marks, default=self._now() + PATIENCE)

    def _fire(self) -> None:
        """Tell the engine of every timer that is due by now."""
        while (due := self._engine.deadline()) and due.due <= self._now() + ROUNDED:
            self._tell(TimerFired(due.name, due.generation))

    def _tell(self, event: Event) -> None:
        now = self._now()
        effects = self._engine.step(event, now)
        self.report.journal.append((now, event, effects))
        if self._journal is not None:
            self._store(self._journal, now, event, effects)
        if isinstance(event, Transcript):
            self._note(event, effects)
        self._follow(now)
        for effect in effects:
            self._perform(effect)

    def _store(self, journal: Journal, now: float, event: Event, effects: list[Effect]) -> None:
        """Store before anything is performed; what cannot be stored is played all the same."""
        self._unsaved += 1
        try:
            journal.append(now, event, effects)
            if self._unsaved >= SAVED_EVERY:
                journal.keep(now, self._engine.to_dict(now))
                self._unsaved = 0
        except JournalError as fault:
            if str(fault) not in self.report.notes:
                self.report.notes.append(str(fault))

    def _follow(self, now: float) -> None:
        """Keep the timeline of phases, waits and timers."""
        at = self._engine.at()
        if at == self._at:
            return
        phase = at.split("/", 1)[0]
        if phase != self._at.split("/", 1)[0]:
            self.report.phases.append((now, phase))
        if self._at.rsplit("/", 1)[-1].startswith(("wait", "timer", "discussion")):
            self.report.timers.append((self._since, now, self._at))
        self._at, self._since = at, now

    def _perform(self, effect: Effect) -> None:
        stage = self._stage
        if isinstance(effect, Say):
            self._asked = effect.text
            stage.say(effect)
        elif isinstance(effect, CountDown):
            stage.count(effect)
        elif isinstance(effect, Hush):
            stage.hush()
        elif isinstance(effect, Cover):
            stage.cover(effect.on)
        elif isinstance(effect, Cue):
            stage.cue(effect.name)
        elif isinstance(effect, Listen):
            self._hear(effect)
        elif isinstance(effect, Show):
            self.report.faults.append(effect.text)
        elif isinstance(effect, Finish):
            self.report.result, self.report.ended = effect.result, effect.ended

    def _hear(self, listen: Listen) -> None:
        self._listen = listen
        self._grammar = self._understanding.grammar(listen) if listen.expectations else None
        self._reply, self._due = None, None
        self._stage.listen(listen, self._grammar)

    def _speak_up(self) -> None:
        """Let a player answer as soon as somebody may."""
        if not self._stage.is_open() or self._listen is None or self._grammar is None:
            return
        now = self._now()
        if self._reply is None:
            self._plan(now)
        elif self._due is None:
            self._try_again(now)
        elif now >= self._due - ROUNDED:
            self._due = None
            self._say(self._reply)

    def _plan(self, now: float) -> None:
        listen, grammar = self._listen, self._grammar
        if listen is None or grammar is None:
            return
        tries = self._answer.tries if self._is_same() and self._answer else 0
        reply = self._people.reply(listen, grammar, tries + 1)
        if reply is None:
            return
        if not self._is_same():
            self._answer = Answer(listen.step, reply.seat, self._asked, reply.text)
            self._answer.of_what_was_read_back = bool(listen.reads_back)
        if self._answer is not None and reply.means is not None:
            self._answer.meant = reply.means.value
        self._reply, self._due = reply, now + reply.delay

    def _try_again(self, now: float) -> None:
        """Nothing happened after an utterance: say it once more, or type it in the end."""
        if now < self._silent_since + PATIENCE:
            return
        self._reply = None
        self._plan(now)

    def _is_same(self) -> bool:
        """Whether what is asked now is what was asked before and never accepted."""
        answer, listen = self._answer, self._listen
        return (
            answer is not None
            and listen is not None
            and answer.step == listen.step
            and (answer.heard == "")
        )

    _silent_since: float = 0.0
    """When the last player's utterance ends."""

    def _say(self, reply: Reply) -> None:
        answer = self._answer
        if answer is None or self._listen is None:
            return
        if answer.tries >= MOST_TRIES:
            if answer.typed:
                self.report.faults.append(f"Nobody could answer {answer.step}: {reply.text!r}.")
                self.report.ended = "stuck"
                return
            answer.typed = True
            self._silent_since = self._now()
            self._tell(self._understanding.typed(self._listen, reply.text))
            return
        answer.tries += 1
        answer.said = reply.text
        self._silent_since = self._now() + self._stage.utter(reply.seat, reply.text)

    def _note(self, event: Transcript, effects: Sequence[Effect]) -> None:
        """Close the answer's record once the engine has accepted it."""
        meaning: Meaning | None = event.meaning
        if self._answer is None or meaning is None or meaning.intent.startswith("command:"):
            return
        if any(isinstance(e, Refused) for e in effects):
            return
        self._answer.heard, self._answer.value = event.text, meaning.value
        if isinstance(meaning.value, dict) and meaning.value != self._answer.meant:
            self._people.take_back()
        self._answer.at = self._now()
        self.report.answers.append(self._answer)
        self._answer = None
