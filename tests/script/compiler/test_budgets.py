"""No script, however it is made, keeps `check` or a game busy: it is refused with its place."""

from __future__ import annotations

from time import process_time

import pytest

from narrator.core.values import ExpressionError, Value
from narrator.script.compiler.compile import Compiled, compile_script
from narrator.script.expressions.compiled import Expressions, Joined, Problem
from narrator.script.expressions.sandbox import environment

pytestmark = pytest.mark.unit

HEAD = "narrator: 1\ntitle: X\nplayers: {min: 3, max: 8}\n"
SEATS: list[Value] = ["Ana", "Ben", "Cy"]
SCOPE: dict[str, Value] = {"t": "x" * 9_000, "many": list(range(500)), "seats": SEATS, "n": 3}


def compiled(text: str) -> Compiled:
    begun = process_time()
    found = compile_script(HEAD + text)
    assert process_time() - begun < 3  # a second, on a machine that is busy
    return found


def refused(text: str) -> list[tuple[str, int]]:
    found = compiled(text)
    assert found.game is None
    return [(d.code, d.place.line) for d in found.diagnostics if d.code != "NS069"]


def steps(*lines: str) -> str:
    body = "\n".join(f"      - {line}" for line in lines)
    return f"phases:\n  play:\n    steps:\n{body}\n"


def test_parts_that_multiply_are_refused() -> None:
    parts = "parts:\n" + "".join(
        f"  p{n}:\n" + f"    - part: p{n + 1}\n" * 8 for n in range(7)
    ) + "  p7:\n    - say: Hello.\n"  # fmt: skip
    codes = refused(parts + steps("part: p0"))
    assert [code for code, _ in codes] == ["NS008"]


def test_an_answer_with_thousands_of_forms_is_refused() -> None:
    forms = ", ".join(f"'[a|b|c|d] (e|f|g|h|i|j|k|l) word {n}'" for n in range(40))
    answers = "\n".join(f"          k{n}: [{forms.replace('word', f'w{n}x')}]" for n in range(20))
    text = steps("ask: Which?") + f"        answer:\n{answers}\n        into: x\n"
    ((code, line),) = refused(text)
    assert (code, 8 <= line <= 28) == ("NS008", True)


@pytest.mark.parametrize(
    ("phrase", "told"),
    [
        ("[" * 300 + "a" + "]" * 300, "601 characters"),
        ("[" * 20 + "a" + "]" * 20 + " b", "more than 12 deep"),
        (" ".join(["word"] * 1200), "characters"),
        ("now " + "[a] " * 20, "1,048,576 ways"),
        ("now " + "(a|b|c|d|e|f|g|h) " * 12, "ways"),
    ],
)
def test_a_phrase_out_of_all_bounds_is_refused(phrase: str, told: str) -> None:
    found = compiled(steps(f"hear: ['{phrase}']"))
    assert found.game is None
    assert [d.code for d in found.diagnostics] == ["NS063"]
    assert told in str(found.diagnostics[0])


LOOP = "{% for x in range(500) %}{{ BODY }}{% endfor %}"


@pytest.mark.parametrize(
    "source",
    [
        "{{ 1|round(-100000000) }}",
        "{{ n|round(100000000) }}",
        LOOP.replace("BODY", "many|map('string')|list|length"),
        LOOP.replace("BODY", "many|sort|reverse|list|sum"),
        LOOP.replace("BODY", "many|map('round', -1)|join|length"),
        LOOP.replace("BODY", "t"),
        LOOP.replace("BODY", " ~ ".join(["t"] * 60)),
        "{{ " + " ~ ".join(["t"] * 100) + " }}",
        "{{ [" + ",".join(["t"] * 100) + "]|join }}",
        LOOP.replace("BODY", "many|unique|list|tally"),
        LOOP.replace("BODY", "many|dictsort"),
        LOOP.replace("BODY", "(" + "+".join(["many"] * 3) + ")|length"),
        "{{ [many, many]|sum(start=[]) }}",
    ],
)
def test_an_expression_that_would_freeze_the_game_is_refused(source: str) -> None:
    begun = process_time()
    with pytest.raises((ExpressionError, Problem)):
        Expressions(environment({})).text(source).expression(SCOPE)
    assert process_time() - begun < 2


def test_a_value_has_room_for_an_evening_and_no_more() -> None:
    expressions = Expressions(environment({}))
    with pytest.raises(ExpressionError, match="texts become too long together"):
        expressions.native("[" + ",".join(["t"] * 60) + "]").expression(SCOPE)
    assert expressions.native("many | sum").expression(SCOPE) == 124_750
    assert expressions.native("2.345 | round(2)").expression(SCOPE) in (2.34, 2.35)
    assert expressions.text("{{ n ~ ' and ' ~ seats[0] }}").expression(SCOPE) == "3 and Ana"


def test_a_line_that_is_said_for_each_item_has_one_budget() -> None:
    expressions = Expressions(environment({}))
    text = expressions.text("{{ many|map('string')|join|length }}").expression
    many = expressions.native("many").expression
    with pytest.raises(ExpressionError, match="takes too long"):
        Joined(many, "x", text)(SCOPE)


def test_a_long_rule_can_be_read_aloud() -> None:
    rule = "Read this long rule aloud. " * 200
    found = compiled(steps(f"say: {rule}"))
    assert found.game is not None
    assert found.diagnostics == ()
    assert refused(steps(f"say: {'word ' * 2_100}")) == [("NS008", 7)]
