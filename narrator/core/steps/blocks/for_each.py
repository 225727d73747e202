"""Steps that are run once for each item of a list."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from narrator.core.game import Spoiled, Step
from narrator.core.steps.rule import Quiet, register
from narrator.core.values import Expression


@dataclass(frozen=True, slots=True)
class ForEach(Step):
    """Run the steps once for each item of a list."""

    variable: str
    items: Expression
    steps: tuple[Step, ...]
    spoiled: Spoiled | None = None
    """None: the run of an item cannot be called off."""

    is_container: ClassVar[bool] = True
    loops: ClassVar[bool] = True

    def may_begin_again(self) -> bool:
        """Whether the run of an item may be called off."""
        return self.spoiled is not None

    def may_be_empty(self) -> bool:
        """Whether it may have nothing to run over."""
        return True

    def blocks(self, path: str) -> list[tuple[str, tuple[Step, ...]]]:
        """Return its steps, under its own path."""
        return [(path, self.steps)]


register("for_each", ForEach, Quiet())
