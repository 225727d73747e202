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

SAME, COUNT, NEW, LIST, USUAL = "same", "count", "new", "list", "usual"
_GROUP = "group "
"""Before the name of a group, as an answer."""
_AND = " / "
"""Between the parts of an answer that names a game and its players."""
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

    def ways(self, frames: Sequence[str]) -> tuple[str, ...]:
        """Return templates around `{choice}` with each way to call this game."""
        said = f"({'|'.join(self.phrases)})"
        return tuple(frame.replace("{choice}", said) for frame in frames)


@dataclass(frozen=True, slots=True)
class Wanted:
    """An option of a game that its script asks the table about."""

    name: str
    question: Line
    kind: AnswerKind
    low: int = 0
    high: int = 0
    choices: tuple[str, ...] = ()
    scale: int = 1
    """By which a number is multiplied: minutes are asked for, seconds are kept."""


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


@dataclass(frozen=True, slots=True)
class Known:
    """A group of people who play together often."""

    name: str
    people: tuple[str, ...]
    """Clockwise."""
    phrases: tuple[str, ...]
    """What names it; a slot `{seat:without}` names who is missing."""

    def without(self, name: Value) -> tuple[str, ...]:
        """Return who is there when somebody is missing."""
        return tuple(person for person in self.people if person != name)


def set_up(
    words: Words,
    offered: Sequence[Offered],
    last: Sequence[str],
    names: Sequence[str],
    seat: str,
    *,
    greets: bool = True,
    recap: str = "",
    groups: Sequence[Known] = (),
) -> Game:
    """Return what asks which game is played, and who plays.

    Both may be said in one sentence: "Mafia with six", "Mafia as last time".

    Args:
        words: Of the table's language.
        offered: The games there are.
        last: Who played the last game of any kind, clockwise; empty: nobody did.
        names: Everybody whose name is known; they are the seats of this game.
        seat: What a seat without a name is called, followed by its number.
        greets: Whether it is the first game of the night.
        recap: Told after the greeting: who won the last time.
        groups: People who play together often, who need not be named one by one.
    """
    by_title = {o.title: o for o in offered}
    naming = _naming(words, by_title, tuple(last), bool(names), seat, groups)
    told = (Set("told", (("recap", Constant(recap)),)), Say("begins", words.line("hosting_begins")))
    greeting = told if greets else ()
    steps: tuple[Step, ...] = (*greeting, _which(words, offered, bool(last)), naming)
    chosen = _Of(lambda s: by_title[str(s.get("game"))].id)
    seated = _Of(lambda s: s.get("names"))
    result = (("game", chosen), ("names", seated), ("same", _is("who", SAME)))
    return Game("hosting", "", "", 0, 99, (Phase("setup", steps),), own=words.own, result=result)


def _which(words: Words, offered: Sequence[Offered], known: bool) -> Repeat:
    titles: list[Value] = [o.title for o in offered]
    counted = [_wish(o, COUNT, words.phrases["game count"]) for o in offered]
    same = [_wish(o, SAME, words.phrases["game same"]) for o in offered] if known else []
    ask = Ask(
        "game", words.line("which_game"), "choice", "wish", templates=words.phrases["game"],
        choices=tuple(Choice(o.title, o.phrases) for o in offered), slots=("count",),
        others=(words.choice(LIST), *counted, *same),
    )  # fmt: skip
    told = If("listed", _is("wish", LIST), (Say("titles", words.line("game_titles")),))
    cut = Set("cut", (("game", _part("wish", 0)), ("who", _part("wish", 1))))
    steps: tuple[Step, ...] = (Set("there", (("titles", Constant(titles)),)), ask, told, cut)
    return Repeat("which", steps, until=_Of(lambda s: s.get("wish") != LIST))


def _wish(offered: Offered, who: str, frames: Sequence[str]) -> Choice:
    """Return what names a game and its players in one sentence."""
    return Choice(f"{offered.title}{_AND}{who}", offered.ways(frames))


def _part(name: str, number: int) -> _Of:
    """Return a part of what was wished for: a game's title, then who plays it, if that was said."""
    return _Of(lambda scope: f"{scope.get(name)}{_AND}".split(_AND)[number])


def _naming(
    words: Words, offered: Mapping[str, Offered], last: tuple[str, ...], known: bool, seat: str,
    groups: Sequence[Known],
) -> Repeat:  # fmt: skip
    """Ask who plays until the names were read back and are right."""
    by_name = {f"{_GROUP}{group.name}": group for group in groups}

    def named(scope: Scope) -> Value:
        group = by_name.get(str(scope.get("who")))
        if group:
            return list(group.without(scope.get("without")))
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
    others += [Choice(name, group.phrases) for name, group in by_name.items()]
    asks: tuple[Step, ...] = (_who(words, "names", others, "who_plays_names"),)
    if known:
        new = (*others, words.choice(NEW))
        first = _who(words, "seats", new, "who_plays_known")
        asks = (first, If("others", _is("who", NEW), (_who(words, "names", others, "say_names"),)))
    read_back = Ask("right", words.line("names_read_back"), "yesno", "right", confirms=("names",))
    refused = Say("not-fitting", words.line("not_so_many"))
    checked = If("fitting", _Of(fits), (read_back,), (refused,))
    unasked = If("unasked", _is("who", ""), asks)
    steps = (
        Set("bounds", bounds),
        unasked,
        Set("named", (("names", _Of(named)),)),
        checked,
        _AFRESH,
    )
    return Repeat("naming", steps, until=_Of(lambda s: s.get("right") is True))


_AFRESH = If("wrong", _is("right", False), (Set("afresh", (("who", Constant("")),)),))
"""Where what was read back is not right, the table is asked who plays."""


def _seats(game: Offered, names: Sequence[Value]) -> bool:
    """Whether so many can play a game."""
    return game.low <= len(names) <= game.high


def _fits(game: Offered, last: Sequence[str]) -> bool:
    """Whether those who played last can play this game."""
    return bool(game.last) or _seats(game, list(last))


def _who(words: Words, kind: AnswerKind, others: Sequence[Choice], line: str) -> Ask:
    return Ask(
        kind, words.line(line), kind, "who", low=Constant(1), high=Constant(99),
        as_said=True, others=tuple(others), slots=("count", "without"),
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


def options(words: Words, wanted: Sequence[Wanted]) -> Game:
    """Return what asks whether a game is played as usual, and if not, for each of its options."""
    usual = Ask("usual", words.line("as_usual"), "yesno", "usual", others=(words.choice(USUAL),))
    asks = tuple(
        Ask(
            f"option-{number}", option.question, option.kind, f"option_{number}",
            low=Constant(option.low), high=Constant(option.high),
            choices=tuple(Choice(c, (c,)) for c in option.choices), others=(words.choice(USUAL),),
        )
        for number, option in enumerate(wanted)
    )  # fmt: skip
    own = If("own", _is("usual", False), asks)
    result = (("options", _Of(lambda scope: _chosen(wanted, scope))),)
    steps: tuple[Step, ...] = (usual, own)
    return Game("options", "", "", 0, 99, (Phase("setup", steps),), own=words.own, result=result)


def _chosen(wanted: Sequence[Wanted], scope: Scope) -> Value:
    """Return what was answered, by option; one that is left as usual is not among them."""
    said = {o.name: (o, scope.get(f"option_{n}")) for n, o in enumerate(wanted)}
    return {
        name: value * o.scale if o.scale != 1 and isinstance(value, int) else value
        for name, (o, value) in said.items()
        if value not in (None, USUAL)
    }


def afterwards(words: Words, wins: str) -> Game:
    """Return what asks what comes after a game, behind who has won how often tonight."""
    choices = tuple(words.choice(name) for name in (AGAIN, ANOTHER, GOOD_NIGHT))
    ask = Ask("next", words.line("what_next"), "choice", "next", choices=choices)
    end = If("over", _is("next", GOOD_NIGHT), (Say("good-night", words.line("good_night")),))
    steps = (Set("so-far", (("wins", Constant(wins)),)), ask, end)
    result = (("next", _Of(lambda s: s.get("next"))),)
    return Game("afterwards", "", "", 0, 99, (Phase("after", steps),), own=words.own, result=result)
