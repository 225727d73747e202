"""Programs that are run in a process of their own, where nothing has been imported yet."""

from __future__ import annotations

import os
import subprocess
import sys

from tests.patience import limit


def run_fresh(program: str) -> subprocess.CompletedProcess[str]:
    """Run a program's text, with the modules that this process finds; return how it went."""
    return subprocess.run(
        [sys.executable, "-c", program],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(p for p in sys.path if p)},
        capture_output=True,
        text=True,
        timeout=limit(30),
        check=False,
    )


def output_of(program: str) -> str:
    """Run it and give what it printed; it has to end well."""
    done = run_fresh(program)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()
