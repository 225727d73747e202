"""Begin an evening, go on with one that was broken off, or ask the table which."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import TypeAlias

from narrator.adapters.journal.memory import MemoryJournal
from narrator.app.games import Loaded
from narrator.app.records.found import Found
from narrator.app.records.journal_store import JournalStore, opening_of, stored_game
from narrator.app.records.posts import carried_on
from narrator.app.wiring import play
from narrator.config.settings import Settings
from narrator.core.lobby import Lobby
from narrator.core.record import Past, Record
from narrator.core.values import Value
from narrator.ports.session import Screen
from narrator.ports.storage import Journal
from narrator.session.outcome import GOES_ON, Outcome

Wrap: TypeAlias = Callable[[Journal], Journal]
"""Puts something beside the journal, such as a log."""
Play: TypeAlias = Callable[[], tuple[play.Evening, Outcome]]


class Unnamed(Exception):
    """A new game is wanted, and it is not known yet who plays."""


@dataclass(slots=True)
class Plays:
    """All ways to play an evening.

    Args:
        keeping: The journal.
        loaded: The game as it is now.
        settings: Of the program.
        words: Respellings for the voice.
        fresh: Makes a new evening; may ask at the terminal who plays.
        named: Whether it knows who plays without asking.
        wrap: Puts something beside the journal.
    """

    keeping: JournalStore
    loaded: Loaded
    settings: Settings
    words: Mapping[str, str]
    fresh: Callable[[], play.Evening]
    named: bool
    wrap: Wrap
    _evening: play.Evening | None = None
    _stored_in: list[Journal] = field(default_factory=list)

    def to_go_on(self) -> str:
        """Return how to resume a game that is being left; empty if nothing of it is stored.

        A game that ended needs no such hint.
        """
        for journal in self._stored_in[-1:]:
            number = getattr(journal, "evening", None)
            if number is not None:
                return self.loaded.locale.messages.line("to resume", number=number)
        return ""

    def begin(self, screen: Screen) -> tuple[play.Evening, Outcome]:
        """Play a new evening."""
        evening = self._carried(self.fresh())
        return evening, play.play(evening, self._new(evening), screen)

    def go_on(self, record: Record, screen: Screen) -> tuple[play.Evening, Outcome]:
        """Play a stored evening to its end. Raises NarratorError if that is impossible."""
        evening = self._stored(record)
        journal, past = self._past(record)
        return evening, play.play(evening, journal, screen, past=past)

    def ask(self, found: Found, screen: Screen) -> tuple[play.Evening, Outcome]:
        """Ask the table, and play what it chooses.

        Raises:
            Unnamed: The table chose a new game, and nobody was named so far.
        """
        evening = self._evening = self._stored(found.record)
        lobby = Lobby(evening.loaded.game, evening.seats, found.question(self.loaded))

        def answered(outcome: Outcome) -> play.Sitting | None:
            if outcome.ended not in ("chosen", "declined"):
                return None
            return self._answered(found.record, outcome.result.get(GOES_ON))

        outcome = play.play(evening, MemoryJournal(), screen, lobby=lobby, follow=answered)
        return self._evening, outcome

    def _answered(self, record: Record, answer: Value) -> play.Sitting:
        if answer is True:
            return play.Sitting(self._stored(record), *self._past(record))
        if answer is False:
            self.keeping.decline(record)
        if not self.named:
            raise Unnamed
        evening = self._evening = self._carried(self.fresh())
        return play.Sitting(evening, self._new(evening))

    def _carried(self, evening: play.Evening) -> play.Evening:
        """Assign the posts as the last game announced; what was set for this one wins."""
        game = evening.loaded.game
        posts = carried_on(game, evening.seats, self.keeping.earlier(game.id))
        return replace(evening, options={**posts, **evening.options})

    def _stored(self, record: Record) -> play.Evening:
        return stored_evening(record, self.settings, self.words)

    def _past(self, record: Record) -> tuple[Journal, Past]:
        journal, past = self.keeping.resumed(record)
        self._stored_in.append(journal)
        return self.wrap(journal), past

    def _new(self, evening: play.Evening) -> Journal:
        opening = opening_of(
            evening.loaded, tuple(evening.seats), evening.options, evening.settings, evening.seed,
            evening.begun,
        )  # fmt: skip
        journal = self.keeping.journal(opening)
        self._stored_in.append(journal)
        return self.wrap(journal)


def stored_evening(record: Record, settings: Settings, words: Mapping[str, str]) -> play.Evening:
    """Return a stored evening, with its script as it was. Raises NarratorError."""
    opening = record.opening
    return play.Evening(
        stored_game(record), opening.seats, settings, opening.options, opening.seed,
        words, opening.begun,
    )  # fmt: skip
