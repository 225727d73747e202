"""`narrator groups`, and `play --group`."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from narrator.app.records import groups
from narrator.cli.look_after import groups as commands
from tests.patience import limit

pytestmark = pytest.mark.unit


@pytest.fixture(autouse=True)
def _data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NARRATOR_DATA", str(tmp_path))


def run(_groups: str, *words: str) -> Result:
    return CliRunner().invoke(commands.command, words)


def played(*words: str, typed: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "narrator.cli.main", "play", *words, "--no-speech", "--keyboard"],
        input=typed, capture_output=True, text=True, timeout=limit(60), check=False,
    )  # fmt: skip


def test_a_group_is_kept_listed_and_forgotten() -> None:
    assert "no group yet" in run("groups", "list").output
    assert run("groups", "keep", "Friday", "--players", "Ana, Siobhan=Shivawn").exit_code == 0
    (listed,) = json.loads(run("groups", "list", "--json").output)
    assert (listed["name"], listed["players"]) == ("Friday", ["Ana", "Siobhan"])
    kept = groups.named("friday").table.seats
    assert (kept[1].say, kept[1].hear) == ("Shivawn", ("shivawn",))
    assert run("groups", "forget", "Friday").exit_code == 2  # nobody can be asked here
    assert run("groups", "forget", "Friday", "--yes").exit_code == 0
    assert groups.stored() == ([], [])


def test_a_group_is_made_of_the_last_table() -> None:
    assert run("groups", "keep", "Friday").exit_code != 0
    done = played("scorekeeper", "--players", "Ana, Ben", typed="game is over\nyes\n")
    assert done.returncode == 0, done.stderr
    assert run("groups", "keep", "Friday").exit_code == 0
    assert groups.named("Friday").names() == ["Ana", "Ben"]


def test_a_game_is_played_by_a_group() -> None:
    run("groups", "keep", "Friday", "--players", "Ana, Ben, Cora")
    told = played(
        "scorekeeper", "--group", "friday", "--json", typed="Cora five\ngame is over\nyes\n"
    )
    assert told.returncode == 0, told.stderr
    assert json.loads(told.stdout)["result"]["winners"] == ["Cora"]
    wrong = played("scorekeeper", "--group", "fridey", typed="")
    assert wrong.returncode == 2 and "Did you mean `Friday`?" in wrong.stderr


def test_what_was_edited_stays_when_a_group_is_kept_again() -> None:
    run("groups", "keep", "Friday", "--players", "Ana, Ben")
    path = groups.named("Friday").path
    path.write_text("players: [Ana, Ben]\noptions: {wins: lowest}\nsettings: {rate: 0.9}\n")
    run("groups", "keep", "Friday", "--players", "Ana, Cora")
    table = groups.named("Friday").table
    assert [seat.name for seat in table.seats] == ["Ana", "Cora"]
    assert (table.options, table.settings) == ({"wins": "lowest"}, {"rate": "0.9"})


@pytest.mark.parametrize("name", ["../up", "a/b", "", "x" * 60, ".hidden", "a\x1b[1m"])
def test_a_name_that_can_be_none_is_refused(name: str, tmp_path: Path) -> None:
    done = run("groups", "keep", name, "--players", "Ana, Ben")
    assert done.exit_code != 0
    assert not list(tmp_path.rglob("*.yaml"))


def test_a_broken_file_is_told_and_the_others_are_there() -> None:
    run("groups", "keep", "Friday", "--players", "Ana, Ben")
    (groups.folder() / "Broken.yaml").write_text("players: 5\n")
    done = run("groups", "list")
    assert "Friday: Ana, Ben" in done.output and "Broken.yaml" in done.output


def test_a_forgotten_player_is_in_no_group() -> None:
    run("groups", "keep", "Friday", "--players", "Ana, Ben")
    run("groups", "keep", "Solo", "--players", "Ben")
    assert groups.leave_out("ben") == ["Friday", "Solo"]
    assert groups.named("Friday").names() == ["Ana"]
    assert [g.name for g in groups.stored()[0]] == ["Friday"]
