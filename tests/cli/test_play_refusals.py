"""What `narrator play` refuses before anything is played."""

import pytest
from click.testing import CliRunner

from narrator.cli import main as cli
from narrator.cli.play import command

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
    for word in ("130", "Space pauses", "--no-speech", "--record-log", "--table"):
        assert word in page
