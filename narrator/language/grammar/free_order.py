"""Parts of a sentence in any order, and expressions without their silent reading.

An optional part may be skipped in many ways that hear the same; leaving the silent readings out
makes each sentence have one way through, which is what keeps eight optional parts affordable.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from hassil.expression import (
    Alternative,
    Expression,
    Group,
    Permutation,
    Sequence,
    TextChunk,
)

from narrator.language.grammar.templates import is_silent


def without_silence(tree: Expression) -> Expression | None:
    """Return the expression without the reading in which no word is said; None if none is left."""
    if isinstance(tree, TextChunk):
        return tree if tree.text.strip() else None
    if isinstance(tree, Alternative):
        said = [s for s in map(without_silence, tree.items) if s is not None]
        return Alternative(items=said) if said else None
    if isinstance(tree, Group) and is_silent(tree):
        return _first_said(tree)
    return tree


def _first_said(tree: Group) -> Expression | None:
    """Return one way for each part that may be the first to be said."""
    ways: list[Expression] = []
    for at, item in enumerate(tree.items):
        said = without_silence(item)
        if said is None:
            continue
        if isinstance(tree, Permutation):
            rest = tree.items[:at] + tree.items[at + 1 :]
            ways.append(Sequence(items=[said, FreeOrder(items=rest)] if rest else [said]))
        else:
            # Spaces before the first word matter to hassil, which is strict about glued words.
            spaces = [i for i in tree.items[:at] if isinstance(i, TextChunk)]
            ways.append(Sequence(items=[*spaces, said, *tree.items[at + 1 :]]))
    return Alternative(items=ways) if ways else None


class FreeOrder(Permutation):
    """A permutation that hassil's matcher walks along the text instead of through every order."""

    def __init__(self, items: list[Expression]) -> None:
        super().__init__(items=items)
        self._said = [without_silence(item) for item in items]

    def iterate_permutations(self) -> Iterable[tuple[Expression, Any]]:
        """Yield each part that may be said first with what may follow it; last of all, nothing."""
        for at, said in enumerate(self._said):
            if said is not None:
                rest = self.items[:at] + self.items[at + 1 :]
                yield said, FreeOrder(rest) if rest else TextChunk()
        if all(is_silent(item) for item in self.items):
            yield TextChunk(), TextChunk()
