"""Runs games' test plans under pytest: `pytest -p narrator.testing.pytest_plugin scripts`.

Every `tests/*.yaml` beside a `game.yaml` becomes three tests: plain, saved, replayed.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from narrator.core.game import Game
from narrator.language.locale import Locale
from narrator.ports.errors import NarratorError
from narrator.script.compiler.compile import compile_script
from narrator.script.files.library import FILE, find_script
from narrator.script.files.locales import load_locale
from narrator.testing.plan import Plan, read_plan
from narrator.testing.plan_run import MODES, Mode, run_plan


class PlanFailed(Exception):
    """A plan does not hold; the message tells where, why, and what led there."""


class PlanFile(pytest.File):
    """One test plan."""

    def collect(self) -> Iterator[pytest.Item]:
        """Yield one test for each way to run it."""
        try:
            plan = read_plan(self.path)
        except NarratorError as error:
            raise self.CollectError(str(error)) from error
        for mode in MODES:
            yield PlanItem.from_parent(self, name=mode, plan=plan, mode=mode)


class PlanItem(pytest.Item):
    """A plan in one mode."""

    def __init__(self, *, plan: Plan, mode: Mode, **kwargs: object) -> None:
        super().__init__(**kwargs)  # type: ignore[arg-type]
        self._plan = plan
        self._mode = mode
        self.add_marker(pytest.mark.unit)

    def runtest(self) -> None:
        """Run the plan. Raises PlanFailed where it does not hold."""
        game, locale = game_of(self._plan)
        outcome = run_plan(self._plan, game, locale, self._mode)
        if outcome.failure:
            raise PlanFailed(outcome.failure)

    def repr_failure(
        self, excinfo: pytest.ExceptionInfo[BaseException], style: object = None
    ) -> str:
        """Show what an author can use: no traceback."""
        if isinstance(excinfo.value, (PlanFailed, NarratorError)):
            return str(excinfo.value)
        return str(super().repr_failure(excinfo))

    def reportinfo(self) -> tuple[Path, int, str]:
        """Return the plan's file and what is tested."""
        return self.path, 0, f"{self.path.stem}, {self._mode}"


def game_of(plan: Plan) -> tuple[Game, Locale]:
    """Compile the game of a plan, once.

    Raises:
        NarratorError: There is no such game, or its script has errors.
    """
    path = find_script(plan.game) if plan.game else plan.path.resolve().parent.parent / FILE
    return _compiled(path)


@cache
def _compiled(path: Path) -> tuple[Game, Locale]:
    compiled = compile_script(path)
    if compiled.game is None:
        raise NarratorError("\n".join(str(d) for d in compiled.diagnostics))
    return compiled.game, load_locale(compiled.game.language)


def is_plan(path: Path) -> bool:
    """Whether a file is the test plan of a game."""
    beside = path.parent.parent / FILE
    return path.suffix == ".yaml" and path.parent.name == "tests" and beside.is_file()


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> PlanFile | None:
    """Collect the test plans of games."""
    return PlanFile.from_parent(parent, path=file_path) if is_plan(file_path) else None
