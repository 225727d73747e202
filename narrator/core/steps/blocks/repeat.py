"""Steps that are run several times."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from narrator.core.game import Spoiled, Step
from narrator.core.steps.rule import Quiet, register
from narrator.core.values import Expression


@dataclass(frozen=True, slots=True)
class Repeat(Step):
    """Run the steps a number of times, or until a condition holds after a run."""

    steps: tuple[Step, ...]
    times: Expression | None = None
    until: Expression | None = None
    counter: str = ""
    """Variable that counts the runs from 1; empty: none."""
    spoiled: Spoiled | None = None
    """None: a run cannot be called off."""

    is_container: ClassVar[bool] = True
    loops: ClassVar[bool] = True

    def may_begin_again(self) -> bool:
        """Whether a run of it may be called off."""
        return self.spoiled is not None

    def may_be_empty(self) -> bool:
        """Whether it may be run no time at all."""
        return self.times is not None

    def blocks(self, path: str) -> list[tuple[str, tuple[Step, ...]]]:
        """Return its steps, under its own path."""
        return [(path, self.steps)]


register("repeat", Repeat, Quiet())
