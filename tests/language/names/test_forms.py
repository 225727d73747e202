"""The ways in which answers are given at a table, each understood as it was meant."""

from __future__ import annotations

from typing import Any

import pytest

from narrator.core.expect import Expectation
from narrator.core.values import Seat
from narrator.language.grammar.grammar import Interpretation, compile_grammar
from narrator.script.files.locales import load_locale

pytestmark = pytest.mark.unit
EN = load_locale("en")
NAMES = ("Ana", "Ben", "Cy", "Dee")
TABLE = tuple(Seat(n, name, hear=("annie",) if n == 1 else ()) for n, name in enumerate(NAMES, 1))
SEAT = Expectation("answer", "seat", allowed=NAMES, nobody=True)
SEATS = Expectation("answer", "seats", allowed=NAMES, nobody=True)
NUMBER = Expectation("answer", "number", low=-999, high=999)
LETTER = Expectation("answer", "letter")
YESNO = Expectation("answer", "yesno")
DONE = Expectation("phrase", "phrase", templates=("task complete",))


def meant(expectation: Expectation, text: str) -> Interpretation:
    return compile_grammar((expectation,), TABLE, EN).interpret(text)


@pytest.mark.parametrize(
    ("expectation", "text", "value"),
    [
        (SEAT, "ana", "Ana"), (SEAT, "annie", "Ana"), (SEAT, "seat three", "Cy"),
        (SEAT, "number 2", "Ben"), (SEAT, "nobody", None), (SEAT, "ben no cy", "Cy"),
        (SEAT, "Ben, no, Cy.", "Cy"), (SEAT, "um i vote for ben i mean ana", "Ana"),
        (SEATS, "ana and ben", ["Ana", "Ben"]),
        (SEATS, "ana ben and seat four", ["Ana", "Ben", "Dee"]),
        (SEATS, "everyone", list(NAMES)), (SEATS, "nobody", []),
        (SEATS, "everyone but ana", ["Ben", "Cy", "Dee"]),
        (SEATS, "everybody except ben and cy", ["Ana", "Dee"]),
        (NUMBER, "zero", 0), (NUMBER, "twenty one", 21),
        (NUMBER, "nine hundred and ninety nine", 999),
        (NUMBER, "a hundred and five", 105), (NUMBER, "minus twelve", -12),
        (NUMBER, "negative one hundred", -100), (NUMBER, "three no four", 4), (NUMBER, "to", 2),
        (LETTER, "alpha", "A"), (LETTER, "bravo", "B"), (LETTER, "the letter c", "C"),
        (LETTER, "x ray", "X"), (LETTER, "b as in bravo", "B"),
        (YESNO, "yes", True), (YESNO, "yes please", True), (YESNO, "that is right", True),
        (YESNO, "no thanks", False), (YESNO, "cancel that", False), (YESNO, "not really", False),
        (DONE, "um task complete", "task complete"),
        (DONE, "okay task complete please", "task complete"),
    ],
)  # fmt: skip
def test_it_means_what_was_said(expectation: Expectation, text: str, value: Any) -> None:
    meaning = meant(expectation, text).meaning
    assert meaning is not None
    assert meaning.value == value or expectation.kind == "phrase"


@pytest.mark.parametrize("number", range(-999, 1000, 37))
def test_every_number_is_heard_as_it_is_said(number: int) -> None:
    grammar = compile_grammar((NUMBER,), TABLE, EN)
    for words in grammar.samples(NUMBER, number, 4):
        assert grammar.automaton.accepts(words)
        meaning = grammar.interpret(words).meaning
        assert meaning is not None and meaning.value == number


@pytest.mark.parametrize(
    ("expectation", "text"),
    [(SEAT, "ana or ben"), (NUMBER, "three four"), (NUMBER, "twelve hundred thousand"),
     (SEATS, "everyone but"), (YESNO, "yes no maybe"), (NUMBER, "ana")],
)  # fmt: skip
def test_what_is_not_clear_is_never_guessed(expectation: Expectation, text: str) -> None:
    assert meant(expectation, text).meaning is None


HALVES = Expectation("answer", "number", low=-9, high=9, halves=True)
SCORES = Expectation("answer", "points", low=-9, high=9, allowed=NAMES, halves=True)


@pytest.mark.parametrize(
    ("text", "value"),
    [("two and a half", 2.5), ("half", 0.5), ("a half", 0.5), ("minus half", -0.5), ("2.5", 2.5),
     ("minus two and a half", -2.5), ("-2.5", -2.5), ("three point five", 3.5), ("seven", 7),
     ("it is four and a half", 4.5), ("two and a half points", 2.5), ("0.5", 0.5)],
)  # fmt: skip
def test_halves_count_where_a_script_allows_them(text: str, value: float) -> None:
    meaning = meant(HALVES, text).meaning
    assert meaning is not None and meaning.value == value
    assert meant(NUMBER, text).meaning is None or value == 7


@pytest.mark.parametrize("text", ["nine and a half", "two and a half and a half", "and a"])
def test_a_half_too_many_is_no_answer(text: str) -> None:
    assert meant(HALVES, text).meaning is None


def test_halves_are_heard_and_said() -> None:
    grammar = compile_grammar((HALVES,), TABLE, EN)
    for value in (2.5, -3.5, 0.5, -0.5, 3):
        words = grammar.sample(HALVES, value)
        assert words and grammar.automaton.accepts(words)
        meaning = grammar.interpret(words).meaning
        assert meaning is not None and meaning.value == value
    assert not compile_grammar((NUMBER,), TABLE, EN).automaton.accepts("two and a half")


def test_points_may_have_halves() -> None:
    meaning = meant(SCORES, "ana two and a half and ben minus half").meaning
    assert meaning is not None and meaning.value == {"Ana": 2.5, "Ben": -0.5}


def test_halves_in_korean() -> None:
    grammar = compile_grammar((HALVES,), TABLE, load_locale("ko"))
    found = grammar.interpret("둘 반").meaning
    assert found is not None and found.value == 2.5
