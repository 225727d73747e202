"""A whole game without waiting: the session, in a world of its own, with simulated players."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

from narrator.adapters.journal.memory import JournalPair, MemoryJournal
from narrator.core.effects import Show
from narrator.core.engine import Engine
from narrator.core.events import Resumed, Start
from narrator.core.game import Game
from narrator.core.record import OVER, Past
from narrator.core.values import Seat, Value
from narrator.listening.interpreter import Interpreter
from narrator.ports.session import Input
from narrator.ports.storage import Journal
from narrator.session.endpoints import Endpoints
from narrator.session.session import QUIT, Session
from narrator.session.watch import Watch
from narrator.simulation.clock import VirtualClock
from narrator.simulation.conversation import Conversation, Place
from narrator.simulation.report import Report, Reporter, Uttered
from narrator.simulation.simulated_players import SimulatedPlayers
from narrator.simulation.virtual_inbox import VirtualInbox
from narrator.speaking.speech_queue import Speech


class World(Place, Protocol):
    """A place with a clock of its own, where the narrator speaks and listens, and players speak."""

    watch: Watch
    """Notified of every line; the rest of a session's observers are added here."""
    speech: Speech
    understanding: Interpreter
    spoken: list[Uttered]

    @property
    def clock(self) -> VirtualClock:
        """Session seconds."""
        ...

    @property
    def inbox(self) -> VirtualInbox:
        """What moves them."""
        ...

    @property
    def ears(self) -> Input:
        """What listens."""
        ...

    def close(self) -> None:
        """Complete the recording."""
        ...


class Rehearsal:
    """Plays one game to its end.

    Args:
        game: The compiled script.
        seats: The table.
        people: Who answers.
        world: Where it is played; where a game is resumed, its clock stands at that moment.
        seed: Of the game.
        options: Options and posts.
        journal: Also gets every event, before its effects are performed.
        past: What happened before: the game is taken up where it was broken off.
    """

    def __init__(
        self,
        game: Game,
        seats: Sequence[Seat],
        people: SimulatedPlayers,
        world: World,
        *,
        seed: int = 0,
        options: Mapping[str, Value] | None = None,
        journal: Journal | None = None,
        past: Past | None = None,
    ) -> None:
        engine = Engine(game, seats, seed=seed, settings=options)
        if past is not None:
            engine.take_over(past)
        self._first = Start() if engine.is_ready else Resumed()
        self._people, self._world = people, world
        self._log = MemoryJournal()
        self.report = Report(game.id, [s.name for s in seats], seed)
        inbox = world.inbox
        self._conversation = Conversation(
            people, world.understanding, world.clock, world, inbox.post,
            lambda: inbox.post(QUIT),
        )  # fmt: skip
        inbox.movers.append(self._conversation)
        world.watch.add(Reporter(self.report))
        world.watch.add(self._conversation)
        self._session = Session(
            engine,
            Endpoints(world.clock, inbox, world.ears, world.speech, None, (world.watch,)),
            JournalPair(self._log, journal) if journal else self._log,
            world.understanding,
        )

    def run(self) -> Report:
        """Play to the end; return how it went."""
        outcome = self._session.run(self._first)
        self._world.close()
        report = self.report
        report.totals = outcome.totals
        stuck = self._conversation.stuck
        if outcome.ended not in OVER:
            report.ended = "stuck" if stuck else "unfinished"
            stuck = stuck or self._unfinished()
        report.seconds = self._world.clock.now()
        report.answers = self._conversation.answers
        report.journal = [(e.now, e.event, list(e.effects)) for e in self._log.entries()]
        shown = [e.text for _, _, effects in report.journal for e in effects if isinstance(e, Show)]
        report.faults = [*shown, *report.faults, *([stuck] if stuck else [])]
        report.spoken += self._world.spoken
        report.unused = [line.say for line in self._people.lines]
        return report

    def _unfinished(self) -> str:
        """Say at which step the game stood when the time was over, and what was tried there."""
        at, played = self._session.engine.at(), round(self._world.clock.now() / 60)
        tried = self._conversation.tries.told(at)
        return f"After {played} minutes of play the game is at `{at}`. {tried}"
