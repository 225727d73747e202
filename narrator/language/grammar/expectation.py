"""An expectation made concrete: its templates and what may stand in their braces."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import cast

from hassil.expression import ListReference

from narrator.core.expect import AnswerKind, Expectation
from narrator.core.values import Seat, Value
from narrator.language.grammar.names_slot import NamesSlot
from narrator.language.grammar.network import Network
from narrator.language.grammar.points import PointsSlot, points_slot
from narrator.language.grammar.slots import (
    ListSlot,
    NumberSlot,
    SeatsSlot,
    Slot,
    letter_slot,
    seat_slot,
)
from narrator.language.grammar.templates import check_template, parse, slots_of, with_words
from narrator.language.locale import Locale
from narrator.language.names.forms import spelled

SLOTS_BY_KIND: Mapping[str, frozenset[str]] = {
    "phrase": frozenset({"seat", "number", "letter"}),
    "sentence": frozenset({"seat", "number", "letter", "points"}),
    "command": frozenset({"number", "single"}),
    **{k: frozenset({k}) for k in ("number", "seat", "seats", "letter", "choice", "points")},
}
"""The slots that an expectation's own templates may hold, for `check_template`."""

_ANY = frozenset(
    ("seat", "seats", "names", "number", "letter", "choice", "yesno", "points", "single")
)
_WHOLE = ("phrase", "sentence", "command")
_SECONDS = {"minutes": 60, "seconds": 1}
_COUNTABLE = 999


class GrammarError(ValueError):
    """An expectation cannot be made a grammar of; the message is one plain sentence."""


@dataclass(frozen=True, slots=True)
class Plan:
    """What one expectation listens for."""

    expectation: Expectation
    templates: tuple[str, ...]
    slots: Mapping[str, Slot]
    """By the name of hassil's list."""
    answer: str = ""
    """The slot whose value is the answer; empty for phrases and commands."""

    def enter(self, network: Network, follow: int) -> int:
        """Insert every sentence before `follow`; return where they begin."""
        trees = [parse(t).expression for t in self.templates]
        return network.any_of([network.expression(t, follow, self._fill) for t in trees])

    def _fill(self, network: Network, slot: ListReference, follow: int) -> int:
        return self.slots[slot.list_name].enter(network, follow)

    def values(self, name: str, slot_name: str, found: object) -> tuple[Value, ...]:
        """Return what a slot's content means; minutes and seconds are in seconds."""
        read = self.slots[name].read(found)
        return tuple(_scaled(v, slot_name) for v in read)

    def bounds(self) -> Iterator[int]:
        """Yield where each number slot begins, and one after where it ends."""
        for slot in self.slots.values():
            if isinstance(slot, NumberSlot):
                yield from (slot.low, slot.high + 1)
            elif isinstance(slot, PointsSlot):
                yield from slot.bounds()

    def words_for(self, value: Value, template: str) -> dict[str, list[str]]:
        """Return the words of each slot of a template that say this value."""
        fill: dict[str, list[str]] = {}
        for slot in slots_of(template):
            holder = self.slots[slot.list_name]
            if not self.answer and self.expectation.kind == "phrase":
                fill[slot.slot_name] = _anything(holder)
            elif self.expectation.kind == "sentence":
                held = value.get(slot.slot_name) if isinstance(value, dict) else None
                fill[slot.slot_name] = list(holder.say(held))
            else:
                wanted = _unscaled(value, slot.slot_name)
                fill[slot.slot_name] = (
                    [] if wanted is None and not self.answer else list(holder.say(wanted))
                )
        return fill

    def only_value(self) -> Value:
        """Return the value of a plan that `each_value` made for one; None for any other."""
        slot = self.slots.get(self.answer)
        if isinstance(slot, ListSlot) and len(slot.entries) == 1:
            return slot.entries[0][0]
        return None

    def each_value(self) -> Iterator[Plan]:
        """Yield a plan for every single value, where the values are few and fixed."""
        slot = self.slots.get(self.answer)
        if self.expectation.kind in ("choice", "yesno") and isinstance(slot, ListSlot):
            for entry in slot.entries:
                yield replace(self, slots={**self.slots, self.answer: ListSlot((entry,))})
        else:
            yield self


def _scaled(value: Value, slot_name: str) -> Value:
    if isinstance(value, int) and slot_name in _SECONDS:
        return value * _SECONDS[slot_name]
    return value


def _unscaled(value: Value, slot_name: str) -> Value:
    if slot_name not in _SECONDS or not isinstance(value, int):
        return value
    whole, rest = divmod(value, _SECONDS[slot_name])
    return None if rest else whole


def _anything(slot: Slot) -> list[str]:
    if isinstance(slot, ListSlot):
        return slot.all_words()
    if isinstance(slot, NumberSlot):
        return list(slot.say(slot.low))
    return []


def plan(expectation: Expectation, seats: Sequence[Seat], locale: Locale) -> Plan:
    """Make an expectation concrete for a table and a language.

    Raises:
        GrammarError: A template cannot be read, a slot is unknown, or nothing may be said.
    """
    kind = expectation.kind
    slots = dict(_own_slots(expectation, seats, locale))
    answer = next(iter(slots), "")
    if kind in _WHOLE:
        slots |= _common_slots(expectation, seats, locale)
    spelt = partial(spelled, words=locale.numbers)
    templates = tuple(with_words(t, spelt) for t in _templates(expectation, locale, answer))
    made = Plan(expectation, templates, slots, answer)
    slots.update(_ranges(made, locale))
    if kind != "free" and not made.templates:
        raise GrammarError(f"Nothing is said for `{expectation.intent}`: it has no sentence.")
    return made


def _templates(expectation: Expectation, locale: Locale, answer: str) -> tuple[str, ...]:
    kind, own = expectation.kind, expectation.templates
    if expectation.amends:
        return locale.amending(expectation.amends)
    if kind in ("phrase", "sentence"):
        return own
    if kind == "command":
        return own or locale.command(expectation.intent.removeprefix("command:"))
    if not answer:
        return ()
    either = locale.either if kind == "seat" else ()
    frames = own if own and kind != "yesno" else locale.frames.get(kind, ())
    return tuple(dict.fromkeys((f"{{{answer}}}", *frames, *either)))


def _own_slots(
    expectation: Expectation, seats: Sequence[Seat], locale: Locale
) -> Iterator[tuple[str, Slot]]:
    match expectation.kind:
        case "yesno":
            yield "yesno", ListSlot(((True, locale.yes), (False, locale.no)))
        case "number":
            low, high = expectation.low, expectation.high
            yield "number", NumberSlot(low, high, locale.numbers, halves=expectation.halves)
        case "letter":
            yield "letter", letter_slot(expectation.allowed, locale)
        case "choice":
            spelt = partial(spelled, words=locale.numbers)
            choices = ((v, ts or (v,)) for v, ts in expectation.choices)
            entries = ((v, tuple(with_words(t, spelt) for t in ts)) for v, ts in choices)
            yield "choice", ListSlot(tuple(entries))
        case "points":
            bounds = (expectation.low, expectation.high)
            all_of = tuple(s.name for s in seats if s.name in expectation.allowed)
            yield (
                "points",
                points_slot(
                    seats,
                    locale,
                    bounds,
                    nobody=expectation.nobody,
                    everyone=all_of,
                    halves=expectation.halves,
                ),
            )
        case "names":
            known = tuple(s.name for s in seats if " " not in s.name)
            yield "names", NamesSlot((*known, *locale.given_names), locale.joiners)
        case "seat":
            yield "seat", seat_slot(seats, locale, expectation.nobody)
        case "seats":
            order = tuple(s.name for s in seats)
            everyone = tuple(n for n in order if n in expectation.allowed) or order
            yield (
                "seats",
                SeatsSlot(
                    seat_slot(seats, locale),
                    order,
                    everyone,
                    locale,
                    expectation.nobody,
                    expectation.as_said,
                ),
            )


def _common_slots(
    expectation: Expectation, seats: Sequence[Seat], locale: Locale
) -> dict[str, Slot]:
    kind = expectation.kind
    slots: dict[str, Slot] = {"number": NumberSlot(1, _COUNTABLE, locale.numbers)}
    if locale.single:
        slots["single"] = ListSlot(((1, locale.single),))
    if kind in ("phrase", "sentence"):
        slots |= {"seat": seat_slot(seats, locale), "letter": letter_slot((), locale)}
    if kind == "sentence":
        low, high = expectation.low, expectation.high
        bounds = (low, high) if low < high else (-_COUNTABLE, _COUNTABLE)
        slots["points"] = points_slot(seats, locale, bounds, nobody=True, halves=expectation.halves)
    if expectation.amends and expectation.amends != "wrong":
        right = cast(AnswerKind, expectation.amends.removeprefix("each "))
        slots |= _own_slots(replace(expectation, kind=right), seats, locale)
    if expectation.amends == "wrong":
        slots |= _own_slots(replace(expectation, kind="seats"), seats, locale)
    return slots


def _ranges(made: Plan, locale: Locale) -> dict[str, Slot]:
    """Return the ranges that the templates name; complain of slots that nothing fills."""
    ranges: dict[str, Slot] = {}
    for template in (*made.templates, *_entries(made)):
        for name in _slot_names(template):
            if name.startswith("range_"):
                low, high = name.split("_")[1:]
                ranges[name] = NumberSlot(int(low), int(high), locale.numbers)
            elif name not in made.slots:
                raise GrammarError(f"Nothing fills {{{name}}} in the sentence `{template}`.")
    return ranges


def _slot_names(template: str) -> list[str]:
    complaint = check_template(template, _ANY)
    if complaint:
        raise GrammarError(f"In the sentence `{template}`: {complaint}")
    return [slot.list_name for slot in slots_of(template)]


def _entries(made: Plan) -> list[str]:
    slot = made.slots.get(made.answer)
    return [t for _, ts in slot.entries for t in ts] if isinstance(slot, ListSlot) else []
