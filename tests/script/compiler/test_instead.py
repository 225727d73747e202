"""Points as answers, and what may be said instead of an answer."""

from __future__ import annotations

import pytest

from narrator.core.engine import Engine
from narrator.core.events import Start, Transcript
from narrator.core.expect import Meaning
from narrator.core.values import Seat, Value
from narrator.script.compiler.compile import compile_script
from narrator.script.files.locales import load_locale
from narrator.testing.table import Table

SCRIPT = """narrator: 1
title: Counting
players: {min: 2, max: 8}
phases:
  play:
    steps:
      - ask: Points?
        answer: points
        at most: 20
        among: [Ana, Ben]
        refuse: Only Ana and Ben play.
        into: entry
        or:
          over: ["[the] game is over"]
          correct: ["correct round {number:which} {points:right}", "change round {number:which}"]
      - say: "{{ entry }}"
result:
  entry: "{{ entry }}"
  which: "{{ which }}"
  right: "{{ right }}"
"""

pytestmark = pytest.mark.unit


def opened(text: str = SCRIPT) -> Table:
    compiled = compile_script(text)
    assert compiled.game is not None, "\n".join(map(str, compiled.diagnostics))
    table = Table(compiled.game, ["Ana", "Ben", "Cy"], locale=load_locale("en"))
    table.start()
    table.expect_next()
    return table


@pytest.mark.parametrize(
    ("said", "result"),
    [
        ("Ana five, Ben two", {"entry": {"Ana": 5, "Ben": 2}, "which": None, "right": None}),
        ("everyone three", {"entry": {"Ana": 3, "Ben": 3}, "which": None, "right": None}),
        ("game is over", {"entry": "over", "which": None, "right": None}),
        (
            "correct round two Ben had five",
            {"entry": "correct", "which": 2, "right": {"Ben": 5}},
        ),
        ("change round four", {"entry": "correct", "which": 4, "right": None}),
    ],
)
def test_an_answer_or_what_was_said_instead(said: str, result: dict[str, Value]) -> None:
    table = opened()
    table.hear(said)
    assert table.wait_until(lambda: table.result is not None, 30)
    assert table.result == result


def test_who_may_get_no_points_is_refused() -> None:
    table = opened()
    table.hear("Cy two")
    assert table.said[-1].text == "Only Ana and Ben play."
    table.hear("nobody")
    assert table.said[-1].text == "Again: Points?"
    assert "entry" not in table.engine.state.variables


@pytest.mark.parametrize(
    "value", [{}, {"Ana": 21}, {"Ana": "5"}, {"Ana": True}, {"Zoe": 1}, ["Ana"], "Ana", 5, None]
)
def test_no_other_value_is_kept(value: Value) -> None:
    compiled = compile_script(SCRIPT)
    assert compiled.game is not None
    engine = Engine(compiled.game, [Seat(1, "Ana"), Seat(2, "Ben")])
    engine.step(Start(), 0.0)
    engine.step(Transcript("", Meaning("answer", value), engine.state.listen), 1.0)
    assert "entry" not in engine.state.variables


def test_a_slot_that_is_no_slot_is_told_with_a_cure() -> None:
    (found,) = compile_script(SCRIPT.replace('{number:which}"]', '{numbr:which}"]')).diagnostics
    assert found.code == "NS063"
    assert "{number}" in str(found)


def test_a_command_is_not_taken_by_what_may_be_said_instead() -> None:
    text = SCRIPT.replace('"[the] game is over"', '"end the game"')
    assert "NS062" in [found.code for found in compile_script(text).diagnostics]
