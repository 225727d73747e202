"""The real programs of tools/, in copies of a checkout where something is in the way."""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = [
    pytest.mark.slow,  # it makes virtual environments
    pytest.mark.skipif(sys.platform == "win32", reason="There is no shell here."),
]

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def checkout(tmp_path):
    folder = tmp_path / "narrator"
    (folder / "tools").mkdir(parents=True)
    for name in ("play", "with-python", "launch.py"):
        shutil.copy2(ROOT / "tools" / name, folder / "tools" / name)
    shutil.copytree(ROOT / "requirements", folder / "requirements")
    shutil.copy2(ROOT / "pyproject.toml", folder)
    return folder


@pytest.fixture
def environment(tmp_path):
    """A PATH without package managers, and a package index that is this machine's closed port."""
    programs = tmp_path / "programs"
    programs.mkdir()
    for name in ("sh", "dirname", "readlink", "env"):
        (programs / name).symlink_to(str(shutil.which(name)))
    return {
        "PATH": str(programs),
        "NARRATOR_PYTHON": getattr(sys, "_base_executable", sys.executable),
        "PIP_CONFIG_FILE": os.devnull,
        "PIP_INDEX_URL": "http://127.0.0.1:1/simple",
        "HOME": str(tmp_path),
    }


def started(words, environment):
    return subprocess.Popen(
        words, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
        stderr=subprocess.PIPE, text=True, start_new_session=True,
    )  # fmt: skip


def told(words, environment):
    process = started(words, environment)
    out, err = process.communicate()
    assert out == "" and "Traceback" not in err
    return process.returncode, err.splitlines()


def test_without_a_network_it_is_told_at_once_in_a_sentence(checkout, environment):
    code, lines = told([checkout / "tools" / "play"], environment)
    assert code == 2
    assert [line.partition(":")[0] for line in lines[:2]] == [
        "Setting up; this needs the network, once. Step 1 of 5",
        "Step 2 of 5",
    ]
    assert lines[2:] == [
        "The packages could not be fetched: there is no connection to the package index. "
        "Connect to the network, then start this again."
    ]


def test_a_file_in_the_place_of_the_environment_is_told(checkout, environment):
    (checkout / ".venv").write_text("x")
    code, lines = told([checkout / "tools" / "play"], environment)
    assert code == 2
    assert lines == [
        f"Set-up needs the folder {checkout / '.venv'}, and there is a file of that name. "
        "Move it away, then start this again."
    ]
    assert (checkout / ".venv").read_text() == "x"


@pytest.mark.parametrize("there", [False, True], ids=["read-only", "another user's"])
def test_a_checkout_that_may_not_be_written_to_is_told(checkout, environment, there):
    place = checkout
    if there:
        place = checkout / ".venv"
        place.mkdir()
    place.chmod(0o555)
    words = [*_as_anybody(), str(checkout / "tools" / "play")]
    try:
        code, lines = told(words, environment)
    finally:
        place.chmod(0o755)
    assert code == 2
    assert lines == [
        f"Set-up needs to write to {place}, and you may not. "
        "Copy the whole folder to a place of your own, then start it there."
    ]


def _as_anybody():
    """Words that take from root the right to write everywhere."""
    if os.geteuid():
        return []
    if (setpriv := shutil.which("setpriv")) is None:
        pytest.skip("Root writes everywhere, and setpriv is not here.")
    return [setpriv, "--bounding-set=-dac_override", "--inh-caps=-dac_override"]


@pytest.mark.parametrize("relative", [False, True], ids=["absolute", "relative"])
def test_a_link_to_the_program_works(checkout, environment, tmp_path, relative):
    (checkout / ".venv").write_text("x")
    (tmp_path / "bin").mkdir()
    link = tmp_path / "bin" / "moderate"
    target = checkout / "tools" / "play"
    link.symlink_to(os.path.relpath(target, link.parent) if relative else target)
    code, lines = told([link], environment)
    assert code == 2 and "there is a file of that name" in lines[0]


def test_ctrl_c_in_set_up_is_one_sentence(checkout, environment):
    with socket.create_server(("127.0.0.1", 0)) as silent:
        environment["PIP_INDEX_URL"] = f"http://127.0.0.1:{silent.getsockname()[1]}/simple"
        process = started([checkout / "tools" / "play"], environment)
        assert process.stderr is not None
        while "Step 2" not in (line := process.stderr.readline()):
            assert line, "it ended before it asked for packages"
        connection, _ = silent.accept()  # pip is connected, and waits
        with connection:
            os.killpg(process.pid, signal.SIGINT)
            out, err = process.communicate()
    assert process.returncode == 130
    assert (out, err) == ("", "Stopped. The same command takes up the set-up where it was.\n")
