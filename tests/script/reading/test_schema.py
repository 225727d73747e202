from __future__ import annotations

import json
from pathlib import Path

import pytest

from narrator.script.reading.fields import VERBS
from narrator.script.reading.models import schema

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
