"""Points for seats, as people call them out: `ana five`, `two each for ben and cy`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import NamedTuple, TypeAlias

from hassil.expression import ListReference
from hassil.intents import SlotList, WildcardSlotList

from narrator.core.values import Seat, Value
from narrator.language.grammar.matcher import Hole, Matcher, Reading, patterns
from narrator.language.grammar.network import Network
from narrator.language.grammar.slots import NumberSlot, SeatsSlot, Slot, seat_slot
from narrator.language.grammar.templates import expand, plain_sentences
from narrator.language.grammar.templates import parse as parse_template
from narrator.language.locale import Locale
from narrator.language.numbers import NumberWords, parse, parse_halves
from narrator.language.text import normalise

Given: TypeAlias = frozenset[tuple[str, float]]
WRITTEN = 100
"""The largest amount that has arcs in digits; amounts may stand in some forty places of a line."""
MOST_READINGS = 8
"""Ways to read one line that are kept: more than one is a question for the table already."""


class _Kind(NamedTuple):
    """What decides which clauses may meet.

    In "Ana twenty five for Ben" nobody hears whose the five is: after a number no clause begins
    with one, unless there is an "and" between them.
    """

    sign: int
    is_bare: bool
    """It may begin with its number."""
    ends_in_number: bool


@dataclass(frozen=True, slots=True)
class AmountSlot:
    """A whole number that may be said to be less than nothing: `minus three`."""

    low: int
    high: int
    words: NumberWords
    halves: bool = False

    def enter(self, network: Network, follow: int) -> int:
        """Insert the numbers, each with and without its minus, before `follow`."""
        most = max(self.high, -self.low)
        size = NumberSlot(0, most, self.words, WRITTEN, self.halves).enter(network, follow)
        less = self.words.minus if self.low < 0 else ()
        return network.any_of([size, *(network.spoken(f"{m} ", size) for m in less)])

    def listing(self, name: str) -> SlotList:
        """Return an open list."""
        return WildcardSlotList(name=name)

    def read(self, found: object) -> tuple[Value, ...]:
        """Return the number, if it is one and within the bounds."""
        read = parse_halves if self.halves else parse
        value = read(str(found), self.words, homophones=True)
        return () if value is None or not self.low <= value <= self.high else (value,)

    def say(self, value: Value) -> Iterator[str]:
        """Yield the number's spellings."""
        yield from NumberSlot(self.low, self.high, self.words, halves=self.halves).say(value)


@dataclass(frozen=True, slots=True)
class PointsSlot:
    """One or several clauses that give points to seats; or nothing at all, where that may be."""

    seats: SeatsSlot
    amount: AmountSlot
    locale: Locale
    nobody: bool

    def enter(self, network: Network, follow: int) -> int:
        """Insert every run of clauses before `follow`."""
        return network.shared((self, follow), partial(self._build, network, follow))

    def _build(self, network: Network, follow: int) -> int:
        begins = {bare: network.state() for bare in (False, True)}
        after = {number: network.state() for number in (False, True)}
        network.join(begins[True], begins[False])
        for kind, templates in self._kinds().items():
            for template in templates:
                tree = parse_template(template).expression
                clause = network.expression(tree, after[kind.ends_in_number], self._fill)
                network.join(begins[kind.is_bare], clause)
        for number, end in after.items():
            network.join(end, follow)
            network.join(end, network.before(" ", begins[not number]))
            for joiner in self.locale.joiners if network.loose else self.locale.joiners[:1]:
                network.join(end, network.spoken(f" {joiner} ", begins[True]))
        return network.any_of([begins[True], network.texts(self._nothing(), follow)])

    def _kinds(self) -> dict[_Kind, tuple[str, ...]]:
        kinds: dict[_Kind, tuple[str, ...]] = {}
        for sign, templates in ((1, self.locale.gains), (-1, self.locale.losses)):
            for template in templates:
                rows = patterns(template)
                bare = any(_is_number(row[0]) for row in rows)
                holes = [part for part in rows[0] if isinstance(part, Hole)]
                kind = _Kind(sign, bare, _is_number(holes[-1]))
                kinds[kind] = (*kinds.get(kind, ()), template)
        return kinds

    def _fill(self, network: Network, slot: ListReference, follow: int) -> int:
        holder = self.seats if slot.list_name == "seats" else self.amount
        return holder.enter(network, follow)

    def bounds(self) -> tuple[int, int]:
        """Return where its amounts begin, and one after where they end."""
        return 0, max(self.amount.high, -self.amount.low) + 1

    def _nothing(self) -> tuple[str, ...]:
        words = (*self.locale.nobody, *self.locale.no_points)
        return plain_sentences(words) if self.nobody else ()

    def listing(self, name: str) -> SlotList:
        """Return an open list: points have no fixed length."""
        return WildcardSlotList(name=name)

    def read(self, found: object) -> tuple[Value, ...]:
        """Return the points by seat, in the table's order; several maps where the words allow it.

        A line that gives one seat points twice says nothing: who is to tell whether the second is
        more, or instead?
        """
        text = normalise(str(found))
        if text in self._nothing():
            return ({},)
        return tuple(self._map(given) for given in sorted(self._readings(text), key=sorted))

    def _map(self, given: Given) -> Value:
        points = dict(given)
        return {name: points[name] for name in self.seats.order if name in points}

    def _readings(self, text: str) -> set[Given]:
        words = tuple(text.split())
        slots: dict[str, Slot] = {"seats": self.seats, "number": self.amount}
        readings = {kind: Matcher(ts, slots).read(words) for kind, ts in self._kinds().items()}
        onward: dict[tuple[int, bool], set[Given]] = {
            (len(words), bare): {frozenset()} for bare in (False, True)
        }
        for at in range(len(words) - 1, -1, -1):
            worded = self._from(words, at, readings, onward, bare=False)
            onward[at, False] = worded
            onward[at, True] = worded | self._from(words, at, readings, onward, bare=True)
        return onward[0, True] if words else set()

    def _from(
        self,
        words: Sequence[str],
        at: int,
        readings: Mapping[_Kind, Reading],
        onward: Mapping[tuple[int, bool], set[Given]],
        *,
        bare: bool,
    ) -> set[Given]:
        found: set[Given] = set()
        for kind, reading in readings.items():
            for stop, held in reading.starting(at) if kind.is_bare == bare else ():
                given = _given(kind.sign, held["seats"], held["number"])
                for to in self._next(words, stop, kind.ends_in_number) if given else ():
                    found |= {given | rest for rest in onward[to] if _apart(given, rest)}
        return set(sorted(found, key=sorted)[:MOST_READINGS])

    def _next(
        self, words: Sequence[str], stop: int, after_number: bool
    ) -> Iterator[tuple[int, bool]]:
        """Yield where a further clause may begin, and whether with a bare number; or the end."""
        yield stop, not after_number
        rest = " ".join(words[stop:])
        for joiner in self.locale.joiners:
            if rest.startswith(f"{joiner} "):
                yield stop + len(joiner.split()), True

    def say(self, value: Value) -> Iterator[str]:
        """Yield those with the same points together, then one after the other."""
        if value == {}:
            yield from self._nothing()
        if not isinstance(value, dict) or not value:
            return
        if not all(isinstance(points, int | float) for points in value.values()):
            return
        together: dict[Value, list[Value]] = {}
        for name, points in value.items():
            together.setdefault(points, []).append(name)
        for template in self.locale.gains:
            yield " ".join(self._said(template, names, n) for n, names in together.items())
            yield " ".join(self._said(template, [name], n) for name, n in value.items())

    def _said(self, template: str, names: list[Value], points: Value) -> str:
        fill = {
            "seats": list(self.seats.say(names))[:1],
            "number": list(self.amount.say(points))[:1],
        }
        return next(expand(template, fill), "")


def _is_number(part: str | Hole) -> bool:
    return isinstance(part, Hole) and part.listed == "number"


def _given(sign: int, names: Value, number: Value) -> Given:
    """Return who gets what; "take minus three from Ana" has one sign too many to be acted on."""
    if (
        not isinstance(names, list)
        or not isinstance(number, int | float)
        or (sign < 0 and number < 0)
    ):
        return frozenset()
    return frozenset((str(name), sign * number) for name in names)


def _apart(given: Given, rest: Given) -> bool:
    return {name for name, _ in given}.isdisjoint(name for name, _ in rest)


def points_slot(
    seats: Sequence[Seat],
    locale: Locale,
    bounds: tuple[int, int],
    *,
    nobody: bool,
    everyone: tuple[str, ...] = (),
    halves: bool = False,
) -> PointsSlot:
    """Return the slot for points; a bare number is never a seat here.

    Args:
        seats: Everybody at the table, clockwise.
        locale: The language of the table.
        bounds: The least and the most that one seat may get at once.
        nobody: Whether "nobody" is an answer.
        everyone: Who "everyone" is, if not all.
        halves: Whether an amount may have a half.
    """
    order = tuple(seat.name for seat in seats)
    named = replace(seat_slot(seats, locale), loose=())
    several = SeatsSlot(named, order, everyone or order, locale, nobody=False)
    return PointsSlot(several, AmountSlot(*bounds, locale.numbers, halves), locale, nobody)
