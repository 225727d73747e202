"""A script decides whether a number may have a half."""

from __future__ import annotations

import pytest

from narrator.script.compiler.compile import compile_script
from narrator.script.files.locales import load_locale
from narrator.testing.table import Table

pytestmark = pytest.mark.unit
SCRIPT = """narrator: 1
title: Counting
players: {min: 2, max: 8}
phases:
  play:
    steps:
      - ask: How many?
        answer: number
        at most: 9
        HALVES
        into: entry
result:
  entry: "{{ entry }}"
  twice: "{{ entry * 2 }}"
"""


def opened(halves: str) -> Table:
    compiled = compile_script(SCRIPT.replace("HALVES", halves))
    assert compiled.game is not None, "\n".join(map(str, compiled.diagnostics))
    table = Table(compiled.game, ["Ana", "Ben"], locale=load_locale("en"))
    table.start()
    table.expect_next()
    return table


def test_a_half_is_an_answer_that_the_script_can_count_with() -> None:
    table = opened("halves: yes")
    table.hear("nine and a half")
    assert not table.result, "more than nine is not allowed"
    table.hear("two and a half")
    assert table.wait_until(lambda: table.result is not None)
    assert table.result == {"entry": 2.5, "twice": 5.0}
    assert table.replay() is None, "the journal gives it back as it was"


def test_without_the_key_it_is_asked_again() -> None:
    table = opened("refuse: No.")
    table.hear("two and a half")
    assert table.result is None
    table.hear("two")
    assert table.wait_until(lambda: table.result is not None)
    assert table.result == {"entry": 2, "twice": 4}
