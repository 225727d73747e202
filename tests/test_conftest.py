"""The guards themselves: each must be able to fail."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow

CONFTEST = Path(__file__).with_name("conftest.py")
SETTINGS = """
[pytest]
addopts = -p no:cacheprovider --strict-markers
markers =
    unit: quick
    model: model
    device: device
    slow: slow
    engine: engine
"""
HEAD = "import pytest\npytestmark = pytest.mark.unit\n"


def outcome(folder: Path, *options: str, **files: str) -> tuple[int, str]:
    """Run test files under our conftest, in a process of its own."""
    (folder / "pytest.ini").write_text(SETTINGS)
    (folder / "tests").mkdir()
    (folder / "tests" / "conftest.py").write_text(CONFTEST.read_text())
    for name, text in files.items():
        (folder / "tests" / f"{name}.py").write_text(text)
    # Third-party plugins take a second to load and have no say in this.
    environment = os.environ | {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    command = [sys.executable, "-m", "pytest", "-q", *options, str(folder)]
    done = subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, check=False
    )
    return done.returncode, done.stdout + done.stderr


def test_files_without_exactly_one_marker_are_refused(tmp_path: Path) -> None:
    code, text = outcome(
        tmp_path,
        test_none="def test_x(): pass\n",
        test_one=HEAD + "def test_x(): pass\n",
        test_two=HEAD + "@pytest.mark.slow\ndef test_x(): pass\n",
    )
    assert code == pytest.ExitCode.USAGE_ERROR
    assert "exactly one of the markers" in text
    assert "test_none.py: none" in text
    assert "test_two.py: ['slow', 'unit']" in text
    assert "test_one.py" not in text


def test_good_tests_pass_and_skips_are_counted_by_reason(tmp_path: Path) -> None:
    test = HEAD + (
        "import threading, socket, os\n"
        "@pytest.mark.parametrize('n', [1, 2])\n"
        "def test_skip(n): pytest.skip('The moon is down.')\n"
        "def test_thread():\n"
        "    t = threading.Timer(0.2, print); t.start()\n"
        "def test_loopback():\n"
        "    with socket.create_server(('127.0.0.1', 0)) as s:\n"
        "        socket.create_connection(s.getsockname()).close()\n"
        "def test_folders(): assert 'home' in os.environ['NARRATOR_DATA']\n"
    )
    code, text = outcome(tmp_path, test_it=test)
    assert code == 0, text
    assert "2 skipped, because" in text
    assert "2  The moon is down." in text
    assert "3 passed, 2 skipped" in text


LEFTOVERS = """
import socket, subprocess, sys, threading

def test_thread():
    threading.Timer(2.5, int).start()

def test_process():
    subprocess.Popen([sys.executable, "-c", "import time; time.sleep(2.5)"])

def test_address():
    with socket.socket(type=socket.SOCK_DGRAM) as s:
        try:
            s.connect(("192.0.2.1", 9))
        except OSError:
            pass

def test_name():
    try:
        socket.getaddrinfo("example.invalid", 80)
    except OSError:
        pass
"""


def test_leftovers_and_network_fail_the_test(tmp_path: Path) -> None:
    code, text = outcome(tmp_path, test_it=HEAD + LEFTOVERS)
    assert code == 1, text
    assert "left behind: <Timer" in text
    assert "tried to reach the network: socket.connect 192.0.2.1" in text
    assert "tried to reach the network: socket.getaddrinfo example.invalid" in text
    if sys.platform.startswith("linux"):  # elsewhere foreign processes cannot be seen
        assert f"left behind: {sys.executable} -c import time" in text
        assert "4 errors" in text


ENGINES = """
import subprocess, sys

def test_pure(): pass

@pytest.mark.engine
def test_that_says_so():
    import pyttsx3

def test_here():
    try:
        import pyttsx3
    except ImportError:
        pass

def test_in_a_child():
    voice = "narrator.adapters.voices.espeak.synthesiser:EspeakSynthesiser"
    subprocess.Popen([sys.executable, "-c", "", voice]).wait()
"""


def test_the_quick_selection_starts_no_engine(tmp_path: Path) -> None:
    code, text = outcome(
        tmp_path,
        "--quick",
        test_it=HEAD + ENGINES,
        test_long="import pytest\n@pytest.mark.slow\ndef test_x(): assert False\n",
    )
    assert code == 1, text
    assert "it loads pyttsx3" in text
    assert "it loads narrator.adapters.voices.espeak" in text
    assert "1 failed, 2 passed, 2 deselected, 2 errors" in text


def test_a_test_over_an_empty_list_is_refused(pytestconfig: pytest.Config) -> None:
    assert pytestconfig.getini("empty_parameter_set_mark") == "fail_at_collect"


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such signals.")
def test_a_run_in_the_background_still_hears_ctrl_c(tmp_path: Path) -> None:
    """A shell starts what it puts into the background with that signal ignored."""
    (tmp_path / "pytest.ini").write_text(SETTINGS)
    (tmp_path / "tests").mkdir()
    (tmp_path / "tests" / "conftest.py").write_text(CONFTEST.read_text())
    child = "import signal; print(signal.getsignal(signal.SIGINT) is signal.default_int_handler)"
    (tmp_path / "tests" / "test_child.py").write_text(
        f"{HEAD}import subprocess, sys\ndef test_x():\n"
        f"    told = subprocess.check_output([sys.executable, '-c', {child!r}], text=True)\n"
        "    assert told.strip() == 'True'\n"
    )
    started = f"trap '' INT; exec {sys.executable} -m pytest -q {tmp_path}"
    done = subprocess.run(["sh", "-c", started], cwd=tmp_path, capture_output=True, check=False)
    assert done.returncode == 0, done.stdout.decode()
