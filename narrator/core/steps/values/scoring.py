"""Applying a script's scoring: the same for the `score` step and for `narrator score`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from narrator.core.game import Scoring
from narrator.core.values import Scope, Value


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a scoring gives, or why the input is refused."""

    values: Mapping[str, Value] = field(default_factory=dict)
    """By the keys of `give`, in their order; empty where the input was refused."""
    refused: str = ""
    """One plain sentence; empty where the input was accepted."""


def applies(scoring: Scoring, scope: Scope) -> bool:
    """Whether this scoring is the one that is meant for what the scope holds.

    Raises:
        ExpressionError: a helper or the condition has no value here.
    """
    return scoring.condition is None or bool(scoring.condition(_with_helpers(scoring, scope)))


def apply(scoring: Scoring, scope: Scope) -> Outcome:
    """Work a scoring out.

    The first refusal whose condition holds is the answer; it is judged before anything is given.

    Raises:
        ExpressionError: an expression of the scoring has no value here.
    """
    names = _with_helpers(scoring, scope)
    for refusal in scoring.refusals:
        if refusal.condition(names):
            return Outcome(refused=str(refusal.reason(names)))
    given: dict[str, Value] = {}
    for key, expression in scoring.gives:
        given[key] = names[key] = expression(names)
    return Outcome(given)


def _with_helpers(scoring: Scoring, scope: Scope) -> dict[str, Value]:
    names = {need.name: None for need in scoring.needs if need.optional} | dict(scope)
    for key, expression in scoring.helpers:
        names[key] = expression(names)
    return names
