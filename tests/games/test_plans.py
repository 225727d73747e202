"""Every test plan beside every shipped script, in three ways."""

from functools import cache
from pathlib import Path

import pytest

from narrator.testing.plan import KINDS, Plan, plans_of, read_plan
from narrator.testing.plan_run import MODES, run_plan
from narrator.testing.pytest_plugin import game_of

pytestmark = pytest.mark.unit

ROOT = Path(__file__).resolve().parents[2]
SCRIPTS = ROOT / "scripts"
GUIDE = (ROOT / "docs" / "testing-a-game.md").read_text(encoding="utf-8")
GAMES = sorted(path.parent for path in SCRIPTS.glob("*/game.yaml"))
PLANS = [path for game in GAMES for path in plans_of(game)]


once = cache(read_plan)
"""A plan is read once and played in three ways."""


def named(path: Path) -> str:
    return f"{path.parent.parent.name}/{path.stem}"


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("path", PLANS, ids=named)
def test_a_plan_holds(path, mode):
    plan: Plan = once(path)
    outcome = run_plan(plan, *game_of(plan), mode)
    assert not outcome.failure, outcome.failure


@pytest.mark.parametrize("game", GAMES, ids=lambda path: path.name)
def test_every_game_has_plans(game):
    assert plans_of(game)


@pytest.mark.parametrize("mode", MODES)
def test_the_example_of_the_guide_holds(tmp_path, mode):
    path = tmp_path / "example.yaml"
    example = GUIDE.split("```yaml\n", 1)[1].split("```", 1)[0]
    path.write_text(f"game: one-night-revolution\n{example}", encoding="utf-8")
    plan = read_plan(path)
    outcome = run_plan(plan, *game_of(plan), mode)
    assert not outcome.failure, outcome.failure


@pytest.mark.parametrize("word", [*KINDS, *(key for keys in KINDS.values() for key in keys)])
def test_the_guide_tells_of_every_step_and_key(word):
    assert f"`{word}: " in GUIDE
