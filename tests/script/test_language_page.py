"""Every example of the script language's own page compiles, without so much as a warning."""

from __future__ import annotations

import re
import textwrap
from pathlib import Path

import pytest

from narrator.script.compiler.compile import compile_script
from narrator.script.compiler.own_lines import OWN_LINES
from narrator.script.expressions.sandbox import PLAIN_FILTERS, environment
from narrator.script.reading.fields import VERBS
from narrator.script.steps.kind import KINDS

PAGE = (Path(__file__).parents[2] / "docs" / "script-language.md").read_text(encoding="utf-8")
WHOLE = re.findall(r"^```yaml\n(.*?)^```$", PAGE, re.DOTALL | re.MULTILINE)
STEPS = re.findall(r"^```yaml steps\n(.*?)^```$", PAGE, re.DOTALL | re.MULTILINE)
HEAD = "narrator: 1\ntitle: x\nplayers: {min: 3, max: 8}\nphases:\n  play:\n    steps:\n"

pytestmark = pytest.mark.unit


@pytest.mark.parametrize("text", [*WHOLE, *(HEAD + textwrap.indent(s, "      ") for s in STEPS)])
def test_examples_are_clean(text: str) -> None:
    compiled = compile_script(text)
    assert "\n".join(map(str, compiled.diagnostics)) == ""
    assert compiled.game is not None


def test_every_step_has_an_example() -> None:
    shown = "\n".join(WHOLE + STEPS)
    assert [
        v for v in VERBS if not re.search(rf"^\s*- {re.escape(v)}\b", shown, re.MULTILINE)
    ] == []
    assert {shape.verb for shape in KINDS} == set(VERBS)


def test_every_function_and_filter_is_listed() -> None:
    env = environment(OWN_LINES)
    words = set(re.findall(r"\w+", PAGE.split("## Expressions")[1]))
    assert set(env.globals) | set(env.filters) <= words
    assert set(PLAIN_FILTERS) <= set(env.filters)
