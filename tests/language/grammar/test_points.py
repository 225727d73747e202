"""Points by voice: what is meant, what is asked about again, and what a recogniser may hear."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from narrator.core.expect import Expectation
from narrator.core.values import Seat
from narrator.language.grammar.grammar import Grammar, compile_grammar
from narrator.script.files.locales import load_locale

pytestmark = pytest.mark.unit

NAMES = ["Ana", "Ben", "Cy", "Dee", "Eli"]
SEATS = [Seat(number, name) for number, name in enumerate(NAMES, 1)]
POINTS = Expectation("answer", "points", low=-999, high=999, nobody=True)
CORRECT = Expectation(
    "or:correct",
    "sentence",
    templates=("correct round {number:which} {points:right}", "correct round {number:which}"),
)


@pytest.fixture(scope="module")
def grammar() -> Grammar:
    return compile_grammar([POINTS, CORRECT], SEATS, load_locale("en"))


@pytest.mark.parametrize(
    ("said", "points"),
    [
        ("Ana five", {"Ana": 5}),
        ("ana 5, ben 3", {"Ana": 5, "Ben": 3}),
        ("ben and cy two each", {"Ben": 2, "Cy": 2}),
        ("ana five ben and cy two", {"Ana": 5, "Ben": 2, "Cy": 2}),
        ("minus three for ana", {"Ana": -3}),
        ("ana -3", {"Ana": -3}),
        ("take three points from ana", {"Ana": -3}),
        ("ana loses two and ben gets four points", {"Ana": -2, "Ben": 4}),
        ("give dee one hundred and twenty", {"Dee": 120}),
        ("thirty-four hundred and fifty for ana", None),
        ("everyone one", dict.fromkeys(NAMES, 1)),
        ("everybody but ana two", {"Ben": 2, "Cy": 2, "Dee": 2, "Eli": 2}),
        ("nobody", {}),
        ("no points", {}),
        ("add to to ana", {"Ana": 2}),
        ("for for ana", {"Ana": 4}),
        ("ana to to ben for", {"Ana": 2, "Ben": 4}),
        ("ana won", {"Ana": 1}),
        ("seat two three", {"Ben": 3}),
        ("five for ana and three for ben", {"Ana": 5, "Ben": 3}),
        ("five for ana and ben three", {"Ana": 5, "Ben": 3}),
        ("um ana five please", {"Ana": 5}),
        ("ana five no ana six", {"Ana": 6}),
    ],
)
def test_what_is_meant(grammar: Grammar, said: str, points: dict[str, int] | None) -> None:
    meaning = grammar.interpret(said).meaning
    assert (meaning.value if meaning else None) == points


@pytest.mark.parametrize(
    "said",
    [
        "ana", "five", "two three", "ana five and", "hundred for ana", "add five points to zoe",
        "ana five ana three", "ana twenty five for ben", "take minus three from ana", "and", "for",
        "ana ben", "zoe five", "ana five hundred thousand",
    ],
)  # fmt: skip
def test_what_means_nothing_for_sure(grammar: Grammar, said: str) -> None:
    assert grammar.interpret(said).meanings == ()


def test_what_means_two_things_is_a_question(grammar: Grammar) -> None:
    found = grammar.interpret("two each for ben and cy dee minus one")
    assert found.is_ambiguous
    assert [m.value for m in found.meanings] == [
        {"Ben": 2, "Cy": -1, "Dee": -1},
        {"Ben": 2, "Cy": 2, "Dee": -1},
    ]


@pytest.mark.parametrize(
    ("said", "held"),
    [
        ("correct round two ben had five", {"which": 2, "right": {"Ben": 5}}),
        ("correct round to, Ben five and Cy two", {"which": 2, "right": {"Ben": 5, "Cy": 2}}),
        ("correct round 12", {"which": 12}),
    ],
)
def test_slots_side_by_side(grammar: Grammar, said: str, held: dict[str, Any]) -> None:
    meaning = grammar.interpret(said).meaning
    assert meaning is not None
    assert (meaning.intent, meaning.value) == ("or:correct", held)


def test_without_nobody_it_is_no_answer() -> None:
    strict = Expectation("answer", "points", low=0, high=20)
    grammar = compile_grammar([strict], SEATS, load_locale("en"))
    assert grammar.interpret("nobody").meanings == ()
    assert grammar.interpret("ana thirty").meanings == ()
    assert grammar.interpret("ana minus three").meanings == ()
    meaning = grammar.interpret("ana twenty").meaning
    assert meaning is not None
    assert meaning.value == {"Ana": 20}


@settings(max_examples=40, deadline=None)
@given(st.dictionaries(st.sampled_from(NAMES), st.integers(-99, 999), min_size=1))
def test_every_sample_is_heard_and_means_what_it_says(points: dict[str, Any]) -> None:
    grammar = compile_grammar([POINTS, CORRECT], SEATS, load_locale("en"))
    samples = grammar.samples(POINTS, points, 2)
    assert samples
    for sample in samples:
        assert grammar.automaton.accepts(sample)
        meaning = grammar.interpret(sample).meaning
        assert meaning is not None
        assert meaning.value == points


@pytest.mark.parametrize("value", [{"which": 2, "right": {"Ben": 5}}, {"Ana": "five"}, 5, "Ana"])
def test_what_is_no_points_has_no_sentence(grammar: Grammar, value: Any) -> None:
    assert grammar.sample(POINTS, value) == ""


def test_a_recogniser_hears_each_name_once_but_numbers_as_often_as_need_be(
    grammar: Grammar,
) -> None:
    once = grammar.automaton.once
    assert {"ana", "ben", "everyone"} <= once
    assert once.isdisjoint({"two", "five", "to", "for", "seat", "and"})


def test_the_grammar_stays_small(grammar: Grammar) -> None:
    assert len(grammar.automaton.arcs) < 600
    assert sum(map(len, grammar.automaton.arcs)) < 40_000
