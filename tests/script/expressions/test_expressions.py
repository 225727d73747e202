"""Expressions: their values, their names, and all they are not allowed to do."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from narrator.core.values import ExpressionError
from narrator.script.compiler.own_lines import OWN_LINES
from narrator.script.expressions.compiled import Expressions, Problem
from narrator.script.expressions.sandbox import environment

EXPRESSIONS = Expressions(environment(OWN_LINES))
SCOPE: dict[str, Any] = {
    "seats": ["Ana", "Ben", "Cy"],
    "n": 3,
    "votes": {"Ana": "Ben", "Ben": "Ana", "Cy": "Ben"},
    "totals": {"Ana": 3, "Ben": 0, "Cy": 3},
    "nobody_yet": None,
    "none_chosen": [],
}

pytestmark = pytest.mark.unit


@pytest.mark.parametrize(
    ("source", "value"),
    [
        ("{{ votes | tally | leaders(at_least=2) }}", ["Ben"]),
        ("{{ votes | tally }}", {"Ana": 1, "Ben": 2, "Cy": 0}),
        ("others('Ana')", ["Ben", "Cy"]),
        ("left_of('Cy')", "Ana"),
        ("right_of('Ana', 2)", "Ben"),
        ("circle('Ben')", ["Ben", "Cy", "Ana"]),
        ("['Cy', 'Ana'] | in_seat_order", ["Ana", "Cy"]),
        ("clamp(n * 60, 300, 600)", 300),
        ("majority(n)", 2),
        ("letters(n)", ["A", "B", "C"]),
        ("votes | voters_of('Ben')", ["Ana", "Cy"]),
        ("seats | without('Ben')", ["Ana", "Cy"]),
        ("totals | leaders(0) | names", "Ana and Cy"),
        ("totals | only(['Ben'])", {"Ben": 0}),
        ("seats | each(0) | plus({'Ben': 2})", {"Ana": 0, "Ben": 2, "Cy": 0}),
        ("totals | scores", "Ana 3, Ben 0 and Cy 3"),
        ("260 | minutes", "4 minutes and 20 seconds"),
        ("seats | map('upper') | list", ["ANA", "BEN", "CY"]),
        ("votes.items() | first", ["Ana", "Ben"]),
        ("nobody_yet", None),
        ("n > 2 and not none_chosen", True),
        ("none_chosen | any_of(seats)", False),
        ("n / 2", 1.5),
    ],
)
def test_values_keep_their_kind(source: str, value: object) -> None:
    found = EXPRESSIONS.native(source).expression(SCOPE)
    assert (found, type(found)) == (value, type(value))


@pytest.mark.parametrize(
    ("source", "said"),
    [
        ("{{ seats }} play.", "Ana, Ben and Cy play."),
        ("{{ 6 / 2 }} rounds", "3 rounds"),
        ("{{ nobody_yet }} has it", "nobody has it"),
        ("one\n  two   three", "one two three"),
        ("{% for s in seats %}{{ s }}! {% endfor %}", "Ana! Ben! Cy!"),
        ("{% if n > 5 %}many{% else %}few{% endif %}", "few"),
        ("{{ seats | map('lower') }}", "ana, ben and cy"),
        ("100 % {# unseen #}", "100 %"),
    ],
)
def test_texts_are_said_well(source: str, said: str) -> None:
    assert EXPRESSIONS.text(source).expression(SCOPE) == said


def test_names_are_what_the_scope_must_hold() -> None:
    compiled = EXPRESSIONS.text("{% for s in seats %}{{ s }} {{ points[s] }}{% endfor %} {{ n }}")
    assert compiled.names == {"seats", "points", "n"}


@pytest.mark.parametrize(
    ("source", "code"),
    [
        ("{% set x = 1 %}", "NS043"),
        ("{% macro m() %}{% endmacro %}", "NS043"),
        ("{% include 'x' %}", "NS043"),
        ("{% extends 'x' %}", "NS043"),
        ("{% import 'x' as y %}", "NS043"),
        ("{% do seats %}", "NS043"),
        ("{{ ''.__class__ }}", "NS043"),
        ("{{ seats._x }}", "NS043"),
        ("{{ 2 ** 9999999 }}", "NS043"),
        ("{% for a in seats %}{% for b in seats %}{% endfor %}{% endfor %}", "NS043"),
        ("{{ seats | attr('x') }}", "NS042"),
        ("{{ 'x' | format }}", "NS042"),
        ("{{ 'x' | center(99999999) }}", "NS042"),
        ("{{ lipsum() }}", "NS042"),
        ("{{ cycler(1) }}", "NS042"),
        ("{{ n is wonderful }}", "NS042"),
        ("{{ seats", "NS040"),
        ("{{ }}", "NS040"),
        ("{% if n %}", "NS040"),
        ("{{ " + "(" * 600 + "1" + ")" * 600 + " }}", "NS040"),
        ("{{ " + "not " * 480 + "n }}", "NS040"),
        ("x" * 11_000, "NS008"),
        ("{{ n }}" + "x" * 3000, "NS040"),
        ("{{ [" + "1," * 900 + "] }}", "NS040"),
    ],
)
def test_what_does_not_compile(source: str, code: str) -> None:
    with pytest.raises(Problem) as caught:
        EXPRESSIONS.text(source)
    assert caught.value.code == code


@pytest.mark.parametrize("source", ["{{ a }} {{ b }}", "a b", "seats |", "'x' 'y' z", ""])
def test_a_value_is_one_expression(source: str) -> None:
    with pytest.raises(Problem) as caught:
        EXPRESSIONS.native(source)
    assert caught.value.code == "NS040"


@pytest.mark.parametrize(
    "source",
    [
        "missing",
        "missing.more",
        "votes['Zed']",
        "seats[9]",
        "1 / 0",
        "'a' * 100000000",
        "[0] * 100000000",
        "'%099999999d' % 1",
        "'{:>100000000}'.format(1)",
        "range(100000)",
        "999999999999 * 999999999999",
        "seats.append('x')",
        "seats['__class__']",
        "seats | map(attribute='__class__') | list",
        "seats | map('nope') | list",
        "left_of('Zed')",
        "letters(99)",
        "seats | sum",
        "'x' | plus(1)",
        "n | tally",
        "seats + 1",
        "self",
        "clamp('a', 1, 2)",
        "seats | join('" + "x" * 1000 + "') | upper | list | join('" + "y" * 900 + "')",
    ],
)
def test_faults_are_one_plain_sentence(source: str) -> None:
    expression = EXPRESSIONS.native(source).expression
    with pytest.raises(ExpressionError) as caught:
        expression(SCOPE)
    assert len(str(caught.value).splitlines()) == 1


def test_a_value_cannot_be_doubled_for_ever() -> None:
    for source in ("a ~ a", "[a, a]", "a + a"):
        expression = EXPRESSIONS.native(source).expression
        value: Any = "x"
        with pytest.raises(ExpressionError):
            for _ in range(100):
                value = expression({"a": value})


def test_expressions_compare_by_their_source() -> None:
    assert EXPRESSIONS.text("{{ n }}!").expression == EXPRESSIONS.text("{{ n }}!").expression
    assert EXPRESSIONS.native("n").expression != EXPRESSIONS.native("n + 1").expression


@given(st.text(alphabet="{}%|()[]'\"._ ansetfoir0123*+-~<>=,", max_size=60))
@settings(max_examples=300, deadline=None)
def test_no_source_can_do_worse_than_be_refused(source: str) -> None:
    try:
        value = EXPRESSIONS.text(source).expression(SCOPE)
    except (Problem, ExpressionError):
        return
    assert isinstance(value, str)
