"""A game's test plans and random games, as `narrator test` runs them."""

from __future__ import annotations

from narrator.testing.monkey import MonkeyReport
from narrator.testing.plan import Plan, plans_of, read_plan
from narrator.testing.plan_run import MODES, Outcome, run_plan

__all__ = [
    "MODES",
    "MonkeyReport",
    "Outcome",
    "Plan",
    "plans_of",
    "read_plan",
    "run_plan",
]
