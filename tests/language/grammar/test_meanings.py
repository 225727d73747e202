from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from ruamel.yaml import YAML

from narrator.core.expect import Meaning
from tests.language.tables import grammar

pytestmark = pytest.mark.unit

_TABLE = YAML(typ="safe").load(Path(__file__).with_name("meanings.yaml").read_text("utf-8"))
_ROWS = [
    pytest.param(block["live"], text, value, id=f"{block['live']}-{text or 'nothing'}")
    for block in _TABLE
    for text, value in block["rows"].items()
]


def _expected(value: Any) -> tuple[Meaning, ...]:
    match value:
        case None:
            return ()
        case {"several": values}:
            return tuple(Meaning("answer", str(v)) for v in values)
        case {"command": name}:
            return (Meaning(f"command:{name}", value.get("amount")),)
        case {"phrase": words}:
            return (Meaning("done", words),)
        case {"value": None}:
            return (Meaning("answer", None),)
    return (Meaning("answer", value),)


def test_the_table_is_long_enough_to_mean_something() -> None:
    assert len(_ROWS) >= 150


@pytest.mark.parametrize(("live", "text", "value"), _ROWS)
def test_text_means(live: str, text: str, value: Any) -> None:
    meanings = grammar(live).interpret(text).meanings
    assert meanings == _expected(value)
    assert [type(m.value) for m in meanings] == [type(m.value) for m in _expected(value)]


# Free speech and long numbers in digits are no part of an automaton.
_HEARABLE = [row for row in _ROWS if row.values[0] != "free" and row.values[1] != "3,450"]


@pytest.mark.parametrize(("live", "text", "value"), _HEARABLE)
def test_exactly_what_is_understood_could_have_been_heard(live: str, text: str, value: Any) -> None:
    made = grammar(live)
    assert made.automaton.accepts(made.interpret(text).text) == (value is not None)


def test_one_meaning_is_the_meaning_and_several_are_ambiguous() -> None:
    assert grammar("seat").interpret("ben").meaning == Meaning("answer", "Ben")
    both = grammar("seat").interpret("ben or cy")
    assert both.is_ambiguous
    assert both.meaning is None
