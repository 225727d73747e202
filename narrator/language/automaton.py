"""A grammar as an automaton over words: what every engine is given, whatever the grammar's size."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Arc:
    """One word leading to a state."""

    word: str
    """Lower case, as a transcript has it: `complete`, `twenty`, `5`."""
    target: int
    written: bool = False
    """A written form such as `5` or `21` that is never pronounced as spelt: for engines that write
    (Whisper), not for those that look words up in a lexicon (Vosk)."""


@dataclass(frozen=True, slots=True)
class Automaton:
    """States are numbered from 0, which is the start."""

    arcs: tuple[tuple[Arc, ...], ...]
    """By state."""
    finals: frozenset[int]

    def accepts(self, text: str) -> bool:
        """Tell whether the words of this text lead from the start to a final state."""
        states = {0}
        for word in text.split():
            states = {a.target for s in states for a in self.arcs[s] if a.word == word}
        return bool(states & self.finals)

    def words(self, *, written: bool = False) -> frozenset[str]:
        """Give every word; the written forms only if asked for."""
        return frozenset(a.word for arcs in self.arcs for a in arcs if written or not a.written)

    def sentences(self, limit: int) -> Iterator[str]:
        """Give spoken sentences, shortest first, at most `limit` of them."""
        queue: list[tuple[int, tuple[str, ...]]] = [(0, ())]
        count = 0
        while queue and count < limit:
            following: list[tuple[int, tuple[str, ...]]] = []
            for state, words in queue:
                if state in self.finals and words:
                    yield " ".join(words)
                    count += 1
                    if count >= limit:
                        return
                following += [
                    (a.target, (*words, a.word)) for a in self.arcs[state] if not a.written
                ]
            queue = following[: 4 * limit]
