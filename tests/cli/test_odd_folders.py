"""A data folder that cannot be one: every command says so in a sentence, or does without."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.patience import limit

pytestmark = pytest.mark.unit

ROOT = Path(__file__).resolve().parents[2]
COMMANDS = [
    ["play", "scorekeeper", "--players", "Anabel, Bernard", "--no-speech", "--keyboard"],
    ["history"],
    ["results"],
    ["export", "1"],
    ["resume"],
    ["forget", "1"],
    ["models", "list"],
    ["names", "Anabel"],
]


def odd_folders(tmp_path: Path) -> dict[str, str]:
    """Return the value of NARRATOR_DATA by what is odd about it."""
    file = tmp_path / "file"
    file.write_text("not a folder")
    return {
        "too long": str(tmp_path / ("x" * 300)),
        "a file": str(file),
        "below a file": str(file / "data"),
        "a path too deep": str(tmp_path / "/".join(["deep" * 30] * 60)),
    }


@pytest.mark.parametrize("kind", ["too long", "a file", "below a file", "a path too deep"])
@pytest.mark.parametrize("words", COMMANDS, ids=lambda words: words[0])
def test_no_command_has_a_fault_of_its_own(words: list[str], kind: str, tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "narrator.cli.main", *words],
        env={**os.environ, "NARRATOR_DATA": odd_folders(tmp_path)[kind], "PYTHONPATH": str(ROOT)},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=limit(60),
        check=False,
    )
    assert "itself has a fault" not in done.stderr and "Traceback" not in done.stderr
    if words[0] == "play":
        assert "Points, please." in done.stderr, "the game goes on all the same"
