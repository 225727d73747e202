"""An expectation made concrete: its templates and what may stand in their braces."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from hassil.expression import ListReference

from narrator.core.expect import Expectation
from narrator.core.values import Seat, Value
from narrator.language.locale import Locale
from narrator.language.network import Network
from narrator.language.slots import ListSlot, NumberSlot, SeatsSlot, Slot, letter_slot, seat_slot
from narrator.language.templates import parse, slots_of

SLOTS_BY_KIND: Mapping[str, frozenset[str]] = {
    "phrase": frozenset({"seat", "number", "letter"}),
    "command": frozenset({"number", "minutes", "seconds"}),
    **{k: frozenset({k}) for k in ("number", "seat", "seats", "letter", "choice")},
}
"""The slots that an expectation's own templates may hold, for `check_template`."""

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
        """Put every sentence before `follow`; give where they begin."""
        trees = [parse(t).expression for t in self.templates]
        return network.any_of([network.expression(t, follow, self._fill) for t in trees])

    def _fill(self, network: Network, slot: ListReference, follow: int) -> int:
        return self.slots[slot.list_name].enter(network, follow)

    def values(self, name: str, slot_name: str, found: object) -> tuple[Value, ...]:
        """Give what a slot's content means; minutes and seconds are in seconds."""
        read = self.slots[name].read(found)
        return tuple(_scaled(v, slot_name) for v in read)

    def words_for(self, value: Value, template: str) -> dict[str, list[str]]:
        """Give the words of each slot of a template that say this value."""
        fill: dict[str, list[str]] = {}
        for slot in slots_of(template):
            holder = self.slots[slot.list_name]
            if not self.answer and self.expectation.kind == "phrase":
                fill[slot.slot_name] = _anything(holder)
            else:
                wanted = _unscaled(value, slot.slot_name)
                fill[slot.slot_name] = [] if wanted is None and not self.answer else list(
                    holder.say(wanted)
                )
        return fill

    def each_value(self) -> Iterator[Plan]:
        """Give a plan for every single value, where the values are few and fixed."""
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
    if kind in ("phrase", "command"):
        slots |= _common_slots(kind, seats, locale)
    made = Plan(expectation, _templates(expectation, locale, answer), slots, answer)
    _complete(made, locale)
    if kind != "free" and not made.templates:
        raise GrammarError(f"Nothing is said for `{expectation.intent}`: it has no sentence.")
    return made


def _templates(expectation: Expectation, locale: Locale, answer: str) -> tuple[str, ...]:
    kind, own = expectation.kind, expectation.templates
    if kind == "phrase":
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
            yield "number", NumberSlot(expectation.low, expectation.high, locale.numbers)
        case "letter":
            yield "letter", letter_slot(expectation.allowed, locale)
        case "choice":
            yield "choice", ListSlot(tuple((v, ts or (v,)) for v, ts in expectation.choices))
        case "seat":
            yield "seat", seat_slot(seats, locale, expectation.nobody)
        case "seats":
            order = tuple(s.name for s in seats)
            everyone = tuple(n for n in order if n in expectation.allowed) or order
            yield "seats", SeatsSlot(
                seat_slot(seats, locale), order, everyone, locale, expectation.nobody
            )


def _common_slots(kind: str, seats: Sequence[Seat], locale: Locale) -> dict[str, Slot]:
    slots: dict[str, Slot] = {
        name: NumberSlot(1, _COUNTABLE, locale.numbers) for name in ("number", *_SECONDS)
    }
    if kind == "phrase":
        slots |= {"seat": seat_slot(seats, locale), "letter": letter_slot((), locale)}
    return slots


def _complete(made: Plan, locale: Locale) -> None:
    """Add the ranges that the templates name, and see that every slot is there."""
    slots = made.slots
    assert isinstance(slots, dict)
    for template in (*made.templates, *_entries(made)):
        try:
            names = [s.list_name for s in slots_of(template)]
        except Exception as error:  # hassil has no common class for what it raises
            raise GrammarError(f"The sentence `{template}` cannot be read.") from error
        for name in names:
            if name.startswith("range_"):
                low, high = name.split("_")[1:]
                slots[name] = NumberSlot(int(low), int(high), locale.numbers)
            elif name not in slots:
                raise GrammarError(f"Nothing fills {{{name}}} in the sentence `{template}`.")


def _entries(made: Plan) -> list[str]:
    slot = made.slots.get(made.answer)
    return [t for _, ts in slot.entries for t in ts] if isinstance(slot, ListSlot) else []
