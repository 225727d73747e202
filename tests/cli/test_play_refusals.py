"""What `narrator play` refuses before anything is played."""

import io
import sys
from dataclasses import replace

import click
import pytest
from click.testing import CliRunner

from narrator.app.games import load_game
from narrator.app.records import resume
from narrator.app.records.journal_store import JournalStore
from narrator.app.wiring import play
from narrator.cli import main as cli
from narrator.cli.play.play import _asked_for, _named, command
from narrator.core.values import Seat
from tests.core.small_game import game
from tests.fresh_process import run_fresh

pytestmark = pytest.mark.unit

GAME = "one-night-revolution"


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ([GAME, "--players", "Ana, Ben"], "One Night Revolution is for 3 to 10 players; 2 were"),
        ([GAME, "--players", ", ".join(f"P{n}" for n in range(11))], "11 were named"),
        ([GAME, "--players", "Ana, Ben, ana"], "Two seats have the name"),
        ([GAME, "--players", "Ana, , Ben"], "A player has no name"),
        ([GAME], "Name the players, clockwise"),
        ([GAME, "--players", "Ana, Ben, Cy", "--set", "discussion=soon"], "should be a time"),
        ([GAME, "--players", "Ana, Ben, Cy", "--set", "discusion=60s"], "discussion"),
        ([GAME, "--players", "Ana, Ben, Cy", "--seed", "9" * 23], "far too large"),
        ([GAME, "--players", "Ana, Ben, Cy", "--new", "--resume"], "leave one out"),
        (["~nobody-here/game", "--players", "Ana, Ben, Cy"], "no game called ~nobody-here/game"),
        (["one-night-revolutio", "--players", "Ana, Ben, Cy"], "Did you mean one-night-revolution"),
        ([GAME, "--players", "Ana, Ben, Cy", "--table", "none.yaml"], "none.yaml cannot be read"),
        ([GAME, "--players", "Ana, Ben, Cy", "--record-log", "/none/log"], "cannot be written"),
    ],
)
def test_a_wrong_table_is_refused_in_one_plain_sentence(words, told, capsys):
    with pytest.raises(SystemExit) as ended:
        cli.main(["play", *words])
    shown = capsys.readouterr()
    assert told in shown.err
    assert shown.err.startswith("Error: ") and "Traceback" not in shown.err
    assert ended.value.code == (6 if "--record-log" in words else 2)
    assert shown.out == ""


def test_the_help_page_has_the_keys_and_every_exit_code():
    page = CliRunner().invoke(command, ["--help"]).output
    for word in ("130", "Space    p", "--no-speech", "--record-log", "--table"):
        assert word in page


def test_a_fault_of_our_own_is_one_sentence_too(monkeypatch, capsys):
    def faulty(*_args):
        raise ZeroDivisionError("nothing to divide by")

    monkeypatch.setattr(play, "play", faulty)
    with pytest.raises(SystemExit) as ended:
        cli.main(["play", GAME, "--players", "Ana, Ben, Cy"])
    shown = capsys.readouterr().err
    assert shown.startswith("Error: Narrator itself has a fault (ZeroDivisionError).")
    assert "Please report it" in shown and ended.value.code == 1


class Terminal(io.StringIO):
    def isatty(self):
        return True


def test_the_players_are_asked_for_until_they_can_be_a_table(monkeypatch, capsys):
    monkeypatch.setattr(sys, "stdin", Terminal("Ana, Ben\nAna, Ben, Cy\n"))
    assert _named(None, (), game()) is None
    assert [seat.name for seat in _asked_for(load_game(GAME))] == ["Ana", "Ben", "Cy"]
    asked = capsys.readouterr().err
    assert asked.count("Who plays?") == 2 and "2 were named" in asked


def test_nobody_who_answers_is_a_stop(monkeypatch):
    monkeypatch.setattr(sys, "stdin", Terminal(""))
    with pytest.raises(click.Abort):
        _asked_for(load_game(GAME))


def test_players_who_are_named_keep_how_the_table_file_has_them_said_and_heard():
    known = Seat(1, "Ana", "anna", ("hannah",))
    seats = _named("Ben, ana, Cy", (known,), game())
    assert seats == (Seat(1, "Ben"), replace(known, number=2), Seat(3, "Cy"))


def test_a_wrong_option_gives_up_no_unfinished_evening(monkeypatch, capsys):
    asked = []
    monkeypatch.setattr(resume.Plays, "ask", lambda *words: asked.append(words))
    monkeypatch.setattr(JournalStore, "found", lambda *_: object())
    words = ["play", GAME, "--players", "Ana, Ben, Cy", "--set", "bogus=1"]
    monkeypatch.setattr(sys, "argv", ["narrator", *words])
    with pytest.raises(SystemExit) as ended:
        cli.main()
    assert ended.value.code == 2 and "no option bogus" in capsys.readouterr().err
    assert not asked


def test_a_game_that_runs_in_circles_ends_with_a_code_of_its_own(tmp_path, monkeypatch, capsys):
    """It is over, and nobody may take it for one that was played to its end."""
    monkeypatch.setenv("NARRATOR_DATA", str(tmp_path / "data"))
    (tmp_path / "game.yaml").write_text(
        "narrator: 1\ntitle: Test\nplayers: {min: 3, max: 5}\nphases:\n  play:\n    steps:\n"
        "      - set: {a: 1}\n      - again\n"
    )
    line = ["play", str(tmp_path / "game.yaml"), "--players", "Ana,Ben,Cy", "--no-speech"]
    done = run_fresh(f"from narrator.cli.main import main\nmain({line!r})")
    assert done.returncode == 2
    assert "run in circles" in done.stderr
    with pytest.raises(SystemExit) as ended:
        cli.main(["history"])
    assert not ended.value.code
    assert "ended by a fault of its script" in capsys.readouterr().out
