"""A scoring that is applied."""

from __future__ import annotations

from dataclasses import dataclass

from narrator.core.game import Scoring, Step
from narrator.core.steps.context import StepContext
from narrator.core.steps.rule import Quiet, register
from narrator.core.steps.values import scoring
from narrator.core.values import ExpressionError, Value


@dataclass(frozen=True, slots=True)
class Score(Step):
    """Apply a scoring to the variables of the moment."""

    scoring: Scoring
    adds: bool = True
    """Whether its points are added to the totals; False: they are only worked out so far."""


class ScoreRule(Quiet):
    """Apply a scoring of the script."""

    def begin(self, context: StepContext) -> None:
        """Set what the scoring gives and add its points to the totals."""
        step = context.step
        if isinstance(step, Score):
            self._apply(context, step.scoring, step.adds)
        context.over = True

    def _apply(self, context: StepContext, what: Scoring, adds: bool) -> None:
        try:
            outcome = scoring.apply(what, context.scope())
        except ExpressionError as fault:
            context.show_fault(str(fault))
            return
        if outcome.refused:
            context.show_fault(outcome.refused)
        context.state.variables.update(outcome.values)
        if adds:
            _add(context.state.totals, outcome.values.get("points"))


def _add(totals: dict[str, Value], points: Value) -> None:
    if not isinstance(points, dict):
        return
    for seat, more in points.items():
        before = totals.get(seat, 0)
        if isinstance(before, (int, float)) and isinstance(more, (int, float)):
            totals[seat] = before + more


register("score", Score, ScoreRule())
