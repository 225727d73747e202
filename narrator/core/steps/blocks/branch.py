"""One of two runs of steps."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from narrator.core.game import Step
from narrator.core.steps.rule import Quiet, register
from narrator.core.values import Expression


@dataclass(frozen=True, slots=True)
class If(Step):
    """Run one of two runs of steps."""

    condition: Expression
    then: tuple[Step, ...]
    otherwise: tuple[Step, ...] = ()

    is_container: ClassVar[bool] = True

    def blocks(self, path: str) -> list[tuple[str, tuple[Step, ...]]]:
        """Return both runs."""
        return [(f"{path}/then", self.then), (f"{path}/else", self.otherwise)]


register("if", If, Quiet())
