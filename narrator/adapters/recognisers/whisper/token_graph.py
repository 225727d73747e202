"""A word automaton seen as Whisper's tokens, unfolded only as far as a search walks.

A word is written " word", or " Word" as names and beginnings of sentences are; after it a comma may
stand, at the end a full stop, a question mark or an exclamation mark. What follows a number may
hang on it: "twelve-ounce", "twenty-one", "2%".
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from narrator.language.grammar.automaton import Automaton

Encode: TypeAlias = Callable[[str], list[int]]
"""Returns the tokens of a text, without any special ones."""
_UNITS = frozenset("one two three four five six seven eight nine".split())
_NUMBERS = _UNITS | frozenset(
    "ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty thirty "
    "forty fifty sixty seventy eighty ninety hundred".split()
)
_SIGNS = {"percent": "%"}
_LETTERS = "abcdefghijklmnopqrstuvwxyz"
_WORDS_OF_ONE = frozenset("aio")
"""Letters that are words in any sentence: "a half", "I have", "O" for zero. Where there are no
others, nobody spells, and tokens of one letter are such words or the beginnings of longer ones."""


@dataclass(slots=True, eq=False)
class _Node:
    """Inside a word: the tokens that continue it, and the arcs whose word ends here."""

    children: dict[int, _Node] = field(default_factory=dict)
    word: str = ""
    targets: set[int] = field(default_factory=set)


@dataclass(frozen=True, slots=True)
class Position:
    """A place in the grammar; tokens alone may leave open whether a word is over."""

    words: tuple[str, ...]
    """Words on the way here, the one that may just have ended among them."""
    states: frozenset[int]
    """Automaton states reached, if a word has ended here; else empty."""
    inside: _Node | None = None
    """Where in a word the tokens have come to, if it can go on."""
    before: tuple[str, ...] = ()
    """The words without the one that can go on."""
    comma: bool = False
    closed: bool = False
    """A full stop, or another mark of that kind, stands here: the end may follow, or what a pause
    made look like a new sentence."""


class TokenGraph:
    """What may follow, token by token, along one automaton."""

    def __init__(self, grammar: Automaton, encode: Encode, end: int) -> None:
        self.grammar = grammar
        self._encode = encode
        self.end = end
        self._begins = frozenset(state for state, _ in grammar.starts)
        self._marks = frozenset(encode(mark)[0] for mark in ".?!")
        self._comma = encode(",")[0]
        self._signs = np.array([*self._marks, self._comma, end])
        there = grammar.words() & frozenset(_LETTERS)
        chosen = there if there - _WORDS_OF_ONE else frozenset[str]()
        spelled = (encode(f" {c}") for letter in sorted(chosen) for c in (letter, letter.upper()))
        self._letters = np.array([t[0] for t in spelled if len(t) == 1], np.int64)
        self._after_number = frozenset(
            arc.target
            for arcs in grammar.arcs
            for arc in arcs
            if arc.word in _NUMBERS or arc.word.isdecimal()
        )
        self._tries: dict[frozenset[int], _Node] = {}
        self._tokens: dict[tuple[int, frozenset[int], bool, bool], NDArray[np.int64]] = {}

    @property
    def starts(self) -> list[tuple[Position, float]]:
        """Where sentences begin, and by how many nats those are less likely."""
        return [(Position((), frozenset({s})), nats) for s, nats in self.grammar.starts]

    def tokens(self, position: Position) -> NDArray[np.int64]:
        """Return the tokens that may follow."""
        key = (id(position.inside), position.states, position.comma, position.closed)
        if key not in self._tokens:
            found = dict.fromkeys(position.inside.children if position.inside else ())
            if position.states:
                found |= dict.fromkeys(self._trie(position.states).children)
                found |= dict.fromkeys(self._punctuation(position))
            self._tokens[key] = np.array(list(found), np.int64)
        return self._tokens[key]

    def are_words(self, tokens: NDArray[np.int64]) -> NDArray[np.bool_]:
        """Return which of these tokens belong to words, not to punctuation or the end."""
        return ~np.isin(tokens, self._signs)

    def are_letters(self, tokens: NDArray[np.int64]) -> NDArray[np.bool_]:
        """Return which of these tokens are letters that are chosen from; none elsewhere."""
        return np.isin(tokens, self._letters)

    def advance(self, position: Position, token: int) -> Position | None:
        """Follow one of those tokens; None is the end of the sentence."""
        if token == self.end:
            return None
        if position.inside is not None and token in position.inside.children:
            return _enter(position.before, position.inside.children[token])
        trie = self._trie(position.states)
        if token in trie.children:
            return _enter(position.words, trie.children[token])
        if token == self._comma:
            return Position(position.words, position.states, comma=True)
        return Position(position.words, position.states, closed=True)

    def _punctuation(self, position: Position) -> set[int]:
        ends = {self.end} if position.states & self.grammar.finals else set()
        if position.closed:
            return ends
        if position.comma or position.states <= self._begins:
            return set()
        goes_on = any(self.grammar.arcs[s] for s in position.states)
        marks = self._marks if ends or goes_on else frozenset()
        return {*ends, *marks, *((self._comma,) if goes_on else ())}

    def _trie(self, states: frozenset[int]) -> _Node:
        if states not in self._tries:
            root = _Node()
            hangs, joined = bool(states & self._after_number), not states <= self._begins
            for arc in (arc for state in sorted(states) for arc in self.grammar.arcs[state]):
                self._add(root, arc.word, arc.target, joined=joined, hangs=hangs)
            self._tries[states] = root
        return self._tries[states]

    def _add(self, root: _Node, word: str, target: int, *, joined: bool, hangs: bool) -> None:
        spellings = dict.fromkeys((f" {word}", f" {word[:1].upper()}{word[1:]}"))
        if hangs or (joined and word in _UNITS):
            spellings[f"-{word}"] = None
        if hangs and word in _SIGNS:
            spellings[_SIGNS[word]] = None
        for spelling in spellings:
            node = root
            for token in self._encode(spelling):
                node = node.children.setdefault(token, _Node())
            node.word = word
            node.targets.add(target)


def _enter(before: tuple[str, ...], node: _Node) -> Position:
    words = (*before, node.word) if node.targets else before
    return Position(words, frozenset(node.targets), node if node.children else None, before)
