"""Evenings that are killed go on to the right end; tools/crash does it two hundred times."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.patience import limit

pytestmark = pytest.mark.slow

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no kill -9 and no fork.")
@pytest.mark.parametrize("how", [(), ("--stops",), ("--full-disk",)])
def test_a_killed_evening_goes_on_to_the_right_end(how):
    done = subprocess.run(
        [
            *(sys.executable, "tools/crash.py", "--kills", "4", "--seed", "5", "--text", *how),
            *("--games", "one-night-revolution"),
        ],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=limit(280),
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "faults 0" in done.stdout or "faults" not in done.stdout
    assert "right" in done.stdout
