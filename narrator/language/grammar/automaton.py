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
    starts: tuple[tuple[int, float], ...] = ((0, 0.0),)
    """Where sentences begin, and by how many nats those that begin there are less likely. State 0
    leads wherever any of these does, for engines that cannot weigh."""
    once: frozenset[str] = frozenset()
    """Words that nobody says twice in one sentence, such as the names in a list."""

    def accepts(self, text: str) -> bool:
        """Whether the words of this text lead from the start to a final state."""
        states = {0}
        for word in text.split():
            states = {a.target for s in states for a in self.arcs[s] if a.word == word}
        return bool(states & self.finals)

    def words(self, *, written: bool = False) -> frozenset[str]:
        """Return every word; the written forms only if asked for."""
        return frozenset(a.word for arcs in self.arcs for a in arcs if written or not a.written)

    def sentences(self, limit: int) -> Iterator[str]:
        """Return spoken sentences, shortest first, at most `limit` of them."""
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


def either(likely: Automaton, unlikely: Automaton, nats: float) -> Automaton:
    """Join two automata into one whose second part is less likely by some nats."""
    begin = 1 + len(likely.arcs)
    first = _moved(likely, 1)
    second = _moved(unlikely, begin)
    arcs = ((*first[0], *second[0]), *first, *second)
    finals = {state + 1 for state in likely.finals} | {state + begin for state in unlikely.finals}
    if 0 in likely.finals or 0 in unlikely.finals:
        finals.add(0)
    starts = ((1, 0.0), (begin, nats))
    return Automaton(arcs, frozenset(finals), starts, likely.once | unlikely.once)


def _moved(automaton: Automaton, by: int) -> tuple[tuple[Arc, ...], ...]:
    return tuple(
        tuple(Arc(arc.word, arc.target + by, arc.written) for arc in arcs)
        for arcs in automaton.arcs
    )
