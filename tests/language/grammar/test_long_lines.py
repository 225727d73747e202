"""The scores of a large table in one line: all are read, at once."""

from __future__ import annotations

import time

import pytest

from narrator.core.expect import Expectation
from narrator.core.values import Seat
from narrator.language.grammar.grammar import compile_grammar
from narrator.script.files.locales import load_locale
from tests.patience import limit

pytestmark = pytest.mark.unit

NAMES = (
    "Ana Ben Cy Dee Eve Finn Gus Hal Ivy Jo Kim Lou Max Nora Otto Pia Quin Rosa Sam Tess".split()
)
SCORES = {name: 7 * number for number, name in enumerate(NAMES, 1)}
FORMS = {
    "bare": " ".join(f"{name} {n}" for name, n in SCORES.items()),
    "commas": ", ".join(f"{name} {n}" for name, n in SCORES.items()),
    "sentences": " and ".join(f"{name} gets {n} points" for name, n in SCORES.items()),
}


@pytest.mark.parametrize("form", FORMS)
def test_the_scores_of_twenty_seats_are_read_from_one_line_at_once(form: str) -> None:
    seats = [Seat(number, name) for number, name in enumerate(NAMES, 1)]
    points = Expectation("answer", "points", allowed=tuple(NAMES), high=999)
    grammar = compile_grammar([points], seats, load_locale("en"))
    grammar.interpret("Ana 1")  # what is made once for the evening
    began = time.process_time()
    meaning = grammar.interpret(FORMS[form]).meaning
    used = time.process_time() - began
    assert meaning is not None and meaning.value == SCORES
    assert used <= limit(0.3)
