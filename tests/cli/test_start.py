"""Starting up: what `--help` shows and costs, and Ctrl-C while modules are being imported."""

from __future__ import annotations

import signal
import subprocess
import sys
import time

import pytest
from click.testing import CliRunner

from narrator.cli.main import COMMANDS, ENTRIES, GROUPS, narrator
from tests.fresh_process import output_of

pytestmark = pytest.mark.unit


def test_help_shows_the_groups_and_every_command_in_one_line() -> None:
    shown = CliRunner().invoke(narrator, ["--help"]).output.splitlines()
    titles = [line for line in shown if line.rstrip(":") in {group.title for group in GROUPS}]
    assert titles == ["Play:", "Look back:", "Write games:", "Look after:"]
    for name in COMMANDS:
        assert f"  {name:{max(map(len, COMMANDS))}}  {ENTRIES[name].help}" in shown


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_is_loaded_under_its_name(name: str) -> None:
    assert ENTRIES[name].load().name == name


def test_help_imports_no_command_and_no_engine() -> None:
    program = (
        "import sys\n"
        "from narrator.cli.main import main\n"
        "before = set(sys.modules)\n"
        "try: main(['--help'])\n"
        "except SystemExit: pass\n"
        "print('MODULES', *sys.modules)\n"
    )
    loaded = set(output_of(program).rpartition("MODULES")[2].split())
    outside = {name.split(".")[0] for name in loaded} - sys.stdlib_module_names
    assert not outside & {"numpy", "jinja2", "ruamel", "hassil", "pydantic", "transitions", "PIL"}
    commands = {f"narrator.cli.{room}.{name}" for room in ("play", "look_back", "write_games")
                for name in COMMANDS}  # fmt: skip
    assert not loaded & commands


WAITING = (
    "import sys\n"
    "from narrator.cli import start\n"
    "sys.argv = ['narrator', 'check', 'one-night-revolution', 'subtext', 'mafia']\n"
    "print('here', flush=True)\n"
    "start.main()\n"
)


@pytest.mark.parametrize("part", [0.0, 0.1, 0.25, 0.5, 0.75])
def test_ctrl_c_while_starting_is_one_word(part: float) -> None:
    whole = _lasting()
    process = subprocess.Popen(
        [sys.executable, "-c", WAITING], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "here\n"
    time.sleep(0.01 + part * whole)
    process.send_signal(signal.SIGINT)
    _, told = process.communicate()
    assert "Traceback" not in told
    # It may have been done already, and have been about to leave.
    assert process.returncode in {0, 130, -signal.SIGINT}
    assert told.strip() == ("Stopped." if process.returncode == 130 else "")


def _lasting() -> float:
    """Return how long it takes here and now."""
    began = time.monotonic()
    subprocess.run([sys.executable, "-c", WAITING], stdout=subprocess.DEVNULL, check=True)
    return time.monotonic() - began
