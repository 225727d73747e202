"""`narrator play` as a process of its own, with the games that these tests play."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
GAME = ["one-night-revolution", "--players", "Robert, Julia, Oliver"]
QUICK = [
    "--seed", "7", "--set", "controller=Robert", "--set", "look=4s", "--set", "brief=no",
    "--set", "discussion=60s",
]  # fmt: skip
RIGHT = {"terminated": ["Julia"], "side": "rebels", "winners": ["Robert", "Oliver"]}

SHORT = """
narrator: 1
title: Short
players: {min: 3, max: 3}
phases:
  only:
    steps:
      - ask: Say ready.
        hear: [ready]
      - wait: 1s
      - say: Well done.
"""


def start(
    *words: str, stdin: int = subprocess.DEVNULL, env: dict[str, str] | None = None
) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "narrator.cli.main", "play", *words]
    return subprocess.Popen(
        command,
        cwd=ROOT,
        env={**os.environ, **(env or {})},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        stdin=stdin,
    )


def end(game: subprocess.Popen[str], patience: float = 30.0) -> tuple[str, str]:
    try:
        return game.communicate(timeout=patience)
    except subprocess.TimeoutExpired:
        game.kill()
        return game.communicate()
