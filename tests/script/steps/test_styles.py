"""Styles of speaking: who says them, what they become, and that they are words."""

from __future__ import annotations

import pytest

from narrator.core.effects import Effect, Say
from narrator.core.engine import Engine
from narrator.core.events import SpeechFinished, Start
from narrator.core.values import Seat
from narrator.script.compiler.compile import compile_script

pytestmark = pytest.mark.unit
SEATS = [Seat(n, name) for n, name in enumerate(("Ana", "Ben", "Cy"), 1)]
SCRIPT = """
narrator: 1
title: Example
players: {min: 3, max: 8}
phases:
  night:
    style: night
    steps:
      - say: All eyes closed.
      - say: Listen.
        style: announce
  day:
    steps:
      - say: Good morning.
      - ask: How many points?
        answer: number
        into: points
        read back: "{{ points }}, I heard."
"""


def said(effects: list[Effect]) -> list[tuple[str, str]]:
    return [(e.text, e.style) for e in effects if isinstance(e, Say)]


def test_a_line_has_its_own_style_or_the_phases() -> None:
    compiled = compile_script(SCRIPT)
    assert compiled.game is not None and not compiled.diagnostics
    engine = Engine(compiled.game, SEATS)
    heard = said(engine.step(Start(), 0.0))
    for number in range(1, 4):
        heard += said(engine.step(SpeechFinished(number), float(number)))
    assert heard == [
        ("All eyes closed.", "night"),
        ("Listen.", "announce"),
        ("Good morning.", ""),
        ("How many points?", ""),
    ]


@pytest.mark.parametrize("word", ["whisper", "{{ 'night' if n > 3 else 'list' }}"])
@pytest.mark.parametrize("own", ["style: night", "style: announce"])
def test_a_style_is_one_of_a_few_words_and_no_expression(own: str, word: str) -> None:
    script = SCRIPT.replace(own, f'style: "{word}"')
    assert [d.code for d in compile_script(script).diagnostics] == ["NS026"]
