"""Builds automata: a network of word pieces, then its smallest deterministic word automaton.

Pieces, not words, because a template may glue them together: `minute[s]`, `{seat}'s`. Everything
is built from the end of a sentence to its beginning, so that equal endings are shared at once.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable, Iterable, Mapping
from functools import lru_cache, partial
from typing import TypeAlias

from hassil.expression import (
    Alternative,
    Expression,
    Group,
    ListReference,
    Permutation,
    TextChunk,
)

from narrator.language.grammar.automaton import Arc, Automaton
from narrator.language.grammar.free_order import without_silence
from narrator.language.grammar.templates import is_silent

FillSlot: TypeAlias = Callable[["Network", ListReference, int], int]
"""Puts a slot's words before a state; gives the state that they begin at."""

MOST_ARCS = 200_000
"""Words between two places of an automaton, all in all: 30 MB. A game's have up to 20,000."""
_MOST_BEGUN = 6_000
"""Forms of one word with its beginnings; a number slot has 1,100, and three ranges of a hundred
that are glued together would have a million."""
_MOST_LISTED = 250_000
"""Such forms in all places together: 40 MB, and two seconds to put together."""
_SPACE = " "
_PIECE = re.compile(r"\s|\S+")
_SINGLE = 100
_BLOCK = re.compile(r"(\d+)\.\.(\d+)")
_Graph: TypeAlias = list[dict[str, int]]
_Plan: TypeAlias = list[tuple[str, list[tuple[str, int]]]]
_Words: TypeAlias = tuple[frozenset[tuple[str, int]], bool]


class TooManyWords(ValueError):
    """So much may be said that no automaton of it can be held."""


class Network:
    """Pieces of words between states, with jumps; state 0 is the accepting one.

    Args:
        digits: Number words with their written form, `twenty one` and `21`: texts that hold
            such words may also be heard with the digits.
        cuts: Where some slot's numbers begin, and one after where they end. Written numbers
            between two cuts share every arc until the very end, which keeps building quick.
        loose: Whether what is understood when typed, but easily mistaken when spoken, is built too.
        keep: Whether one expression before one state is always filled alike: it is built once.
    """

    def __init__(
        self,
        digits: Mapping[str, str] | None = None,
        cuts: Iterable[int] = (),
        *,
        loose: bool = True,
        keep: bool = False,
    ) -> None:
        """Begin with the accepting state alone."""
        self._arcs: list[list[tuple[str, int]]] = [[]]
        self._known: dict[Hashable, int] = {}
        self._digits = digits or {}
        self._cuts = sorted({c for c in cuts if c > _SINGLE})
        self.loose = loose
        self._keep = keep
        self._plain: set[int] = set()
        """States from which no word has too many forms, looked at already."""
        self._plans: dict[str, _Plan] = {}
        self._words: dict[int, _Words | None] = {}
        self._listed = 0

    def state(self) -> int:
        """Add a state and give its number."""
        self._arcs.append([])
        return len(self._arcs) - 1

    def join(self, source: int, target: int, piece: str = "") -> None:
        """Lead from a state to another by a piece of a word, by a space, or (empty) by a jump."""
        self._arcs[source].append((piece, target))

    def shared(self, key: Hashable, build: Callable[[], int]) -> int:
        """Return the state that was built under this key, building it at first."""
        if key not in self._known:
            self._known[key] = build()
        return self._known[key]

    def before(self, piece: str, target: int) -> int:
        """Return the state from which this one piece leads to the target."""
        key = (piece, target)  # no other key begins with a text and a state
        state = self._known.get(key)
        if state is None:
            self._arcs.append([key])
            state = self._known[key] = len(self._arcs) - 1
        return state

    def any_of(self, states: Iterable[int]) -> int:
        """Return the state from which one may begin at any of these."""
        chosen = tuple(dict.fromkeys(states))
        if len(chosen) == 1:
            return chosen[0]
        state = self._known.get(chosen)
        if state is None:
            self._arcs.append([("", target) for target in chosen])
            state = self._known[chosen] = len(self._arcs) - 1
        return state

    def text(self, text: str, follow: int) -> int:
        """Return the state from which this text, spaces and all, leads to `follow`."""
        after = [follow]
        for piece, in_digits in self._plan(text):
            way = self.before(piece, after[-1])
            if in_digits:
                more = [self.before(written, after[-length]) for written, length in in_digits]
                way = self.any_of([way, *more])
            after.append(way)
        return after[-1]

    def _plan(self, text: str) -> _Plan:
        """Return the pieces of a text from its end on, each with the digits that may begin there.

        The same text stands before many states: a number before every unit.
        """
        plan = self._plans.get(text)
        if plan is None:
            pieces = _pieces(text)
            plan = self._plans[text] = [
                (
                    pieces[at],
                    [
                        (written, length)
                        for length in (1, 3)
                        if at + length <= len(pieces)
                        and (written := self._digits.get("".join(pieces[at : at + length])))
                    ],
                )
                for at in range(len(pieces) - 1, -1, -1)
            ]
        return plan

    def spoken(self, text: str, follow: int) -> int:
        """Return the same as `text`, but never in digits."""
        for piece in reversed(_pieces(text)):
            follow = self.before(piece, follow)
        return follow

    def written(self, numbers: range, follow: int) -> int:
        """Return the state from which any of these numbers, in digits, leads to `follow`."""
        ways = [self.before(str(n), follow) for n in numbers if n < _SINGLE]
        low, end = max(numbers.start, _SINGLE), numbers.stop
        while low < end:
            high = min([end, *(c for c in self._cuts if c > low)])
            ways.append(self.before(f"{low}..{high - 1}", follow))
            low = high
        return self.any_of(ways)

    def texts(self, texts: Iterable[str], follow: int) -> int:
        """Return the state from which any of these texts leads to `follow`."""
        return self.any_of([self.text(t, follow) for t in texts])

    def expression(self, tree: Expression, follow: int, fill: FillSlot) -> int:
        """Return the state from which a template's sentences lead to `follow`."""
        if self._keep and isinstance(tree, Group):
            key = ("tree", id(tree), follow)
            return self.shared(key, partial(self._expression, tree, follow, fill))
        return self._expression(tree, follow, fill)

    def _expression(self, tree: Expression, follow: int, fill: FillSlot) -> int:
        if isinstance(tree, TextChunk):
            return self.text(tree.text, follow)
        if isinstance(tree, ListReference):
            return fill(self, tree, follow)
        if isinstance(tree, Alternative):
            return self.any_of([self.expression(item, follow, fill) for item in tree.items])
        if isinstance(tree, Permutation):
            return self._any_order(tree, follow, fill)
        if isinstance(tree, Group):
            return self._chain(tuple(tree.items), follow, fill)
        raise ValueError(f"A template cannot hold {tree!r}.")

    def _any_order(self, tree: Permutation, follow: int, fill: FillSlot) -> int:
        """Join the parts by which of them are left, not by their order: 2^n places, not n!."""
        said = [without_silence(item) for item in tree.items]
        silent = [is_silent(item) for item in tree.items]
        known: dict[frozenset[int], int] = {}

        def begin(left: frozenset[int]) -> int:
            if left not in known:
                parts = [(said[n], left - {n}) for n in sorted(left)]
                ways = [self.expression(s, begin(rest), fill) for s, rest in parts if s]
                ends = [follow] if all(silent[n] for n in left) else []
                known[left] = self.any_of([*ends, *ways])
            return known[left]

        return begin(frozenset(range(len(said))))

    def _chain(self, items: tuple[Expression, ...], follow: int, fill: FillSlot) -> int:
        for item in reversed(items):
            follow = self.expression(item, follow, fill)
        return follow

    def is_glued(self, start: int) -> bool:
        """Whether some word on the way from `start` has more forms than can be listed."""
        todo, seen = [start], {start}
        while todo:
            words = self._listed_from(todo.pop())
            if words is None:
                return True
            fresh = {target for _, target in words[0]} - seen - self._plain
            seen |= fresh
            todo += fresh
        self._plain |= seen
        return False

    def automaton(self, *starts: int) -> Automaton:
        """Return the smallest deterministic automaton of the sentences from `starts` to state 0.

        Raises:
            TooManyWords: It would be larger than anybody can use.
        """
        graph, finals = self._determined(frozenset(starts))
        graph = _without_dead_ends(graph, finals)
        order = _endings_first(graph)
        merged = _smallest(graph, finals) if order is None else _folded(graph, finals, order)
        return _numbered(*merged)

    def _listed_from(self, state: int) -> _Words | None:
        if state not in self._words:
            words = self._words_from(state) if self._listed < _MOST_LISTED else None
            self._listed += len(words[0]) if words and self._keep else 0
            self._words[state] = words
        return self._words[state]

    def _words_from(self, state: int) -> _Words | None:
        """Return the words that begin at a state, with where each leads, and whether 0 is there.

        None where they are too many.
        """
        words: set[tuple[str, int]] = set()
        ends = False
        seen = {(state, "")}
        todo = [(state, "")]
        while todo:
            here, word = todo.pop()
            if here == 0 and word:
                words.add((word, 0))
            ends = ends or (here == 0 and not word)
            for piece, target in self._arcs[here]:
                if piece == _SPACE and word:
                    words.add((word, target))
                    continue
                step = (target, word if piece == _SPACE else word + piece)
                if step not in seen:
                    seen.add(step)
                    todo.append(step)
            if len(seen) > _MOST_BEGUN and self._keep:
                return None
        return frozenset(words), ends

    def _determined(self, start: frozenset[int]) -> tuple[_Graph, set[int]]:
        numbers = {start: 0}
        graph: _Graph = []
        finals: set[int] = set()
        todo = [start]
        arcs = 0
        while len(graph) < len(todo):
            following: dict[str, set[int]] = {}
            for state in todo[len(graph)]:
                listed = self._listed_from(state)
                if listed is None:
                    raise TooManyWords
                words, ends = listed
                if ends:
                    finals.add(len(graph))
                for word, target in words:
                    following.setdefault(word, set()).add(target)
            row: dict[str, int] = {}
            for word in sorted(following):
                group = frozenset(following[word])
                if group not in numbers:
                    numbers[group] = len(todo)
                    todo.append(group)
                row[word] = numbers[group]
            graph.append(row)
            arcs += len(row)
            if arcs > MOST_ARCS:
                raise TooManyWords
        return graph, finals


@lru_cache(maxsize=4096)
def _pieces(text: str) -> tuple[str, ...]:
    """Return the words of a text and a space for each of its spaces, in order.

    Kept for as many texts as the grammars of a game have: number words come again in each slot.
    """
    return tuple(_SPACE if piece.isspace() else piece for piece in _PIECE.findall(text))


def _without_dead_ends(graph: _Graph, finals: set[int]) -> _Graph:
    """Leave out the arcs from which no sentence can be ended, such as a slot that is empty."""
    sources: dict[int, set[int]] = {}
    for state, row in enumerate(graph):
        for target in row.values():
            sources.setdefault(target, set()).add(state)
    alive, todo = set(finals), list(finals)
    while todo:
        fresh = sources.get(todo.pop(), set()) - alive
        alive |= fresh
        todo += fresh
    return [{w: t for w, t in row.items() if t in alive} for row in graph]


def _endings_first(graph: _Graph) -> list[int] | None:
    """Return the states with all that follows a state before it; None where there is a circle."""
    order: list[int] = []
    begun, done = {0}, set()
    path = [(0, iter(graph[0].values()))]
    while path:
        state, onward = path[-1]
        target = next((t for t in onward if t not in done), None)
        if target is None:
            path.pop()
            done.add(state)
            order.append(state)
        elif target in begun:
            return None
        else:
            begun.add(target)
            path.append((target, iter(graph[target].values())))
    return order


def _folded(graph: _Graph, finals: set[int], order: list[int]) -> tuple[_Graph, set[int]]:
    """Merge the states that no sentence tells apart, in one pass from the ends; the start is 0."""
    names: dict[Hashable, int] = {}
    block: dict[int, int] = {}
    for state in order:
        row = {w: block[t] for w, t in graph[state].items()}
        # Numbered from the last on, so that the start comes out as 0 below.
        block[state] = names.setdefault((state in finals, tuple(row.items())), len(names))
    last = len(names) - 1
    merged: _Graph = [{} for _ in names]
    for state, own in block.items():
        merged[last - own] = {w: last - block[t] for w, t in graph[state].items()}
    return merged, {last - block[s] for s in finals if s in block}


def _smallest(graph: _Graph, finals: set[int]) -> tuple[_Graph, set[int]]:
    """Merge the states that no sentence tells apart (Moore's refinement); the start stays 0."""
    block = [int(state in finals) for state in range(len(graph))]
    count = len(set(block))
    while True:
        names: dict[Hashable, int] = {}
        refined = []
        for state, row in enumerate(graph):
            signature = (block[state], tuple((w, block[t]) for w, t in row.items()))
            refined.append(names.setdefault(signature, len(names)))
        block = refined
        if len(names) == count:
            break
        count = len(names)
    merged: _Graph = [{} for _ in range(count)]
    for state, row in enumerate(graph):
        merged[block[state]] = {w: block[t] for w, t in row.items()}
    return merged, {block[s] for s in finals}


def _numbered(graph: _Graph, finals: set[int]) -> Automaton:
    known: dict[tuple[str, int], tuple[Arc, ...]] = {}

    def arcs(word: str, target: int) -> tuple[Arc, ...]:
        if (word, target) not in known:
            known[word, target] = tuple(
                Arc(w, target, written=w.removeprefix("-").isdecimal()) for w in _unblocked(word)
            )
        return known[word, target]

    rows = (tuple(arc for w, t in row.items() for arc in arcs(w, t)) for row in graph)
    return Automaton(tuple(rows), frozenset(finals))


def _unblocked(word: str) -> list[str]:
    block = _BLOCK.search(word)
    if not block:
        return [word]
    numbers = range(int(block[1]), int(block[2]) + 1)
    return [f"{word[: block.start()]}{n}{word[block.end() :]}" for n in numbers]
