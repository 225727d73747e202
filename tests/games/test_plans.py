"""Every test plan beside every shipped script, in three ways."""

from pathlib import Path

import pytest

from narrator.testing.plan import Plan, plans_of, read_plan
from narrator.testing.plan_run import MODES, run_plan
from narrator.testing.pytest_plugin import game_of

pytestmark = pytest.mark.unit

SCRIPTS = Path(__file__).resolve().parents[2] / "scripts"
GAMES = sorted(path.parent for path in SCRIPTS.glob("*/game.yaml"))
PLANS = [path for game in GAMES for path in plans_of(game)]


def named(path: Path) -> str:
    return f"{path.parent.parent.name}/{path.stem}"


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("path", PLANS, ids=named)
def test_a_plan_holds(path, mode):
    plan: Plan = read_plan(path)
    outcome = run_plan(plan, *game_of(plan), mode)
    assert not outcome.failure, outcome.failure


@pytest.mark.parametrize("game", GAMES, ids=lambda path: path.name)
def test_every_game_has_plans(game):
    assert plans_of(game)
