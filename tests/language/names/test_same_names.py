"""Names that are said alike and written differently are one name to the ear."""

from __future__ import annotations

import pytest

from narrator.core.expect import Expectation
from narrator.core.values import Seat
from narrator.language.grammar.grammar import compile_grammar
from narrator.language.names.forms import same_forms
from narrator.language.names.refusal import refusal
from narrator.script.files.locales import load_locale

pytestmark = pytest.mark.unit
EN = load_locale("en")
SEAT = Expectation("answer", "seat")
SEATS = Expectation("answer", "seats")
POINTS = Expectation("answer", "points", high=9, allowed=("Ana", "Cy"))


def table(*names: str) -> tuple[Seat, ...]:
    return tuple(Seat(number, name) for number, name in enumerate(names, 1))


@pytest.mark.parametrize(
    ("name", "heard"),
    [("Ana", "anna"), ("Jon", "john"), ("Sara", "sarah"), ("Cy", "sy"), ("Dee", "d"),
     ("Zoe", "zoey"), ("Steven", "stephen"), ("Kathryn", "catherine"),
     ("Geoff", "jeff"), ("Lewis", "louis")],
)  # fmt: skip
def test_the_usual_spelling_means_the_player(name: str, heard: str) -> None:
    seats = table("Robert", name, "Olga")
    grammar = compile_grammar((SEAT,), seats, EN)
    assert grammar.automaton.accepts(heard)
    meaning = grammar.interpret(f"i vote for {heard}").meaning
    assert meaning is not None and meaning.value == name


def test_in_lists_and_points_as_well() -> None:
    seats = table("Ana", "Ben", "Cy")
    assert compile_grammar((SEATS,), seats, EN).interpret("anna and sigh").meanings[0].value == [
        "Ana", "Cy",
    ]  # fmt: skip
    points = compile_grammar((POINTS,), seats, EN).interpret("anna five and sy two").meanings
    assert [m.value for m in points] == [{"Ana": 5, "Cy": 2}]


def test_where_both_spellings_sit_at_the_table_each_means_its_own() -> None:
    seats = table("Ana", "Anna", "John")
    assert same_forms(seats[0], seats, EN) == () == same_forms(seats[1], seats, EN)
    grammar = compile_grammar((SEAT,), seats, EN)
    assert [m.value for m in grammar.interpret("anna").meanings] == ["Anna"]
    assert [m.value for m in grammar.interpret("ana").meanings] == ["Ana"]
    assert [m.value for m in grammar.interpret("jon").meanings] == ["John"]


def test_another_spelling_is_never_what_the_narrator_says() -> None:
    grammar = compile_grammar((SEAT,), table("Ana", "Ben"), EN)
    assert grammar.sample(SEAT, "Ana") == "ana"
    assert not any("anna" in s for s in grammar.samples(SEAT, "Ana", 50))


def test_every_name_of_the_table_stands_once_and_may_be_a_players() -> None:
    names = [name for group in EN.same_names for name in group]
    assert len(names) == len(set(names)) and len(EN.same_names) >= 80
    assert all(len(group) > 1 for group in EN.same_names)
    refused = [n for n in names if len(n) > 1 and refusal(table(n, "Robert"), EN)]
    assert refused == []
