"""Which sentences of a set an ear can be given: what would take gigabytes is left out, and told."""

from __future__ import annotations

from collections.abc import Sequence

from narrator.language.grammar.automaton import Automaton
from narrator.language.grammar.network import Network, TooManyWords
from narrator.language.hassil.faults import Findings
from narrator.language.hassil.intents import Block
from narrator.language.numbers import NumberWords, small_forms, spell

_GLUED = (
    "is left out: its words have too many forms to be listened for. Where pieces of it stand "
    "together without a space, put spaces between them."
)
_WIDE = "is left out: with the sentences before it, too much could be said to be listened for."


class Fitting:
    """The sentences that can be listened for together, and their automaton."""

    def __init__(self, blocks: Sequence[Block], numbers: NumberWords, findings: Findings) -> None:
        """Try them; what is left out is noted with its place."""
        slots = [slot for block in blocks for slot in block.lists.values()]
        cuts = {cut for slot in slots for cut in slot.bounds()}
        self._network = Network(_digits(numbers), cuts, keep=True)
        self._findings = findings
        kept = [
            (block, at, start)
            for block in blocks
            for at, start in enumerate(block.enter(self._network))
            if not self._is_glued(block, at, start)
        ]
        self.automaton, kept = self._largest(kept)
        self.blocks = _regrouped(kept)

    def _is_glued(self, block: Block, at: int, start: int) -> bool:
        if not self._network.is_glued(start):
            return False
        self._findings.note(block.places[at], f"This sentence of {block.intent} {_GLUED}")
        return True

    def _largest(self, kept: list[_Sentence]) -> tuple[Automaton, list[_Sentence]]:
        """Return the automaton of as many of the first sentences as fit into one."""
        while True:
            try:
                return self._network.automaton(*(start for _, _, start in kept)), kept
            except TooManyWords:
                for block, at, _ in kept[len(kept) // 3 :]:
                    told = f"This sentence of {block.intent} {_WIDE}"
                    self._findings.note(block.places[at], told)
                kept = kept[: len(kept) // 3]


_Sentence = tuple[Block, int, int]
"""A block, a position in it, and where that sentence begins in the network."""


def _regrouped(kept: Sequence[_Sentence]) -> tuple[Block, ...]:
    found: dict[int, tuple[Block, list[int]]] = {}
    for block, at, _ in kept:
        found.setdefault(id(block), (block, []))[1].append(at)
    return tuple(block.only(positions) for block, positions in found.values())


def _digits(words: NumberWords) -> dict[str, str]:
    return {spell(n, words): str(n) for n in sorted(set(small_forms(words, False).values()))}
