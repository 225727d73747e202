"""Plans as pytest sees them, and as `narrator test` does, for an author's own game."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.patience import limit

pytestmark = pytest.mark.slow

ROOT = Path(__file__).resolve().parents[2]
GAME = """\
narrator: 1
title: Little Game
players: {min: 2, max: 4}
phases:
  day:
    steps:
      - say: Good morning.
      - ask: Is everybody here?
        hear: ["(yes|ready)"]
      - say: Then we are done.
"""
GOOD = """\
players: [Ana, Ben]
steps:
  - say: Good morning.
  - hear: ready
  - say: Then we are done.
  - expect: {ended: complete}
"""


@pytest.fixture
def little(tmp_path):
    folder = tmp_path / "little-game"
    (folder / "tests").mkdir(parents=True)
    (folder / "game.yaml").write_text(GAME, encoding="utf-8")
    (folder / "tests" / "good.yaml").write_text(GOOD, encoding="utf-8")
    return folder


def runs(*arguments, cwd):
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    return subprocess.run(
        [sys.executable, "-m", *arguments],
        cwd=cwd,
        env=environment,
        capture_output=True,
        text=True,
        timeout=limit(120),
    )


def under_pytest(folder):
    plugin = ("-p", "narrator.testing.pytest_plugin", "-p", "no:cacheprovider")
    return runs("pytest", *plugin, "-q", "-W", "ignore", ".", cwd=folder)


def test_every_plan_is_three_tests(little):
    done = under_pytest(little)
    assert done.returncode == 0, done.stdout
    assert "3 passed" in done.stdout


def test_a_plan_that_fails_shows_its_place_and_no_traceback(little):
    bad = GOOD.replace("say: Then", "say: Now")
    (little / "tests" / "bad.yaml").write_text(bad, encoding="utf-8")
    done = under_pytest(little)
    assert done.returncode == 1
    assert "3 failed, 3 passed" in done.stdout
    assert 'bad.yaml:5:5: "Now we are done." was not said within 60 seconds.' in done.stdout
    assert "Traceback" not in done.stdout


def test_narrator_test_tells_the_same_to_an_author(little):
    good = runs("narrator.cli.main", "test", str(little), "--monkey", "2", cwd=little)
    assert good.returncode == 0, good.stderr
    assert good.stdout.splitlines() == [
        "good: passed.",
        "1 plan, none failed.",
        "2 random games, none with a fault.",
    ]
    (little / "tests" / "bad.yaml").write_text(GOOD.replace("say: Then", "say: Now"), "utf-8")
    bad = runs("narrator.cli.main", "test", str(little), "--json", cwd=little)
    assert bad.returncode == 1
    told = json.loads(bad.stdout)
    assert [p["passed"] for p in told["plans"]] == [False, True, True, True]
    assert "Now we are done." in told["plans"][0]["failure"]


def test_a_faulty_plan_is_one_sentence_for_both(little):
    (little / "tests" / "odd.yaml").write_text("players: [Ana, Ben]\nstpes: []\n", "utf-8")
    done = runs("narrator.cli.main", "test", str(little), cwd=little)
    assert done.returncode == 2
    assert done.stderr.strip().endswith(
        "odd.yaml:2:1: `stpes` means nothing here; did you mean `steps`?"
    )
    assert "did you mean `steps`?" in under_pytest(little).stdout


def test_a_game_without_plans_is_told_so(little):
    (little / "tests" / "good.yaml").unlink()
    done = runs("narrator.cli.main", "test", str(little), cwd=little)
    assert done.returncode != 0
    assert "There is nothing to test" in done.stderr
