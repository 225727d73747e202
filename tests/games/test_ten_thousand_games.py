"""Ten thousand random games over all shipped scripts: whatever a table does, they hold out.

Every game is played to its end under all the checks, one in five of them twice, with every effect
compared. `tests/conftest.py` prints the sum for each script.
"""

from collections import Counter
from functools import cache

import pytest

from narrator.app import games
from narrator.script.files.library import list_scripts
from narrator.testing.monkey import Monkeys

pytestmark = pytest.mark.slow

GAMES = 10_000
PARTS = 5
"""Tests for each script."""
TWICE = 5
"""One game in so many is played twice."""
SCRIPTS = [entry.name for entry in list_scripts()]
SHARE = -(-GAMES // (len(SCRIPTS) * PARTS))
"""Games of each test; `--random-games N` plays another number, shared out alike."""
# A script's games stay in one process: it is compiled there, and its answers are looked at once.
CASES = [
    pytest.param(name, part, id=f"{name}-{part + 1}", marks=pytest.mark.xdist_group(name))
    for name in SCRIPTS
    for part in range(PARTS)
]


@cache
def monkeys_of(name):
    loaded = games.load_game(name)
    return Monkeys(loaded.game, loaded.locale)


@pytest.mark.parametrize(("name", "part"), CASES)
def test_random_games_hold_out(name, part, record_property, pytestconfig):
    monkeys = monkeys_of(name)
    share = max(1, SHARE * pytestconfig.getoption("--random-games") // GAMES)
    seeds = range(part * share, (part + 1) * share)
    reports = [monkeys.run(seed, twice=seed % TWICE == 0) for seed in seeds]
    ends = Counter(report.ended for report in reports)
    record_property("random games", {
        "script": name,
        "games": len(reports),
        "played twice": sum(seed % TWICE == 0 for seed in seeds),
        "events": sum(report.events for report in reports),
        "complete": ends["complete"],
        "stopped": ends["stopped"],
    })  # fmt: skip
    assert [(r.seed, r.players, r.faults, r.story) for r in reports if r.faults] == []
    assert len(reports) == ends["complete"] + ends["stopped"]
    if share >= 20:  # of a few games more may end early by chance
        assert ends["complete"] > ends["stopped"]


def test_there_are_ten_thousand_of_them():
    assert SHARE * PARTS * len(SCRIPTS) >= GAMES
    assert len({name for case in CASES for name in case.values[:1]}) == len(SCRIPTS)
