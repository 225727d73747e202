"""What every kind of step has for authors: its shape, how it is compiled, what it becomes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

from narrator.core.game import Step
from narrator.script.reading.fields import VERBS, Shape, Text

if TYPE_CHECKING:
    from narrator.script.compiler.builder import Builder


class NudgeShape(Shape):
    """A reminder after so much waiting."""

    after: Text
    every: Text | None = None
    say: Text


class StepShape(Shape):
    """What every step has."""

    id: Text | None = None


Compile: TypeAlias = "Callable[[Builder, Any], list[Step]]"


@dataclass(frozen=True, slots=True)
class AuthorKind:
    """A kind of step, as authors write it."""

    shape: type[StepShape]
    compile: Compile
    makes: tuple[type[Step], ...]
    """What of the core it exists for; none where it is put together from other kinds."""


KINDS: dict[type[StepShape], AuthorKind] = {}
"""Every kind of step by its shape; each registers itself."""


def kind(shape: type[StepShape], compiled: Compile, *, makes: tuple[type[Step], ...]) -> None:
    """Add a kind of step.

    Raises:
        TypeError: There is another one of this verb.
    """
    if any(other.shape.verb == shape.verb for other in KINDS.values()):
        raise TypeError(f"There are two kinds of step called {shape.verb}.")
    if shape.verb not in VERBS:
        VERBS.insert(0, shape.verb)
    KINDS[shape] = AuthorKind(shape, compiled, makes)
