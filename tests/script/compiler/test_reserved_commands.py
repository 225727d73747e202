"""The words no answer may take are read from the table of commands."""

from __future__ import annotations

from dataclasses import replace

import pytest

from narrator.core.commands.table import TABLE, When
from narrator.script.compiler import checks
from narrator.script.compiler.compile import compile_script

pytestmark = pytest.mark.unit

SCRIPT = """
narrator: 1
title: Test
players: {min: 3, max: 8}
phases:
  talk:
    eyes: EYES
    steps:
      - hear: [WORDS]
"""


def codes(words: str, eyes: str) -> list[str]:
    text = SCRIPT.replace("WORDS", words).replace("EYES", eyes)
    return [found.code for found in compile_script(text).diagnostics]


def test_urgent_commands_are_reserved_and_at_night_whatever_is_heard_then() -> None:
    assert set(checks.reserved_commands(eyes_closed=False)) == {"pause", "stop", "end the game"}
    assert set(checks.reserved_commands(eyes_closed=True)) == {
        "pause", "stop", "end the game", "repeat",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("change", "eyes"), [({"urgent": True}, "open"), ({"when": When.DAY | When.NIGHT}, "closed")]
)
def test_a_row_that_becomes_urgent_or_is_heard_at_night_is_reserved(
    monkeypatch: pytest.MonkeyPatch, change: dict[str, bool | When], eyes: str
) -> None:
    assert "NS062" not in codes("skip", eyes)
    rows = {**TABLE, "skip": replace(TABLE["skip"], **change)}  # type: ignore[arg-type]
    monkeypatch.setattr(checks, "TABLE", rows)
    assert "NS062" in codes("skip", eyes)
