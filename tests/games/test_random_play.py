"""Whatever a table does, every shipped game holds out and can be finished."""

import pytest

from narrator.app import games
from narrator.script.files.library import list_scripts
from narrator.testing.monkey import Monkeys

pytestmark = pytest.mark.unit

SEEDS = range(13)
"""About a hundredth of the random games that the whole suite plays (test_ten_thousand_games)."""


@pytest.mark.parametrize("name", [entry.name for entry in list_scripts()])
def test_random_games_find_no_fault(name):
    loaded = games.load_game(name)
    monkeys = Monkeys(loaded.game, loaded.locale)
    reports = [monkeys.run(seed) for seed in SEEDS]
    assert [(r.seed, r.faults, r.story) for r in reports if r.faults] == []
    assert {r.ended for r in reports} <= {"complete", "stopped"}
    assert "complete" in {r.ended for r in reports}
