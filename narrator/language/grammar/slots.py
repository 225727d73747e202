"""What may stand in a template's braces: how it is heard, read and said."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from typing import Protocol

from hassil.intents import SlotList, TextSlotList, WildcardSlotList

from narrator.core.values import Seat, Value
from narrator.language.grammar.network import Network
from narrator.language.grammar.templates import expand, plain_sentences
from narrator.language.grammar.templates import parse as parse_template
from narrator.language.locale import Locale
from narrator.language.names.forms import bare_numbers, name_forms, number_forms, same_forms
from narrator.language.numbers import (
    LARGEST,
    WRITTEN_HALF,
    NumberWords,
    parse,
    parse_halves,
    small_forms,
    spellings,
    with_half,
)
from narrator.language.text import normalise

_WRITTEN = 999
"""The largest number that has arcs in digits; larger ones are still understood when typed."""


class Slot(Protocol):
    """One kind of thing in braces."""

    def enter(self, network: Network, follow: int) -> int:
        """Insert everything that may be said here before `follow`; return where it begins."""
        ...

    def listing(self, name: str) -> SlotList:
        """Return hassil's list for it."""
        ...

    def read(self, found: object) -> tuple[Value, ...]:
        """Return the values of what hassil found; several where the words are ambiguous."""
        ...

    def say(self, value: Value) -> Iterator[str]:
        """Return the words for a value, the most natural first; nothing if it has none here."""
        ...


@dataclass(frozen=True, slots=True)
class ListSlot:
    """A closed list: each value with the templates that say it."""

    entries: tuple[tuple[Value, tuple[str, ...]], ...]
    heard: tuple[tuple[Value, tuple[str, ...]], ...] = ()
    """Forms that are understood but never used as a sample: words that only sound like it."""
    loose: tuple[tuple[Value, tuple[str, ...]], ...] = ()
    """Forms that are understood when typed, but too easily mistaken to be listened for."""

    @property
    def known(self) -> tuple[tuple[Value, tuple[str, ...]], ...]:
        """Every entry, however it is used."""
        return (*self.entries, *self.heard, *self.loose)

    def enter(self, network: Network, follow: int) -> int:
        """Insert every entry before `follow`."""
        listened = self.known if network.loose else (*self.entries, *self.heard)
        templates = [t for _, templates in listened for t in templates]

        def build() -> int:
            trees = [parse_template(t).expression for t in templates]
            return network.any_of([network.expression(t, follow, _no_slot) for t in trees])

        return network.shared((self, follow), build)

    def listing(self, name: str) -> SlotList:
        """Return a list whose values are the entries' positions."""
        all_of = enumerate(self.known)
        texts = ((_spoken_template(t), at) for at, (_, ts) in all_of for t in ts)
        return TextSlotList.from_tuples(texts, name=name)

    def read(self, found: object) -> tuple[Value, ...]:
        """Return the entry's value."""
        return (self.known[found][0],) if isinstance(found, int) else ()

    def meanings(self, text: str) -> tuple[Value, ...]:
        """Return the values that these words may have."""
        found = (v for v, ts in self.known if any(text in plain_sentences((t,)) for t in ts))
        return tuple(dict.fromkeys(found))

    def say(self, value: Value) -> Iterator[str]:
        """Yield the sentences of the entries that have this value."""
        for own, templates in self.entries:
            if own == value and type(own) is type(value):
                for template in templates:
                    yield from expand(template)

    def all_words(self) -> list[str]:
        """Return every sentence of every entry."""
        return [s for _, templates in self.entries for t in templates for s in expand(t)]


def _spoken_template(template: str) -> str:
    return parse_template(template).text or template


def _no_slot(network: Network, slot: object, follow: int) -> int:
    raise ValueError("A slot cannot be used inside the words that fill a slot.")


@dataclass(frozen=True, slots=True)
class NumberSlot:
    """A whole number between two bounds, both included; words that sound like one count too."""

    low: int
    high: int
    words: NumberWords
    written: int = _WRITTEN
    """The largest that has arcs in digits."""
    halves: bool = False
    """Whether a half may follow."""

    def enter(self, network: Network, follow: int) -> int:
        """Insert the numbers, spoken and written, before `follow`."""
        return network.shared(
            ("number", self.low, self.high, self.written, self.halves, follow),
            partial(self._with_halves if self.halves else self._build, network, follow),
        )

    def _with_halves(self, network: Network, follow: int) -> int:
        written = WRITTEN_HALF if network.loose else ()
        more = [network.spoken(f" {half}", follow) for half in (*self.words.half, *written)]
        alone = network.texts(self.words.half_alone, follow)
        less = [network.spoken(f"{m} ", alone) for m in self.words.minus] if self.low < 0 else []
        return network.any_of([self._build(network, network.any_of([follow, *more])), alone, *less])

    def _build(self, network: Network, follow: int) -> int:
        low, high = max(self.low, -LARGEST), min(self.high, LARGEST)
        ways = []
        if high >= 0:
            ways += self._counted(network, range(max(low, 0), high + 1), follow)
        if low < 0:
            written = range(max(low, -self.written), min(high, -1) + 1)
            ways += [network.before(str(n), follow) for n in written]
            size = network.any_of(self._counted(network, range(max(-high, 1), 1 - low), follow))
            ways += [network.spoken(f"{m} ", size) for m in self.words.minus]
        return network.any_of(ways)

    def _counted(self, network: Network, numbers: range, follow: int) -> list[int]:
        if not numbers:
            return []
        spoken = _Counting(network, self.words).numbers(numbers[0], numbers[-1], follow)
        written = range(numbers.start, min(numbers.stop, self.written + 1))
        return [spoken, network.written(written, follow)] if written else [spoken]

    def listing(self, name: str) -> SlotList:
        """Return an open list: `read` decides, so that words and digits go one way."""
        return WildcardSlotList(name=name)

    def read(self, found: object) -> tuple[Value, ...]:
        """Return the number, if it is one and within the bounds."""
        read = parse_halves if self.halves else parse
        value = read(str(found), self.words, homophones=True)
        return () if value is None or not self.low <= value <= self.high else (value,)

    def say(self, value: Value) -> Iterator[str]:
        """Yield the number's spellings."""
        if self.halves and isinstance(value, float) and self.low <= value <= self.high:
            yield from with_half(value, self.words)
        elif isinstance(value, int) and not isinstance(value, bool):
            if self.low <= value <= self.high:
                yield from spellings(value, self.words)


@dataclass(frozen=True, slots=True)
class _Counting:
    """Number words by their structure, so that 0 to 9,999 take some dozens of states."""

    network: Network
    words: NumberWords

    def numbers(self, low: int, high: int, follow: int) -> int:
        """Return where the numbers `low` to `high` (0 or more) begin."""
        return self.network.shared(
            ("count", low, high, follow), lambda: self._numbers(low, high, follow)
        )

    def _numbers(self, low: int, high: int, follow: int) -> int:
        ways = [self._small(low, min(high, 99), follow)]
        if self.words.hundred:
            for head in range(max(1, low // 100), min(high // 100, 99) + 1):
                if head < 10 or head % 10:
                    ways += self._scaled(head, 100, (low, high), follow)
                    ways += self._bare_hundred(head, (low, high), follow)
        if self.words.thousand:
            for head in range(max(1, low // 1000), min(high // 1000, 9) + 1):
                ways += self._scaled(head, 1000, (low, high), follow)
        return self.network.any_of(ways)

    def _small(self, low: int, high: int, follow: int) -> int:
        def build() -> int:
            forms = small_forms(self.words, True).items()
            return self.network.any_of(
                [self.network.spoken(" ".join(f), follow) for f, n in forms if low <= n <= high]
            )

        return self.network.shared(("small", low, high, follow), build)

    def _scaled(self, head: int, scale: int, bounds: tuple[int, int], follow: int) -> list[int]:
        low, high = _within(head * scale, scale, bounds)
        if low > high:
            return []
        name = self.words.hundred if scale == 100 else self.words.thousand
        tail = self._tail(max(low, 1), high, follow)
        named = self.network.spoken(name, self.network.any_of([follow] * (low == 0) + tail))
        spaced = self.network.before(" ", named)
        ones = self.words.one if head == 1 else ()
        alone = [named] if head == 1 and self.words.alone else []
        spoken = [self.network.spoken(one, spaced) for one in ones]
        return [self._small(head, head, spaced), *spoken, *alone]

    def _bare_hundred(self, head: int, bounds: tuple[int, int], follow: int) -> list[int]:
        """Return "hundred and twenty" for 120; "hundred" alone is too little to act on."""
        low, high = _within(100, 100, bounds)
        is_one = head == 1 and not self.words.alone
        tail = self._tail(max(low, 1), high, follow) if is_one else []
        return [self.network.spoken(self.words.hundred, self.network.any_of(tail))] if tail else []

    def _tail(self, low: int, high: int, follow: int) -> list[int]:
        """Return where what follows a hundred or a thousand begins; nothing where that is none."""
        if low > high:
            return []
        # One state for all: the same tail follows every thousand.
        key = ("tail", low, high, follow)
        return [self.network.shared(key, lambda: self._tails(low, high, follow))]

    def _tails(self, low: int, high: int, follow: int) -> int:
        ways = []
        if low <= 99:
            small = self.network.before(" ", self._small(low, min(high, 99), follow))
            ways += [small, *(self.network.spoken(f" {j}", small) for j in self.words.joiners)]
        for head in range(max(1, low // 100), high // 100 + 1):
            starts = self._scaled(head, 100, (low, high), follow)
            ways += [self.network.before(" ", start) for start in starts]
        return self.network.any_of(ways)


def _within(base: int, size: int, bounds: tuple[int, int]) -> tuple[int, int]:
    """Return the part of `base` to `base + size` within the bounds, counted from the base."""
    return max(0, bounds[0] - base), min(size - 1, bounds[1] - base)


@dataclass(frozen=True, slots=True)
class SeatsSlot:
    """Any number of seats: `ana ben and cy`, `everyone but ana`, and "nobody" where it may be."""

    seats: ListSlot
    order: tuple[str, ...]
    everyone: tuple[str, ...]
    """The seats that "everyone" means."""
    locale: Locale
    nobody: bool
    as_said: bool = False
    """Whether a list keeps the order in which they were said; else it has the table's."""

    def enter(self, network: Network, follow: int) -> int:
        """Insert the lists before `follow`."""
        return network.shared((self, follow), partial(self._build, network, follow))

    def _build(self, network: Network, follow: int) -> int:
        several = self._several(network, follow)
        but = [network.spoken(f" {w} ", several) for w in self.locale.excepting]
        all_of = plain_sentences(self.locale.everyone)
        ways = [several, network.texts(all_of, network.any_of([follow, *but]))]
        if self.nobody:
            ways.append(network.texts(plain_sentences(self.locale.nobody), follow))
        return network.any_of(ways)

    def _several(self, network: Network, follow: int) -> int:
        begin, after = network.state(), network.state()
        network.join(begin, self.seats.enter(network, after))
        network.join(after, follow)
        network.join(after, network.before(" ", begin))
        joiners = self.locale.joiners if network.loose else self.locale.joiners[:1]
        for joiner in joiners:
            network.join(after, network.spoken(f" {joiner} ", begin))
        return begin

    def listing(self, name: str) -> SlotList:
        """Return an open list: a list of seats has no fixed length."""
        return WildcardSlotList(name=name)

    def read(self, found: object) -> tuple[Value, ...]:
        """Return the seats in order; several lists where the words allow several."""
        text = normalise(str(found))
        if self.nobody and text in plain_sentences(self.locale.nobody):
            return ([],)
        said = self._readings(tuple(text.split()), False)
        if self.as_said and said:
            return tuple(list(names) for names in sorted({frozenset(r): r for r in said}.values()))
        readings = {frozenset(r) for r in said}
        for words in plain_sentences(self.locale.everyone):
            if text == words:
                readings.add(frozenset(self.everyone))
            elif text.startswith(f"{words} "):
                readings |= self._all_but(text.removeprefix(words).strip())
        return tuple(
            [name for name in self.order if name in r] for r in sorted(map(sorted, readings))
        )

    def _all_but(self, rest: str) -> set[frozenset[str]]:
        return {
            frozenset(self.everyone) - frozenset(r)
            for but in self.locale.excepting
            if rest.startswith(f"{but} ")
            for r in self._readings(tuple(rest.removeprefix(but).split()), False)
        }

    def _readings(self, words: tuple[str, ...], begun: bool) -> set[tuple[str, ...]]:
        """Return the lists that words may mean, each in the order in which it was said."""
        if not words:
            return {()} if begun else set()
        found: set[tuple[str, ...]] = set()
        for entry, length in _starts(self.seats, words):
            rests = self._readings(words[length:], True)
            found |= {(entry, *(name for name in rest if name != entry)) for rest in rests}
        if begun:
            for joiner in self.locale.joiners:
                after = words[len(joiner.split()) :]
                if " ".join(words).startswith(f"{joiner} ") and after:
                    found |= self._readings(after, False)
        return found

    def say(self, value: Value) -> Iterator[str]:
        """Yield one list with joiners, then one without."""
        if value == [] and self.nobody:
            yield from plain_sentences(self.locale.nobody)
        if not isinstance(value, list) or not value:
            return
        names = [next(self.seats.say(name), "") for name in value]
        if not all(names):
            return
        joiner = f" {self.locale.joiners[0]} " if self.locale.joiners else " "
        yield joiner.join([" ".join(names[:-1]), names[-1]] if len(names) > 1 else names)
        yield " ".join(names)
        yield from (" ".join(numbers) for numbers in [self._by_number(value)] if all(numbers))

    def _by_number(self, names: Sequence[Value]) -> list[str]:
        return [list(self.seats.say(name))[-1] for name in names]


def _starts(seats: ListSlot, words: tuple[str, ...]) -> Iterator[tuple[str, int]]:
    for name, form in _by_first_word(seats).get(words[0], ()):
        if words[: len(form)] == form:
            yield name, len(form)


@lru_cache(maxsize=64)
def _by_first_word(seats: ListSlot) -> Mapping[str, tuple[tuple[str, tuple[str, ...]], ...]]:
    """Return every form of every seat as words, by the first of them."""
    found: dict[str, tuple[tuple[str, tuple[str, ...]], ...]] = {}
    for name, templates in seats.known:
        for form in (tuple(t.split()) for t in templates):
            if form:
                found[form[0]] = (*found.get(form[0], ()), (str(name), form))
    return found


def seat_slot(seats: Sequence[Seat], locale: Locale, nobody: bool = False) -> ListSlot:
    """Return the slot for one seat; with `nobody` also for none (value None)."""
    entries: list[tuple[Value, tuple[str, ...]]] = [
        (s.name, (*name_forms(s, locale), *number_forms(s.number, locale))) for s in seats
    ]
    if nobody:
        entries.append((None, locale.nobody))
    sounding = (
        (
            s.name,
            (*same_forms(s, seats, locale), *number_forms(s.number, locale, homophones=True)),
        )
        for s in seats
    )
    return ListSlot(
        tuple(entries),
        tuple((n, forms) for n, forms in sounding if forms),
        tuple((s.name, bare_numbers(s.number, locale)) for s in seats),
    )


def letter_slot(allowed: Sequence[str], locale: Locale) -> ListSlot:
    """Return the slot for letters: those allowed, and enough others to notice a wrong one.

    Not the whole alphabet: `b`, `d`, `p`, `t` and `v` are hard enough to tell apart.
    """
    last = max([*(a.upper() for a in allowed), "H"]) if allowed else "Z"
    return ListSlot(tuple((name, forms) for name, forms in locale.letters if name <= last))
