"""Intents of a hassil file, compiled: what to listen for, and what was meant."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from itertools import islice
from typing import Any, Protocol, TypeAlias

from hassil.expression import Expression, ListReference, Sentence
from hassil.intents import Intent, IntentData, Intents, SlotList, TextSlotList, TextSlotValue
from hassil.models import MatchEntity
from hassil.recognize import RecognizeResult, recognize_all

from narrator.language.grammar.automaton import Arc, Automaton
from narrator.language.grammar.network import Network
from narrator.language.grammar.slots import NumberSlot
from narrator.language.hassil.faults import Path
from narrator.language.names.forms import spelled
from narrator.language.numbers import LARGEST, NumberWords, small_forms, spellings
from narrator.language.text import UNKNOWN, normalise

SlotValue: TypeAlias = Any
"""Whatever a file puts out for a slot: text, a number, true or false."""

_WRITTEN = 999
_RESULTS = 200
"""Ways to read one sentence that are compared; a file with more says the same thing many times."""


@dataclass(frozen=True, slots=True)
class Understood:
    """What a sentence means."""

    intent: str
    slots: Mapping[str, SlotValue]
    """By name; a slot that was filled more than once, differently, has a list."""


class FileSlot(Protocol):
    """What a file's list allows in braces."""

    def enter(self, network: Network, follow: int) -> int:
        """Insert everything that may be said here before `follow`; return where it begins."""
        ...

    def listing(self, name: str) -> SlotList:
        """Return hassil's list for it."""
        ...

    def bounds(self) -> Iterator[int]:
        """Return where its numbers begin, and one after where they end."""
        ...


@dataclass(frozen=True, eq=False, slots=True)
class ValueSlot:
    """A closed list of words with what each puts out."""

    entries: tuple[tuple[Expression, SlotValue], ...]
    """An output of None is the words themselves."""

    def enter(self, network: Network, follow: int) -> int:
        """Insert every value before `follow`."""
        return network.shared((id(self), follow), partial(self._build, network, follow))

    def _build(self, network: Network, follow: int) -> int:
        trees = (tree for tree, _ in self.entries)
        return network.any_of([network.expression(t, follow, _no_slot) for t in trees])

    def listing(self, name: str) -> SlotList:
        """Return hassil's list."""
        values = [TextSlotValue(text_in=tree, value_out=out) for tree, out in self.entries]
        return TextSlotList(name=name, values=values)

    def bounds(self) -> Iterator[int]:
        """Return nothing: these are no numbers."""
        return iter(())


def _no_slot(network: Network, slot: object, follow: int) -> int:
    raise ValueError("A slot cannot be used inside the words that fill a slot.")


@dataclass(frozen=True, slots=True)
class RangeSlot:
    """Whole numbers from `low` to `high` in steps; what is put out is multiplied."""

    low: int
    high: int
    step: int
    multiplier: float
    words: NumberWords

    def enter(self, network: Network, follow: int) -> int:
        """Insert the numbers, spoken and written, before `follow`."""
        if self.step == 1:
            return NumberSlot(self.low, self.high, self.words).enter(network, follow)
        return network.shared((self, follow), partial(self._build, network, follow))

    def _build(self, network: Network, follow: int) -> int:
        spoken = [network.spoken(form, follow) for form, _ in self._forms()]
        written = [network.before(str(n), follow) for n in self._numbers() if abs(n) <= _WRITTEN]
        return network.any_of([*spoken, *written])

    def listing(self, name: str) -> SlotList:
        """Return hassil's list: every number in each of its forms."""
        pairs = [(form, self._out(number)) for form, number in self._forms()]
        # What the language has no words for is understood as it is written.
        written = (n for n in self._numbers() if 0 <= n <= _WRITTEN)
        pairs += [(str(n), self._out(n)) for n in written if spelled(str(n), self.words) == str(n)]
        return TextSlotList.from_tuples(pairs, allow_template=False, name=name)

    def bounds(self) -> Iterator[int]:
        """Yield both ends where every number between them counts."""
        if self.step == 1:
            yield from (self.low, self.high + 1)

    def _numbers(self) -> range:
        # What has no words is heard by nobody; a range to a million stays affordable.
        return range(self.low, min(self.high, LARGEST) + 1, self.step)

    def _forms(self) -> Iterator[tuple[str, int]]:
        numbers = self._numbers()
        for form, number in small_forms(self.words, True).items():
            if number in numbers:
                yield " ".join(form), number
        for number in numbers:
            if not 0 <= number < 100:
                yield from ((form, number) for form in spellings(number, self.words))

    def _out(self, number: int) -> SlotValue:
        out = number * self.multiplier
        return int(out) if out == int(out) else out


@dataclass(frozen=True, slots=True)
class Block:
    """Sentences of one intent that share their lists and fixed slots."""

    intent: str
    trees: tuple[Expression, ...]
    """Rules are written out, parts in any order are `FreeOrder`."""
    lists: Mapping[str, FileSlot] = field(default_factory=dict)
    slots: Mapping[str, SlotValue] = field(default_factory=dict)
    """Emit whatever is said."""
    keywords: tuple[str, ...] = ()
    """One of these must be said, if there are any."""
    places: tuple[Path, ...] = ()
    """Where each sentence stands in the file."""

    def enter(self, network: Network) -> list[int]:
        """Insert every sentence before the end; return where each begins."""
        return [network.expression(tree, 0, self._fill) for tree in self.trees]

    def only(self, kept: Sequence[int]) -> Block:
        """Return the block with these of its sentences alone."""
        trees = tuple(self.trees[at] for at in kept)
        return replace(self, trees=trees, places=tuple(self.places[at] for at in kept))

    def _fill(self, network: Network, slot: ListReference, follow: int) -> int:
        return self.lists[slot.list_name].enter(network, follow)


@dataclass(frozen=True)
class _ParsedData(IntentData):
    """hassil's block, whose sentences are parsed already."""

    trees: tuple[Expression, ...] = ()

    @cached_property
    def sentences(self) -> list[Sentence]:
        return [Sentence(expression=tree) for tree in self.trees]


class IntentGrammar:
    """Everything that a file's intents allow to be said.

    Args:
        blocks: The sentences.
        skip_words: Words that may be said between any others and mean nothing.
        numbers: The language's number words.
        automaton: Of the blocks' sentences.
        language: Its code, for instance `en`.
        notes: What of the file was left aside; each a plain sentence.
    """

    def __init__(
        self,
        blocks: Sequence[Block],
        skip_words: Sequence[str] = (),
        *,
        numbers: NumberWords,
        automaton: Automaton,
        language: str = "en",
        notes: Sequence[str] = (),
    ) -> None:
        self.intents = tuple(dict.fromkeys(block.intent for block in blocks))
        """Their names, in the file's order."""
        self.language = language
        self.notes = tuple(notes)
        self._blocks = tuple(blocks)
        self._skipped = tuple(dict.fromkeys(filter(None, map(normalise, skip_words))))
        self._numbers = numbers
        self.automaton = with_skipped(automaton, self._skipped)
        """What a recogniser is given."""

    def interpret(self, text: str) -> Understood | None:
        """Return what a transcript or typed line means; None if it is not a sentence of the file.

        Of several readings the one wins that has the most words of its own template, as in hassil;
        then the first in the file.
        """
        words = normalise(with_signs(text))
        if not words or UNKNOWN in text.lower():
            return None
        spoken = spelled(words, self._numbers)
        # hassil alone is laxer about spaces than any recogniser.
        if not (self.automaton.accepts(words) or self.automaton.accepts(spoken)):
            return None
        results = list(islice(recognize_all(spoken, self._hassil), _RESULTS))
        best = max(results, key=lambda r: r.text_chunks_matched, default=None)
        return None if best is None else Understood(best.intent.name, _slots(best))

    @cached_property
    def _hassil(self) -> Intents:
        intents: dict[str, Intent] = {}
        for block in self._blocks:
            lists = {name: slot.listing(name) for name, slot in block.lists.items()}
            data = _ParsedData(
                sentence_texts=[],
                slots=dict(block.slots),
                slot_lists=lists,
                required_keywords=set(block.keywords) or None,
                trees=block.trees,
            )
            intents.setdefault(block.intent, Intent(block.intent)).data.append(data)
        return Intents(self.language, intents, skip_words=list(self._skipped))


def with_signs(text: str) -> str:
    """Write out the signs that are said as words; a transcript has no signs."""
    return text.replace("%", " percent ").replace("&", " and ")


def _slots(result: RecognizeResult) -> dict[str, SlotValue]:
    found: dict[str, list[SlotValue]] = {}
    for entity in result.entities_list:
        values = found.setdefault(entity.name, [])
        value = _value(entity)
        if not any(type(v) is type(value) and v == value for v in values):
            values.append(value)
    for name, fixed in result.entities.items():
        found.setdefault(name, [fixed.value])
    return {name: values[0] if len(values) == 1 else values for name, values in found.items()}


def _value(entity: MatchEntity) -> SlotValue:
    return entity.value.strip() if isinstance(entity.value, str) else entity.value


def with_skipped(automaton: Automaton, phrases: Sequence[str], most: int = 2) -> Automaton:
    """Allow these phrases before, between and after the words, `most` of them in a sentence.

    Not any number: a recogniser that may hear one anywhere hears it wherever it is at a loss. Those
    of several words are allowed before and after only, where they are said; they cost states.
    """
    if not phrases:
        return automaton
    size = len(automaton.arcs)
    starts = range(0, (most + 1) * size, size)
    rows = [
        [Arc(a.word, a.target + at, a.written) for a in arcs]
        for at in starts
        for arcs in automaton.arcs
    ]
    for state in range(most * size):
        is_edge = state % size == 0 or state % size in automaton.finals
        for phrase in phrases:
            if is_edge or " " not in phrase:
                _lead(rows, state, state + size, phrase.split())
    finals = frozenset(final + at for final in automaton.finals for at in starts)
    return Automaton(tuple(map(tuple, rows)), finals)


def _lead(rows: list[list[Arc]], source: int, target: int, words: Sequence[str]) -> None:
    for word in words[:-1]:
        rows.append([])
        rows[source].append(Arc(word, len(rows) - 1))
        source = len(rows) - 1
    rows[source].append(Arc(words[-1], target))
