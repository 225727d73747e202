"""`set`: put values into variables."""

from __future__ import annotations

import re
from typing import Any, ClassVar

from narrator.core.game import Place, Step
from narrator.core.steps.values.set import Set
from narrator.core.values import Expression
from narrator.script.compiler.builder import Builder, identifier
from narrator.script.expressions.compiled import inside
from narrator.script.reading.nodes import Node, Scalar, Table
from narrator.script.steps.kind import StepShape, kind


class SetShape(StepShape):
    """Assign values to variables."""

    verb: ClassVar[str] = "set"
    set: dict[str, Any]


def put(b: Builder, shape: SetShape) -> list[Step]:
    """`set: {name: value}`."""
    return [Set(b.name(shape), assigned(b, shape.table("set")))]


def assigned(b: Builder, table: Table) -> tuple[tuple[str, Expression], ...]:
    """Compile `name: value` lines, in order; a later one sees the earlier."""
    values: list[tuple[str, Expression]] = []
    for key, node in table.items():
        entry = _ENTRY.match(key)
        if entry:
            _one_entry(b, key, table.keys_at[key], node, entry)
            continue
        if isinstance(node, Scalar):
            _unbraced(b, node)
        value = b.value(node)
        name = b.variable(Scalar(key, table.keys_at[key]))
        values.append((name, value))
    return tuple(values)


_ENTRY = re.compile(r"^\s*([\w ]+?)\s*\[(.+)\]\s*$")
_SUM = re.compile(r"^\s*([a-z][\w ]*?)\s*[-+*/]\s*([a-z][\w ]*|\d+)\s*$")


def _put_cure(b: Builder, name: str, key: str, value: str) -> str:
    """Return how one entry of a map is set."""
    name, key = identifier(name), key.strip(" '\"")
    is_name = identifier(re.split(r"[\[.(]", key)[0]) in b.known | b.maybe
    written = key if is_name or key.isdecimal() else f"'{key}'"
    return f'Write `set: {{{name}: "{{{{ {name} | put({written}, {value}) }}}}"}}`.'


def _one_entry(b: Builder, key: str, place: Place, node: Node, entry: re.Match[str]) -> None:
    value = node.text if isinstance(node, Scalar) else "value"
    why = "one entry of a map is changed by the filter `put`"
    b.report.add("NS030", place, name=key, why=why,
                 cure=_put_cure(b, entry[1], entry[2], inside(value) or value))  # fmt: skip
    b.known.add(identifier(entry[1]))


def _unbraced(b: Builder, scalar: Scalar) -> None:
    """Tell of a calculation that would be kept as the words it is written in."""
    found, names = _SUM.match(scalar.text), b.known | b.maybe
    if not found or identifier(found[1]) not in names:
        return
    if found[2].isdecimal() or identifier(found[2]) in names:
        b.report.add("NS045", scalar.place, text=scalar.text,
                     cure=f'Write "{{{{ {scalar.text.strip()} }}}}".')  # fmt: skip


kind(SetShape, put, makes=(Set,))
