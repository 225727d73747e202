"""The functions and filters that scripts may use. Pure; seats are names, listed clockwise.

Rule numbers in the docstrings are of the games named there, so that a reader can check them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from string import ascii_uppercase

from narrator.core.values import ExpressionError, Value

Number = int | float

TIME_WORDS: Mapping[str, str] = {
    "and": "and",
    "minute": "minute",
    "minutes": "minutes",
    "second": "second",
    "seconds": "seconds",
}
"""English; a locale may hand in its own."""


ARTICLES = ("a", "an", "the")
"""English; a locale may hand in its own."""


def clamp(value: Number, low: Number, high: Number) -> Number:
    """Keep a value within limits (One Night Revolution: the day lasts five to ten minutes)."""
    return max(low, min(high, value))


def majority(count: int) -> int:
    """Return the smallest number above half (One Night Revolution: ends the day early)."""
    return int(count) // 2 + 1


def letters(count: int) -> list[str]:
    """Return the first letters of the alphabet, from A (Subtext: the letters of the drawings).

    Raises:
        ExpressionError: fewer than 0 or more than 26 are wanted.
    """
    if not 0 <= int(count) <= len(ascii_uppercase):
        raise ExpressionError(f"there are 26 letters, and {count} were asked for")
    return list(ascii_uppercase[: int(count)])


def _position(seats: Sequence[str], seat: Value) -> int:
    if not isinstance(seat, str) or seat not in seats:
        raise ExpressionError(f"{seat!r} is not a seat of this table")
    return seats.index(seat)


def left_of(seats: Sequence[str], seat: Value, steps: int = 1) -> str:
    """Return the seat a number of places clockwise of another: to the left of its player.

    Raises:
        ExpressionError: there is no such seat.
    """
    return seats[(_position(seats, seat) + int(steps)) % len(seats)]


def right_of(seats: Sequence[str], seat: Value, steps: int = 1) -> str:
    """Return the seat a number of places counter-clockwise of another.

    Raises:
        ExpressionError: there is no such seat.
    """
    return left_of(seats, seat, -int(steps))


def circle(seats: Sequence[str], first: Value) -> list[str]:
    """Return all seats clockwise, beginning with one (One Night Revolution: night turns).

    Raises:
        ExpressionError: there is no such seat.
    """
    start = _position(seats, first)
    return [*seats[start:], *seats[:start]]


def others(seats: Sequence[str], *left_out: Value) -> list[str]:
    """Return all seats but these, in seat order: whom a vote may name, oneself left out.

    Raises:
        ExpressionError: one that is to be left out is no seat.
    """
    gone = {seats[_position(seats, seat)] for seat in left_out}
    return [seat for seat in seats if seat not in gone]


def in_seat_order(seats: Sequence[str], some: Iterable[Value]) -> list[Value]:
    """Sort seats clockwise from the first; anything else goes last, in its own order."""
    place = {seat: number for number, seat in enumerate(seats)}
    return sorted(some, key=lambda item: place.get(str(item), len(place)))


def tally(seats: Sequence[str], votes: Mapping[str, Value]) -> dict[str, Value]:
    """Count a vote: each seat, in seat order, with the number of votes it has; 0 where it has none.

    Votes for nobody (no value) are not counted.
    """
    counts: dict[str, Value] = dict.fromkeys(seats, 0)
    for choice in votes.values():
        if choice is not None:
            counts[str(choice)] = int(_number(counts.get(str(choice), 0))) + 1
    return counts


def leaders(counts: Mapping[str, Value], at_least: Number = 1) -> list[Value]:
    """Return everybody who has the highest count, where that is large enough.

    One Night Revolution: all who are tied on the most votes, if those are at least two. At the end
    of any game: who shares the highest total (`at_least` 0).
    """
    best = max((_number(count) for count in counts.values()), default=None)
    if best is None or best < at_least:
        return []
    return [key for key, count in counts.items() if count == best]


def self_votes(votes: Mapping[str, Value]) -> list[Value]:
    """Return those who voted for themselves."""
    return [voter for voter, choice in votes.items() if voter == choice]


def voters_of(votes: Mapping[str, Value], choice: Value) -> list[Value]:
    """Return those who voted for this one, in the votes' order (Detective Club: who was right)."""
    return [voter for voter, chosen in votes.items() if chosen == choice]


def any_of(some: Iterable[Value], wanted: Value) -> bool:
    """Whether any of these is among the wanted (a list, or one alone)."""
    return bool(set(map(str, some)) & set(map(str, _listed(wanted))))


def without(some: Iterable[Value], unwanted: Value) -> list[Value]:
    """Return these but for the unwanted (a list, or one alone), in their order."""
    gone = _listed(unwanted)
    return [item for item in some if item not in gone]


def only(some: Mapping[str, Value] | Iterable[Value], wanted: Value) -> Value:
    """Keep, of a list or of a map's keys, what is among the wanted (a list, or one alone)."""
    kept = _listed(wanted)
    if isinstance(some, Mapping):
        return {key: value for key, value in some.items() if key in kept}
    return [item for item in some if item in kept]


def says(text: Value, accepted: Value, articles: Sequence[str] = ARTICLES) -> bool:
    """Whether a text says one of the accepted wordings (One Missing Briefing: the last guess).

    Capitals, punctuation, hyphens and articles make no difference; every word else does.
    """
    wanted = [_bare(word, articles) for word in _listed(accepted)]
    return isinstance(text, str) and bool(text.strip()) and _bare(text, articles) in wanted


def _bare(text: Value, articles: Sequence[str]) -> list[str]:
    kept = "".join(c if c.isalnum() else " " for c in str(text).lower().replace("'", ""))
    return [word for word in kept.split() if word not in articles]


def each(some: Iterable[Value], value: Value) -> dict[str, Value]:
    """Map all of these to the same value, for instance every seat to 0."""
    return {str(item): value for item in some}


def plus(points: Mapping[str, Value], more: Mapping[str, Value]) -> dict[str, Value]:
    """Add two maps of numbers, key by key; a key that one of them lacks counts 0 there."""
    total: dict[str, Value] = dict(points)
    for key, value in more.items():
        total[key] = _number(total.get(key, 0)) + _number(value)
    return total


def minus(points: Mapping[str, Value], less: Mapping[str, Value]) -> dict[str, Value]:
    """Take one map of numbers from another, key by key; a key that one of them lacks counts 0."""
    return plus(points, {key: -_number(value) for key, value in less.items()})


def put(some: Mapping[str, Value], key: Value, value: Value) -> dict[str, Value]:
    """Return the map with this entry added, or changed where it is there already."""
    return {**some, str(key): value}


def through(some: Mapping[str, Value], meaning: Mapping[str, Value]) -> dict[str, Value]:
    """Replace each value of a map by what it stands for (Fictionary: a number by who wrote it).

    Raises:
        ExpressionError: a value has no meaning.
    """
    lacking = [value for value in some.values() if str(value) not in meaning]
    if lacking:
        raise ExpressionError(f"{lacking[0]} has no meaning")
    return {key: meaning[str(value)] for key, value in some.items()}


def team_of(seat: Value, teams: Mapping[str, Value]) -> str | None:
    """Return the team a seat is in; none where it is in none.

    Args:
        seat: Its name.
        teams: Each team's seats, as the step `teams` puts them together.
    """
    return next((team for team, seats in teams.items() if seat in _listed(seats)), None)


def by_team(points: Mapping[str, Value], teams: Mapping[str, Value]) -> dict[str, Value]:
    """Add up what the seats of each team have; a seat that is not in the map counts 0."""
    return {
        team: sum(_number(points.get(str(seat), 0)) for seat in _listed(seats))
        for team, seats in teams.items()
    }


def names(some: Value | Iterable[Value], joiner: str = "and") -> str:
    """Say a list aloud: `Ana, Ben and Cy`; a map with its values: `Ana 3 and Ben 0`."""
    if isinstance(some, Mapping):
        words = [f"{key} {_word(value, joiner)}" for key, value in some.items()]
    else:
        words = [_word(item, joiner) for item in _listed(some)]
    if len(words) < 2:
        return "".join(words)
    return f"{', '.join(words[:-1])} {joiner} {words[-1]}"


def _word(value: Value, joiner: str) -> str:
    """Say one entry; lists and maps within are said as such, not as Python writes them."""
    return names(value, joiner) if isinstance(value, (list, dict)) else str(value)


def minutes(seconds: Number, words: Mapping[str, str] = TIME_WORDS) -> str:
    """Say a length of time: 260 is `4 minutes and 20 seconds`, 45 is `45 seconds`."""
    whole, rest = divmod(round(_number(seconds)), 60)
    parts = []
    if whole:
        parts.append(f"{whole} {words['minute' if whole == 1 else 'minutes']}")
    if rest or not whole:
        parts.append(f"{rest} {words['second' if rest == 1 else 'seconds']}")
    return f" {words['and']} ".join(parts)


def _listed(value: Value | Iterable[Value]) -> list[Value]:
    if isinstance(value, Iterable) and not isinstance(value, str):
        return list(value)
    return [] if value is None else [value]


def _number(value: Value) -> Number:
    if isinstance(value, (int, float)):
        return value
    raise ExpressionError(f"{value!r} is not a number")
