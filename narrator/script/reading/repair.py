"""Leaves out of a script what has no shape, so that everything else in it is checked as well."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from narrator.core.game import Place
from narrator.script.diagnostics.report import Report
from narrator.script.reading.fields import VERBS
from narrator.script.reading.models import misspelt_verb
from narrator.script.reading.nodes import Items, Node, Scalar, Table, first_key

BLOCKS = frozenset({"steps", "then", "else"})
_NAMING = frozenset(
    {"into", "vote", "count", "for each", "id", "draw", "rest", "shuffle", "roll", "teams"}
    | {"elapsed", "remaining"}
)


def walk(root: Table, loc: Sequence[str | int]) -> tuple[Node, Place]:
    """Follow a location as pydantic gives it; the tags of steps in it are not in the file."""
    node: Node = root
    place, tagged = root.place, False
    for part in loc:
        if isinstance(node, Items) and isinstance(part, int):
            node = node[part]
            place, tagged = node.place, True
        elif tagged and part in VERBS:
            tagged = False
        elif isinstance(node, Table) and isinstance(part, str) and part in node:
            node = node[part]
            place = node.place
            tagged = False
    return node, place


def repair(root: Table, loc: Sequence[str | int], report: Report) -> bool:
    """Correct or leave out what an error is about; tell whether the script can be read on.

    Args:
        root: the script; it is changed.
        loc: the error's place as pydantic gives it.
        report: learns which names are left out, so that nobody is told that they are missing.
    """
    trail = list(_trail(root, loc))
    if len(trail) < 2:
        return _complete(root, loc)
    holder, key = trail[-1]
    is_verb = key in VERBS and isinstance(trail[-2][0], Items)
    if isinstance(holder, Table) and isinstance(key, str) and not is_verb:
        report.dropped |= {key, key.replace(" ", "_"), *_names(holder[key])}
        del holder[key]
        return True
    for parent, index in reversed(trail):
        if isinstance(parent, Items) and isinstance(index, int):
            return _repair_step(parent, index, report)
    return False


def _trail(root: Table, loc: Sequence[str | int]) -> Iterator[tuple[Table | Items, str | int]]:
    """Yield each mapping and each list of steps on the way, with what is looked up in it."""
    node: Node = root
    around, tagged = "", False
    for part in loc:
        if isinstance(node, Items) and isinstance(part, int) and part < len(node):
            if around in BLOCKS or around == "parts":
                yield node, part
            node, tagged = node[part], True
        elif tagged and part in VERBS:
            tagged = False  # a step's verb stands in the location, before what is wrong in it
        elif isinstance(node, Table) and isinstance(part, str) and part in node:
            yield node, part
            around = "parts" if around == "parts" and part not in BLOCKS else part
            node, tagged = node[part], False


def _repair_step(block: Items, index: int, report: Report) -> bool:
    node = block[index]
    if isinstance(node, Table):
        first, meant = first_key(node), misspelt_verb(node)
        if meant:
            node[meant] = node.pop(first)
            node.keys_at[meant] = node.keys_at[first]
            return True
    report.dropped |= set(_names(node))
    block[index] = _silence(node.place)
    return True


def _silence(place: Place) -> Table:
    """Return a step that does nothing, so that the block keeps its length."""
    step = Table()
    step.place, step.keys_at = place, {"wait": place}
    step["wait"] = Scalar("1s", place)
    return step


def _names(node: Node) -> Iterator[str]:
    """Yield the names that steps would set."""
    if isinstance(node, Items):
        for item in node:
            yield from _names(item)
    elif isinstance(node, Table):
        for key, value in node.items():
            if key in _NAMING and isinstance(value, Scalar):
                yield value.text.split("[")[0].strip().replace(" ", "_")
            if key in ("set", "with") and isinstance(value, Table):
                yield from (name.replace(" ", "_") for name in value)
            yield from _names(value)


def _complete(root: Table, loc: Sequence[str | int]) -> bool:
    """Insert something harmless where a key of the head is missing or wrong."""
    key = str(loc[0]) if loc else ""
    place = root.keys_at.get(key, root.place)
    if key in ("narrator", "title"):
        root[key] = Scalar("1", place)
    elif key == "players":
        players = Table()
        players.place, players.keys_at = place, {}
        players["min"], players["max"] = Scalar("2", place), Scalar("30", place)
        root[key] = players
    elif key in root and key != "phases":
        del root[key]
    else:
        return False
    return True
