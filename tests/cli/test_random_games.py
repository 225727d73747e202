"""`narrator test GAME --monkey N`: what it refuses, tells and finds, on one core or all."""

import json
import shutil
from pathlib import Path

import pytest

from narrator.app import games, random_play
from narrator.cli.main import main

pytestmark = pytest.mark.unit

GAME = Path(__file__).resolve().parents[2] / "scripts" / "one-night-revolution" / "game.yaml"


def run(capsys, *words):
    with pytest.raises(SystemExit) as ended:
        main(["test", *words])
    out, err = capsys.readouterr()
    return int(ended.value.code or 0), out, err


@pytest.fixture
def alone(tmp_path):
    """Return a game that has no plans, which are not what is tested here."""
    shutil.copy(GAME, tmp_path)
    return str(tmp_path)


@pytest.fixture
def shared(monkeypatch):
    """Share out games that are fewer than it pays for."""
    monkeypatch.setattr(random_play, "MANY", 4)
    monkeypatch.setattr(random_play, "SHARE", 2)
    monkeypatch.setattr(random_play, "cores", lambda: 2)


def played(seeds):
    loaded = games.load_game(str(GAME))
    return [report for share in random_play.play(loaded, "", seeds) for report in share]


def test_fewer_than_none_are_refused_in_one_sentence(capsys, alone):
    code, out, err = run(capsys, alone, "--monkey", "-3")
    assert (code, out) == (2, "")
    assert "-3 random games cannot be played; give a number from 1 up" in err
    assert "Traceback" not in err


def test_two_processes_find_what_one_finds_in_the_same_order(shared, monkeypatch):
    together = played(range(3, 8))
    monkeypatch.setattr(random_play, "cores", lambda: 1)
    assert together == played(range(3, 8))
    assert [report.seed for report in together] == [3, 4, 5, 6, 7]


def test_many_games_tell_how_far_they_are(shared, alone, monkeypatch, capsys):
    monkeypatch.setattr("narrator.cli.write_games.test.PROGRESS", 4)
    code, out, err = run(capsys, alone, "--monkey", "8")
    assert code == 0, out
    assert err.splitlines() == ["4 of 8 random games played.", "8 of 8 random games played."]
    assert out == "8 random games, none with a fault.\n"


def test_json_stays_one_object(alone, capsys):
    code, out, _ = run(capsys, alone, "--monkey", "2", "--json")
    assert code == 0
    assert [report["seed"] for report in json.loads(out)["random"]] == [0, 1]
