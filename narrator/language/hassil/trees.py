"""How deep and how large the tree of a sentence is, and which lists it names."""

from __future__ import annotations

from collections.abc import Iterator

from hassil.expression import Expression, Group, ListReference

DEEPEST = 150
"""Levels of a sentence that is written out, about two for each pair of brackets: the deepest of
Home Assistant's has 12.
"""


def slots_in(tree: Expression) -> Iterator[ListReference]:
    """Yield every reference to a list, as often as it stands there."""
    if isinstance(tree, ListReference):
        yield tree
    elif isinstance(tree, Group):
        for item in tree.items:
            yield from slots_in(item)


def depth(tree: Expression) -> int:
    """Return how deep a tree is; what lies below `DEEPEST` is not looked at."""
    level, deep = [tree], 0
    while level and deep <= DEEPEST:
        inner = {id(i): i for part in level if isinstance(part, Group) for i in part.items}
        level, deep = list(inner.values()), deep + 1
    return deep


def size(tree: Expression) -> int:
    """Return of how many parts a tree is made when it is written out."""
    sizes: dict[int, int] = {}

    def measured(part: Expression) -> int:
        if id(part) not in sizes:
            items = part.items if isinstance(part, Group) else []
            sizes[id(part)] = 1 + sum(measured(item) for item in items)
        return sizes[id(part)]

    return measured(tree)
