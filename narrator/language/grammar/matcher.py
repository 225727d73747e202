"""Reads words along templates whose slots may stand side by side.

hassil reads an open slot up to the next plain word of its sentence; where two of them meet, as in
`{seats} {number}`, only what each can hold tells where one ends.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple, TypeAlias

from narrator.core.values import Value
from narrator.language.grammar.slots import ListSlot, Slot
from narrator.language.grammar.templates import expand_raw, slots_of

LONGEST = 40
"""Words that one slot holds at most."""


class Hole(NamedTuple):
    """A slot within a pattern."""

    listed: str
    """The list that fills it."""
    name: str


Pattern: TypeAlias = tuple["str | Hole", ...]
Found: TypeAlias = tuple[int, Mapping[str, Value]]
"""Where the words that were read end, and what each slot held."""


@lru_cache(maxsize=512)
def patterns(template: str) -> tuple[Pattern, ...]:
    """Return every sentence of a template as words and slots, each once."""
    holes = {f"{{{s.slot_name}}}": Hole(s.list_name, s.slot_name) for s in slots_of(template)}
    fill = {hole.name: [mark] for mark, hole in holes.items()}
    rows = (tuple(holes.get(w, w) for w in t.split()) for t in expand_raw(template, fill))
    return tuple(dict.fromkeys(rows))


@dataclass(frozen=True, slots=True)
class Matcher:
    """Some templates and what may stand in their slots."""

    templates: tuple[str, ...]
    slots: Mapping[str, Slot]
    """By the name of the list."""

    def read(self, words: Sequence[str]) -> Reading:
        """Begin to read these words."""
        return Reading(self, tuple(words))


class Reading:
    """Some words, read along templates; each stretch of them is tried once for each slot."""

    def __init__(self, matcher: Matcher, words: tuple[str, ...]) -> None:
        self._matcher = matcher
        said = frozenset(words)
        every = (p for t in matcher.templates for p in patterns(t))
        # Of some hundreds most have a word that nobody said.
        self._patterns = [
            p for p in every if said.issuperset(w for w in p if not isinstance(w, Hole))
        ]
        self._words = words
        self._known: dict[tuple[str, int, int], tuple[Value, ...]] = {}

    def whole(self) -> Iterator[Mapping[str, Value]]:
        """Yield what the slots held, for every way to read all of the words."""
        yield from (held for stop, held in self.starting(0) if stop == len(self._words))

    def starting(self, at: int) -> Iterator[Found]:
        """Yield every way to read some of the words from one of them on."""
        for pattern in self._patterns:
            yield from self._along(pattern, at, {})

    def _along(self, pattern: Pattern, at: int, held: Mapping[str, Value]) -> Iterator[Found]:
        if not pattern:
            yield at, held
            return
        head, rest = pattern[0], pattern[1:]
        if isinstance(head, Hole):
            for stop in self._stops(at, rest):
                for value in self._held(head.listed, at, stop):
                    yield from self._along(rest, stop, {**held, head.name: value})
        elif at < len(self._words) and self._words[at] == head:
            yield from self._along(rest, at + 1, held)

    def _stops(self, at: int, rest: Pattern) -> Iterator[int]:
        """Yield where a slot that begins at a word may end: before the word that has to follow."""
        last = len(self._words)
        for stop in range(at + 1, min(last, at + LONGEST) + 1):
            if (
                not rest
                or isinstance(rest[0], Hole)
                or rest[0] == next(iter(self._words[stop : stop + 1]), "")
            ):
                yield stop

    def _held(self, listed: str, start: int, stop: int) -> tuple[Value, ...]:
        key = (listed, start, stop)
        if key not in self._known:
            text = " ".join(self._words[start:stop])
            self._known[key] = _values(self._matcher.slots[listed], text)
        return self._known[key]


def _values(slot: Slot, text: str) -> tuple[Value, ...]:
    return slot.meanings(text) if isinstance(slot, ListSlot) else slot.read(text)
