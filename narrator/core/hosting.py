"""What is asked around the games of a night: what is played, by whom, and what comes next.

The set-up and the question behind a game are games like any other, made of the same steps, so that
all commands, keys, read-backs and reminders work in them; the one session plays them in turn. What
the table has chosen is their result. Their lines are the narrator's own.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from narrator.core.expect import AnswerKind
from narrator.core.game import Choice, Game, Line, Phase, Step
from narrator.core.steps.asked.ask import Ask
from narrator.core.steps.blocks.branch import If
from narrator.core.steps.blocks.repeat import Repeat
from narrator.core.steps.spoken.say import Say
from narrator.core.steps.values.set import Set
from narrator.core.values import Constant, Expression, Scope, Value

SAME, COUNT, NEW, LIST = "same", "count", "new", "list"
AGAIN, ANOTHER, GOOD_NIGHT = "again", "another", "good night"


@dataclass(frozen=True, slots=True)
class Offered:
    """A game that can be played."""

    id: str
    title: str
    phrases: tuple[str, ...]
    low: int
    high: int
    last: tuple[str, ...] = ()
    """Who played it last, clockwise."""


@dataclass(frozen=True, slots=True)
class Words:
    """The words of a language around the games."""

    own: Mapping[str, Expression]
    """The narrator's own lines, by id."""
    phrases: Mapping[str, tuple[str, ...]]
    """What may be said, by `list`, `same`, `count`, `new`, `again`, `another`, `good night`."""

    def line(self, name: str) -> Line:
        """Return one of the narrator's own lines, as it is asked."""
        return Line(f"own/{name}", self.own[name], "question")

    def choice(self, name: str) -> Choice:
        """Return what may be said for one of these words."""
        return Choice(name, self.phrases[name])


@dataclass(frozen=True, slots=True)
class _Of:
    """An expression by a function of the scope."""

    function: Callable[[Scope], Value]

    def __call__(self, scope: Scope) -> Value:
        return self.function(scope)


def _is(name: str, value: Value) -> _Of:
    return _Of(lambda scope: scope.get(name) == value)


def set_up(
    words: Words,
    offered: Sequence[Offered],
    last: Sequence[str],
    names: Sequence[str],
    seat: str,
    *,
    greets: bool = True,
) -> Game:
    """Return what asks which game is played, and who plays.

    Args:
        words: Of the table's language.
        offered: The games there are.
        last: Who played the last game of any kind, clockwise; empty: nobody did.
        names: Everybody whose name is known; they are the seats of this game.
        seat: What a seat without a name is called, followed by its number.
        greets: Whether it is the first game of the night.
    """
    by_title = {o.title: o for o in offered}
    naming = _naming(words, by_title, tuple(last), bool(names), seat)
    greeting = (Say("begins", words.line("hosting_begins")),) if greets else ()
    steps: tuple[Step, ...] = (*greeting, _which(words, offered), naming)
    chosen = _Of(lambda s: by_title[str(s.get("game"))].id)
    result = (("game", chosen), ("names", _Of(lambda s: s.get("names"))))
    return Game("hosting", "", "", 0, 99, (Phase("setup", steps),), own=words.own, result=result)


def _which(words: Words, offered: Sequence[Offered]) -> Repeat:
    titles: list[Value] = [o.title for o in offered]
    ask = Ask(
        "game", words.line("which_game"), "choice", "game", templates=words.phrases["game"],
        choices=tuple(Choice(o.title, o.phrases) for o in offered), others=(words.choice(LIST),),
    )  # fmt: skip
    told = If("listed", _is("game", LIST), (Say("titles", words.line("game_titles")),))
    steps: tuple[Step, ...] = (Set("there", (("titles", Constant(titles)),)), ask, told)
    return Repeat("which", steps, until=_Of(lambda s: s.get("game") != LIST))


def _naming(
    words: Words, offered: Mapping[str, Offered], last: tuple[str, ...], known: bool, seat: str
) -> Repeat:
    """Ask who plays until the names were read back and are right."""

    def named(scope: Scope) -> Value:
        return list(_names(scope.get("who"), scope, offered, last, seat))

    def fits(scope: Scope) -> Value:
        found = scope.get("names")
        return isinstance(found, list) and _seats(offered[str(scope.get("game"))], found)

    bounds = (
        ("title", _Of(lambda s: offered[str(s.get("game"))].title)),
        ("least", _Of(lambda s: offered[str(s.get("game"))].low)),
        ("most", _Of(lambda s: offered[str(s.get("game"))].high)),
        ("known", _Of(lambda s: _fits(offered[str(s.get("game"))], last))),
        ("right", Constant(False)),
    )
    others = [words.choice(COUNT)] + ([words.choice(SAME)] if last else [])
    asks: tuple[Step, ...] = (_who(words, "names", others, "who_plays_names"),)
    if known:
        new = (*others, words.choice(NEW))
        first = _who(words, "seats", new, "who_plays_known")
        asks = (first, If("others", _is("who", NEW), (_who(words, "names", others, "say_names"),)))
    read_back = Ask("right", words.line("names_read_back"), "yesno", "right", confirms=("names",))
    refused = Say("not-fitting", words.line("not_so_many"))
    checked = If("fitting", _Of(fits), (read_back,), (refused,))
    steps = (Set("bounds", bounds), *asks, Set("named", (("names", _Of(named)),)), checked)
    return Repeat("naming", steps, until=_Of(lambda s: s.get("right") is True))


def _seats(game: Offered, names: Sequence[Value]) -> bool:
    """Whether so many can play a game."""
    return game.low <= len(names) <= game.high


def _fits(game: Offered, last: Sequence[str]) -> bool:
    """Whether those who played last can play this game."""
    return bool(game.last) or _seats(game, list(last))


def _who(words: Words, kind: AnswerKind, others: Sequence[Choice], line: str) -> Ask:
    return Ask(
        kind, words.line(line), kind, "who", low=Constant(1), high=Constant(99),
        as_said=True, others=tuple(others), slots=("count",),
    )  # fmt: skip


def _names(
    who: Value, scope: Scope, offered: Mapping[str, Offered], last: tuple[str, ...], seat: str
) -> tuple[str, ...]:
    """Return who plays, clockwise, as it was said."""
    if who == SAME:
        return offered[str(scope.get("game"))].last or last
    if who == COUNT:
        count = scope.get("count")
        return tuple(f"{seat} {n + 1}" for n in range(count)) if isinstance(count, int) else ()
    return tuple(str(name) for name in who) if isinstance(who, list) else ()


def afterwards(words: Words, wins: str) -> Game:
    """Return what asks what comes after a game, behind who has won how often tonight."""
    choices = tuple(words.choice(name) for name in (AGAIN, ANOTHER, GOOD_NIGHT))
    ask = Ask("next", words.line("what_next"), "choice", "next", choices=choices)
    end = If("over", _is("next", GOOD_NIGHT), (Say("good-night", words.line("good_night")),))
    steps = (Set("so-far", (("wins", Constant(wins)),)), ask, end)
    result = (("next", _Of(lambda s: s.get("next"))),)
    return Game("afterwards", "", "", 0, 99, (Phase("after", steps),), own=words.own, result=result)
