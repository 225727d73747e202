"""A game and a language are added without a line of Python: docs/architecture.md promises it."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.unit

ROOT = Path(__file__).resolve().parents[2]
GAME = """\
narrator: 1
title: Two Nights
language: {language}
players: {{min: 2, max: 6}}
phases:
  night:
    steps:
      - say: Everyone, close your eyes.
      - wait: 3s
  day:
    steps:
      - ask: Shall we go on?
        answer: yes/no
        into: onward
      - if: onward
        then:
          - say: Then we go on.
      - say: That is all.
      - end
"""


def narrator(*words, package=ROOT):
    """Run a command with the package of this folder; return its standard output."""
    done = subprocess.run(
        [sys.executable, "-m", "narrator", *map(str, words)],
        env={**os.environ, "PYTHONPATH": str(package)},
        cwd=package,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def written(folder, language):
    folder.mkdir()
    (folder / "game.yaml").write_text(GAME.format(language=language), encoding="utf-8")
    return folder


def test_a_game_is_a_folder_with_a_script(tmp_path):
    game = written(tmp_path / "two-nights", "en")
    narrator("check", "--strict", game)
    words = ("--players", "Ana, Ben, Cy", "--seed", "1", "--text", "--json")
    result = json.loads(narrator("rehearse", game, *words))
    assert result["ended"] == "complete"


def test_a_language_is_one_file(tmp_path):
    for name in ("narrator", "scripts"):
        skip = shutil.ignore_patterns("__pycache__")
        shutil.copytree(ROOT / name, tmp_path / name, ignore=skip)
    locales = tmp_path / "narrator" / "locales"
    english = (locales / "en.yaml").read_text(encoding="utf-8")
    # A language like English to the letter, but under a code that nobody has ever heard of.
    (locales / "qx.yaml").write_text(english, encoding="utf-8")
    for path in locales.rglob("*.en.yaml"):
        shutil.copy(path, path.with_name(path.name.replace(".en.", ".qx.")))
    game = written(tmp_path / "two-nights", "qx")
    narrator("check", game, package=tmp_path)
    words = ("--players", "Ana, Ben, Cy", "--seed", "1", "--text", "--json")
    result = json.loads(narrator("rehearse", game, *words, package=tmp_path))
    assert result["ended"] == "complete"
