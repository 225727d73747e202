"""A night of games: the narrator asks what is played and by whom, and after each what is next."""

from __future__ import annotations

import math
import os
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, datetime

from narrator.adapters.journal.memory import MemoryJournal
from narrator.adapters.system.clock import local_moment
from narrator.app.games import Loaded, load_game
from narrator.app.names import examine_names
from narrator.app.records import groups
from narrator.app.records.found import Found
from narrator.app.records.journal_store import JournalStore, opening_of
from narrator.app.records.posts import carried_on
from narrator.app.records.resume import stored_evening
from narrator.app.wiring import play
from narrator.config.settings import Settings
from narrator.core import hosting
from narrator.core.engine import Engine
from narrator.core.expect import AnswerKind
from narrator.core.game import Game, Line
from narrator.core.lobby import APART, Lobby
from narrator.core.record import Record
from narrator.core.values import Constant, Seat, Value
from narrator.language.text import normalise
from narrator.ports.session import Screen
from narrator.ports.storage import Journal
from narrator.script.compiler.translations import translated_into
from narrator.script.files.library import Entry, list_scripts
from narrator.session.outcome import GOES_ON, Outcome

_ASKED_AS: Mapping[str, AnswerKind] = {
    "yesno": "yesno", "number": "number", "duration": "number", "choice": "choice",
}  # fmt: skip
"""How an option of each kind is answered by voice; of a duration the minutes are."""
_MOST = 999
_WEEK = 7
"""Days within which the name of a weekday tells which day it was."""
_MINUTE = 60
MOST_KNOWN = 30
"""Names of earlier evenings that are offered: more cannot be told apart by voice."""


@dataclass(slots=True)
class Hosting:
    """Decides what follows each game and each question between games.

    Args:
        like: Any game in the table's language.
        settings: Of the program.
        keeping: Where evenings are stored.
        screen: Shows what is to be known about names.
        words: Respellings for the voice.
    """

    like: Loaded
    settings: Settings
    keeping: JournalStore
    screen: Screen
    words: Mapping[str, str]
    wins: Counter[str] = field(default_factory=Counter)
    """Games won tonight, by player."""
    evening: play.Evening | None = None
    """The game that is played, or was played last."""
    outcome: Outcome | None = None
    """Of the last game."""
    journal: Journal | None = None
    """Of the last game."""
    _asks: str = ""
    _chose: tuple[Loaded, tuple[Seat, ...]] | None = None
    """What is played by whom, while the table is asked how."""
    _found: Found | None = None
    """The game that was broken off, while the table is asked whether it goes on."""

    def begin(self) -> play.Sitting:
        """Ask whether a game that was broken off goes on; where there is none, what is played."""
        self._found = self.keeping.found_any(self.like.locale.language)
        if self._found is None:
            return self._set_up()
        self._asks = "offer"
        loaded = load_game(self._found.record.opening.game, self.settings.language)
        lobby = Lobby(loaded.game, self._found.record.opening.seats, self._found.question(loaded))
        return self._lobby(lobby, self._found.record.opening.seats)

    def _offered(self, outcome: Outcome) -> play.Sitting | None:
        """Go on with the game that was broken off, or set up another."""
        goes_on, found = outcome.result.get(GOES_ON), self._found
        if found is None or outcome.ended not in ("chosen", "declined"):
            return None
        if goes_on is True:
            self.evening = stored_evening(found.record, self.settings, self.words)
            self.journal, past = self.keeping.resumed(found.record)
            return play.Sitting(self.evening, self.journal, past)
        if goes_on is False:
            self.keeping.decline(found.record)
        return self._set_up()

    def _set_up(self) -> play.Sitting:
        """Greet, and ask what is played."""
        self._asks = "set up"
        records, seat = self.keeping.records(), self._own("a_seat")
        together, faults = groups.stored()
        for fault in faults:
            self.screen.line(fault)
        known = _known(records, seat, together)
        last = records[0].names() if records else ()
        offered = _offered(self.like.locale.language, records)
        game = hosting.set_up(
            self._language(), offered, last, list(known), seat,
            greets=self.evening is None, recap=self._recap(records),
            groups=[_spoken(group, self.like.locale.hosting["group"]) for group in together],
        )  # fmt: skip
        return self._lobby(_asking(game, tuple(known.values())), tuple(known.values()))

    def follow(self, outcome: Outcome) -> play.Sitting | None:
        """Return what comes behind what has just ended; None: the night is over."""
        asked, self._asks = self._asks, ""
        if asked == "offer":
            return self._offered(outcome)
        if asked == "set up":
            return self._chosen(outcome.result) if outcome.ended == "complete" else None
        if asked == "options":
            return self._with_options(outcome.result) if outcome.ended == "complete" else None
        if asked == "after":
            return self._next(outcome)
        self.outcome = outcome
        winners = outcome.result.get("winners")
        if isinstance(winners, list):
            self.wins.update(str(name) for name in winners)
        self._asks = "after"
        game = hosting.afterwards(self._language(), self._wins())
        seats = tuple(self.evening.seats) if self.evening else ()
        return self._lobby(_asking(game, seats), seats)

    def to_go_on(self) -> str:
        """Return how to resume the game that is being left; empty where none is."""
        number = getattr(self.journal, "evening", None)
        if self._asks or number is None:
            return ""
        return self.like.locale.messages.line("to resume", number=number)

    def _next(self, outcome: Outcome) -> play.Sitting | None:
        wanted = outcome.result.get("next") if outcome.ended == "complete" else None
        if wanted == hosting.AGAIN and self.evening is not None:
            return self._game(self.evening.loaded, self.evening.seats, self.evening.options)
        return self._set_up() if wanted == hosting.ANOTHER else None

    def _chosen(self, result: Mapping[str, Value]) -> play.Sitting:
        names = result.get("names")
        loaded = load_game(str(result.get("game")), self.settings.language)
        known = _known(self.keeping.records(), self._own("a_seat"), groups.stored()[0])
        found = [str(name) for name in names] if isinstance(names, list) else []
        seats = tuple(
            replace(known.get(name, Seat(0, name)), number=number)
            for number, name in enumerate(found, 1)
        )
        for finding in examine_names(seats, loaded.locale, game=loaded.game):
            self.screen.line(str(finding))
        if result.get("same") is True:
            return self._game(loaded, seats, self._options_of(loaded.game, found))
        wanted = _wanted(loaded.game, len(seats))
        if not wanted:
            return self._game(loaded, seats, {})
        self._asks, self._chose = "options", (loaded, seats)
        asking = _asking(hosting.options(self._language(), wanted), seats)
        return self._lobby(asking, seats)

    def _with_options(self, result: Mapping[str, Value]) -> play.Sitting | None:
        chosen = result.get("options")
        if self._chose is None:
            return None
        return self._game(*self._chose, chosen if isinstance(chosen, dict) else {})

    def _options_of(self, game: Game, names: Sequence[str]) -> Mapping[str, Value]:
        """Return the options with which these people played a game last."""
        there = {option.name for option in game.options}
        for record in self.keeping.earlier(game.id):
            if record.names() == list(names):
                return {k: v for k, v in record.opening.options.items() if k in there}
        return {}

    def _recap(self, records: Sequence[Record]) -> str:
        """Return who won the last game that was played to its end."""
        last = next((r for r in records if r.ended == "complete"), None)
        winners = last.result.get("winners") if last else None
        if last is None or not isinstance(winners, list) or not winners:
            return ""
        begun = last.opening.begun
        days = (_day(local_moment()) - _day(begun)).days
        return self.recap_of([str(name) for name in winners], last.opening.title, begun, days)

    def recap_of(self, winners: Sequence[str], title: str, begun: str, days: int) -> str:
        """Return who won a game that was begun so many days ago."""
        line = "recap_today" if days == 0 else "recap_day" if 0 < days < _WEEK else "recap_earlier"
        weekdays = self._own("weekdays").split(";")
        day = weekdays[_day(begun).weekday() % len(weekdays)].strip()
        return self._own(line, winners=list(winners), title=title, day=day)

    def _game(
        self, loaded: Loaded, seats: Sequence[Seat], options: Mapping[str, Value]
    ) -> play.Sitting:
        posts = {post.name for post in loaded.game.posts}
        kept = {name: value for name, value in options.items() if name not in posts}
        carried = carried_on(loaded.game, seats, self.keeping.earlier(loaded.game.id))
        seed = int.from_bytes(os.urandom(4), "big")
        evening = play.Evening(
            loaded, tuple(seats), self.settings, {**carried, **kept}, seed, self.words
        )
        opening = opening_of(
            loaded, tuple(seats), evening.options, self.settings, seed, evening.begun
        )
        self.evening, self.journal = evening, self.keeping.journal(opening)
        return play.Sitting(evening, self.journal)

    def _lobby(self, engine: Engine | Lobby, seats: tuple[Seat, ...]) -> play.Sitting:
        evening = play.Evening(self.like, seats, self.settings, words=self.words, is_asked_for=True)
        return play.Sitting(evening, MemoryJournal(), lobby=engine)

    def _language(self) -> hosting.Words:
        return hosting.Words(self.like.game.own, self.like.locale.hosting)

    def _own(self, name: str, **scope: Value) -> str:
        return str(self.like.game.own[name](scope))

    def _wins(self) -> str:
        """Return who has won how often tonight, once that is more than one game's result."""
        if self.wins.total() < 2:
            return ""
        return " ".join(
            self._own("one_win" if count == 1 else "more_wins", winner=winner, count=count).strip()
            for winner, count in self.wins.most_common()
        )


def _asking(game: Game, seats: Sequence[Seat]) -> Engine:
    """Return what asks, with lines of its own numbers: none is taken for one of a game's."""
    engine = Engine(game, seats)
    engine.state.utterance = engine.state.listen = APART
    return engine


def _day(moment: str) -> date:
    return datetime.fromisoformat(moment).date()


def _wanted(game: Game, players: int) -> list[hosting.Wanted]:
    """Return the options that a table of so many is asked about."""
    found = []
    for option in game.asked_options:
        question = option.question_for(players)
        if question and option.kind in _ASKED_AS:
            scale = _MINUTE if option.kind == "duration" else 1
            low, high = option.low_for(players) or 0, option.high_for(players) or _MOST
            line = Line(f"options/{option.name}", Constant(question), "question")
            bounds = math.ceil(low / scale), int(high // scale)
            kind = _ASKED_AS[option.kind]
            found.append(hosting.Wanted(option.name, line, kind, *bounds, option.choices, scale))
    return found


def any_game(language: str) -> Loaded:
    """Return any game in a language, for its locale and the narrator's own lines."""
    found = next(e for e in list_scripts() if e.low and _is_in(language or "en", e))
    return load_game(str(found.path), language)


def _spoken(group: groups.Group, frames: Sequence[str]) -> hosting.Known:
    """Return a group with what names it aloud."""
    said = normalise(group.name)
    phrases = tuple(frame.replace("{name}", said) for frame in frames)
    return hosting.Known(group.name, tuple(group.names()), phrases)


def _known(
    records: Iterable[Record], nameless: str, together: Sequence[groups.Group] = ()
) -> dict[str, Seat]:
    """Return everybody who played before, with how their names sound, the newest evening first.

    Seats that were only called by their number, behind this word, are nobody in particular.
    """
    found: dict[str, Seat] = {}
    tables = [group.table.seats for group in together]
    tables += [record.opening.seats for record in records]
    for seats in tables:
        for seat in seats:
            is_number = seat.name.removeprefix(f"{nameless} ").isdecimal()
            if len(found) < MOST_KNOWN and not is_number:
                found.setdefault(seat.name, replace(seat, number=len(found) + 1))
    return found


def _offered(language: str, records: Sequence[Record]) -> list[hosting.Offered]:
    entries = [_in(language, e) for e in list_scripts() if e.low and _is_in(language, e)]
    last = {r.opening.game: tuple(r.names()) for r in reversed(records)}
    said = {e.name: _ways(e, entries) for e in entries}
    return [
        hosting.Offered(e.name, e.title, said[e.name], e.low, e.high, last.get(e.name, ()))
        for e in entries
    ]


def _is_in(language: str, entry: Entry) -> bool:
    return language == entry.language or language in translated_into(entry.path)


def _in(language: str, entry: Entry) -> Entry:
    """Return an entry with its title in a language."""
    if language == entry.language:
        return entry
    return replace(entry, title=load_game(str(entry.path), language).game.title)


def _ways(entry: Entry, entries: Sequence[Entry]) -> tuple[str, ...]:
    """Return what a game is called: its title, and the beginning of it that no other title has."""
    words = normalise(entry.title).split()
    others = [normalise(e.title).split() for e in entries if e.name != entry.name]
    short = next(
        (words[:n] for n in range(1, len(words)) if all(o[:n] != words[:n] for o in others)), words
    )
    short = words[: max(len(short), 2)]
    return tuple(dict.fromkeys((" ".join(words), " ".join(short))))
