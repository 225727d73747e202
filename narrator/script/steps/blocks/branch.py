"""`if`: one way or the other."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from pydantic import Field

from narrator.core.game import Step
from narrator.core.steps.blocks.branch import If
from narrator.script.compiler.builder import Builder, ends
from narrator.script.reading.fields import Text
from narrator.script.steps.kind import StepShape, kind

if TYPE_CHECKING:
    from narrator.script.reading.models import AnyStep


class IfShape(StepShape):
    """One way or the other."""

    verb: ClassVar[str] = "if"
    condition: Text = Field(alias="if")
    then: list[AnyStep]
    otherwise: list[AnyStep] | None = Field(None, alias="else")


def branch(b: Builder, shape: IfShape) -> list[Step]:
    """`if: condition`."""
    name = b.name(shape)
    condition = b.condition(shape.condition)
    known, maybe = set(b.known), set(b.maybe)
    then = b.steps(shape.then, f"{name}/then")
    after_then = None if ends(then) else set(b.known)
    b.known = set(known)
    otherwise = b.steps(shape.otherwise or [], f"{name}/else")
    after_else = None if ends(otherwise) else set(b.known)
    merge(b, known, [names for names in (after_then, after_else) if names is not None])
    b.maybe |= maybe
    return [If(name, condition, then, otherwise)]


def merge(b: Builder, before: set[str], ways: list[set[str]]) -> None:
    """Keep after a branch what every path knows; the rest may be without a value."""
    sure = set.intersection(*ways) if ways else before
    some = set.union(*ways) if ways else before
    b.known = sure
    b.maybe |= some - sure


kind(IfShape, branch, makes=(If,))
