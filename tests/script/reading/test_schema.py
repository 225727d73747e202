from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from narrator.script.reading.fields import VERBS
from narrator.script.reading.models import schema
from tests.patience import limit

FILE = Path(__file__).parents[3] / "docs" / "game.schema.json"

pytestmark = pytest.mark.unit


def test_the_published_schema_is_that_of_the_models() -> None:
    assert json.loads(FILE.read_text(encoding="utf-8")) == schema()


def test_every_step_is_in_the_schema() -> None:
    required = [shape.get("required", []) for shape in schema()["$defs"].values()]
    assert [verb for verb in VERBS if not any(verb in keys for keys in required)] == [
        "repeat",
        "again",
        "end",
    ]


SCRIPTS = sorted(
    [
        *(FILE.parents[1] / "scripts").glob("*/game.yaml"),
        *(FILE.parents[1] / "tests" / "fixtures" / "scripts").glob("*/game.yaml"),
    ]
)


def judged(path: Path) -> subprocess.CompletedProcess[str]:
    checker = Path(sys.executable).with_name("check-jsonschema")
    command = [str(checker), "--schemafile", str(FILE), str(path)]
    return subprocess.run(command, capture_output=True, text=True, timeout=limit(120), check=False)


def test_there_are_scripts_to_judge() -> None:
    assert len(SCRIPTS) >= 8


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: path.parent.name)
def test_every_shipped_script_passes_an_editors_check(script: Path) -> None:
    done = judged(script)
    assert done.returncode == 0, done.stdout


def test_a_word_that_is_no_step_does_not_pass(tmp_path: Path) -> None:
    head = "narrator: 1\ntitle: X\nplayers: {min: 3, max: 8}\nphases: {a: {steps: [%s]}}\n"
    for steps, code in (("end", 0), ("again, {say: x}", 0), ("stop", 1), ("{end: }", 0)):
        (tmp_path / "game.yaml").write_text(head % steps)
        assert judged(tmp_path / "game.yaml").returncode == code, steps
