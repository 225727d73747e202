"""`set`: put values into variables."""

from __future__ import annotations

from typing import Any, ClassVar

from narrator.core.game import Step
from narrator.core.steps.values.set import Set
from narrator.core.values import Expression
from narrator.script.compiler.builder import Builder
from narrator.script.reading.nodes import Scalar, Table
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
        value = b.value(node)
        name = b.variable(Scalar(key, table.keys_at[key]))
        values.append((name, value))
    return tuple(values)


kind(SetShape, put, makes=(Set,))
