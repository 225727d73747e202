"""Every example of the script language's own page compiles, without so much as a warning."""

from __future__ import annotations

import re
import textwrap
from pathlib import Path

import pytest

from narrator.core import state
from narrator.core.steps.blocks import flow
from narrator.core.steps.values import roll
from narrator.script.compiler import builder, declarations, phrases
from narrator.script.compiler.compile import compile_script
from narrator.script.compiler.own_lines import OWN_LINES
from narrator.script.diagnostics import report
from narrator.script.expressions import compiled, duration, meter, sandbox
from narrator.script.expressions.sandbox import PLAIN_FILTERS, environment
from narrator.script.reading import nodes
from narrator.script.reading.fields import VERBS
from narrator.script.steps.blocks import part, repeat
from narrator.script.steps.kind import KINDS
from narrator.script.steps.values import draw

PAGE = (Path(__file__).parents[2] / "docs" / "script-language.md").read_text(encoding="utf-8")
WHOLE = re.findall(r"^```yaml\n(.*?)^```$", PAGE, re.DOTALL | re.MULTILINE)
STEPS = re.findall(r"^```yaml steps\n(.*?)^```$", PAGE, re.DOTALL | re.MULTILINE)
HEAD = "narrator: 1\ntitle: x\nplayers: {min: 3, max: 8}\nphases:\n  play:\n    steps:\n"

LIMITS = {
    "letters of a script's file": nodes.LONGEST,
    "keys, values and lists of a file": nodes.MOST_NODES,
    "levels of lists and maps within one another": nodes.DEEPEST,
    "faults that are told of one file": report.MOST,
    "players": declarations.MOST_PLAYERS,
    "steps, with all parts put in": builder.MOST_STEPS,
    "times that a part calls itself": part.DEEPEST,
    "times that `repeat` runs, where the number is written out": repeat.MOST_RUNS,
    "ways to say all phrases together": phrases.MOST_WAYS,
    "letters of one text": sandbox.LONGEST_TEXT,
    "letters of one text with expressions in it, as written": compiled.LONGEST,
    "pieces of one expression": compiled.MOST_NODES,
    "work of one evaluation: values that are touched": meter.MOST_WORK,
    "entries of a list or `range` in an expression": sandbox.LONGEST_LIST,
    "values in one variable, with all it holds": sandbox.MOST_VALUES,
    "letters in one variable, with all it holds": sandbox.MOST_LETTERS,
    "largest number": sandbox.LARGEST_NUMBER,
    "seconds of a wait, timer or other length of time": duration.LONGEST,
    "sides of a die": roll.SIDES[1],
    "dice in one roll": roll.DICE[1],
    "things drawn at once": draw.MOST,
    "steps without anything said, asked or waited for, until a script is held to run in circles":
        flow.MOST_STEPS,
    "answers that can be taken back by undo": state.UNDO_LEVELS,
}  # fmt: skip
"""What the page calls each limit, and where it stands."""
LIMITED = {
    "repeat": (repeat.MOST_RUNS, "- repeat: NUMBER\n  steps:\n    - say: a\n"),
    "sides": (roll.SIDES[1], "- roll: die\n  sides: NUMBER\n"),
    "dice": (roll.DICE[1], "- roll: die\n  dice: NUMBER\n"),
    "drawn": (draw.MOST, "- draw: card\n  from: [a, b]\n  count: NUMBER\n"),
    "seconds": (int(duration.LONGEST), "- wait: NUMBER\n"),
}
"""Limits that a number in a step can reach."""

pytestmark = pytest.mark.unit


@pytest.mark.parametrize("text", [*WHOLE, *(HEAD + textwrap.indent(s, "      ") for s in STEPS)])
def test_examples_are_clean(text: str) -> None:
    made = compile_script(text)
    assert "\n".join(map(str, made.diagnostics)) == ""
    assert made.game is not None


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


def test_the_limits_are_those_of_the_code() -> None:
    section = PAGE.split("## Limits")[1]
    told = dict(re.findall(r"^\| (.+?) \| ([\d,]+) \|$", section, re.MULTILINE))
    assert {what: int(number.replace(",", "")) for what, number in told.items()} == LIMITS


@pytest.mark.parametrize(("most", "step"), LIMITED.values(), ids=LIMITED)
def test_a_limit_is_where_the_page_says(most: int, step: str) -> None:
    """What is just within is taken, and one more is refused."""
    for number, fits in ((most, True), (most + 1, False)):
        text = HEAD + textwrap.indent(step.replace("NUMBER", str(number)), "      ")
        assert (compile_script(text).game is not None) == fits, number


@pytest.mark.parametrize("step", [step for _, step in LIMITED.values()])
@pytest.mark.parametrize("number", ["9" * 5_000, "-1", "٣" * 20])
def test_a_number_out_of_all_bounds_is_a_diagnostic(step: str, number: str) -> None:
    text = HEAD + textwrap.indent(step.replace("NUMBER", number), "      ")
    assert [d for d in compile_script(text).diagnostics if d.severity == "error"]
