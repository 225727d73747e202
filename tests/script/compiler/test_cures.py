"""What authors bring with them from other languages is told with the cure that works here."""

from __future__ import annotations

import re

import pytest

from narrator.core.effects import Say, Show
from narrator.core.engine import Engine
from narrator.core.events import Start
from narrator.core.values import Seat
from narrator.script.compiler.compile import compile_script
from narrator.script.files.locales import load_locale
from narrator.testing.monkey import Monkeys

HEAD = (
    "narrator: 1\ntitle: T\nplayers: {min: 3, max: 5}\nphases:\n  play:\n    steps:\n"
    "      - set: {how many: 3, x: a, bank: {}}\n"
)
SEATS = [Seat(i, name) for i, name in enumerate(("Ana", "Ben", "Cy"), 1)]

pytestmark = pytest.mark.unit


def script(steps: str) -> str:
    return HEAD + "".join(f"      {line}\n" for line in steps.splitlines())


def told(steps: str) -> list[str]:
    found = compile_script(script(steps)).diagnostics
    return [f"{d.code} {d.message} {d.cure}" for d in found]


@pytest.mark.parametrize(
    ("steps", "code", "cure"),
    [
        ("- if: x = 'a'\n  then: [say: hi]", "NS040", "compared with `==`"),
        ("- if: x === 'a'\n  then: [say: hi]", "NS040", "compared with `==`"),
        ("- if: x <> 'a'\n  then: [say: hi]", "NS040", "Write `!=`."),
        ("- if: x == 'a' && n > 2\n  then: [say: hi]", "NS040", "Write `and`."),
        ('- if: "!x"\n  then: [say: hi]', "NS040", "Write `not`."),
        ("- if: x == 'a' AND n > 2\n  then: [say: hi]", "NS040", "in small letters"),
        ("- if: x == yes\n  then: [say: hi]", "NS041", "the condition alone"),
        ("- if: x == null\n  then: [say: hi]", "NS041", "`none`"),
        ('- say: "{{ if x }}yes{{ endif }}"', "NS040", "{% if x %}"),
        ("- say: \"{{ x ? 'a' : 'b' }}\"", "NS040", "one if x else other"),
        ('- say: "{{ n++ }}"', "NS040", "`set: {name: value}`"),
        ('- say: "{{ x }"', "NS040", "ends with `}}`"),
        ('- say: "Hello {x}."', "NS045", "Write {{ x }}."),
        ('- say: "You said {how many}."', "NS045", "Write {{ how many }}."),
        ('- say: "{{ len(seats) }}"', "NS042", "`x | length`"),
        ('- say: "{{ random(6) }}"', "NS042", "`roll`"),
        ("- set: {how many: how many + 1}", "NS045", '"{{ how many + 1 }}"'),
        ("- set: {bank[Ana]: 5}", "NS003", "put('Ana', 5)"),
        ("- set:\n    bank[Ana]: 5", "NS030", "put('Ana', 5)"),
        ("- for each: s in seats\n  steps: [say: a]", "NS030", "`in: seats`"),
        ("- ask: Who?\n  answer: name\n  into: who", "NS026", "`seat`"),
        ("- ask: Who?\n  answer: players\n  into: who", "NS026", "`seats`"),
        ("- ask: Ok?\n  answer: boolean\n  into: ok", "NS026", "`yes/no`"),
        ("- ask: What?\n  answer: text\n  into: word", "NS026", "`free`"),
        ("- print: hello", "NS023", "`say`"),
        ("- while: x\n  steps: [say: a]", "NS023", "`repeat`"),
        ("- goto: play", "NS023", "`again`"),
        ("- else:\n  - say: x", "NS023", "belongs to the step before"),
        ("- ask: Who?\n  answer: seat\n  among: []\n  into: w", "NS061", "Give `among` a list"),
        ('- ask: W?\n  answer: letter\n  among: "{{ letters(0) }}"\n  into: w', "NS061",
         "Give `among` a list"),
        ("- vote: v\n  ask: Who?\n  among: []", "NS061", "Give `among` a list"),
    ],
)  # fmt: skip
def test_a_habit_of_another_language_is_told_with_its_cure(
    steps: str, code: str, cure: str
) -> None:
    found = [line for line in told(steps) if line.startswith(code)]
    assert any(cure in line for line in found), told(steps)


@pytest.mark.parametrize(
    "steps",
    [
        "- set: {bank[Ana]: 5}",
        "- set:\n    bank[Ana]: 5",
        "- set: {bank[seats[0]]: n}",
    ],
)
def test_the_cure_for_one_entry_of_a_map_can_be_taken_as_it_is(steps: str) -> None:
    cure = told(steps)[0]
    written = re.search(r"set: (\{.+\})`?\.?$", cure)
    assert written, cure
    assert told(f"- set: {written[1]}") == []


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("You said {{ how many }}.", "You said 3."),
        ("{{ how many + 1 }} and {{ how  many }}", "4 and 3"),
        ("{% if how many > 2 %}Many{% endif %}, how many?", "Many, how many?"),
        ("{{ 'how many' }}", "how many"),
    ],
)
def test_names_in_expressions_may_have_their_spaces(text: str, said: str) -> None:
    compiled = compile_script(script(f'- say: "{text}"'))
    assert [str(d) for d in compiled.diagnostics] == []
    assert compiled.game is not None
    effects = Engine(compiled.game, SEATS).step(Start(), 0.0)
    assert [effect.text for effect in effects if isinstance(effect, Say)] == [said]


def test_conditions_and_counts_may_have_names_with_spaces() -> None:
    assert told("- if: how many > 3\n  then:\n    - say: hi") == []
    assert told("- repeat: how many + 1\n  steps:\n    - say: hi") == []


EMPTY = '- set: {left: "{{ seats | without(seats) }}"}\n'
ENDLESS = [
    f"{EMPTY}- ask: Who?\n  answer: seat\n  among: left\n  into: who",
    f"{EMPTY}- ask: Who?\n  answer: seats\n  among: left\n  into: who",
    "- ask: Who?\n  answer: seats\n  at least: n + 1\n  into: who",
    '- ask: How many?\n  answer: number\n  at least: n\n  at most: "{{ n - 1 }}"\n  into: y',
    f'{EMPTY}- vote: v\n  ask: "{{{{ seat }}}}?"\n  among: left',
]
"""Questions that nobody can answer, which shows only while the game is played."""


@pytest.mark.parametrize("steps", ENDLESS)
def test_a_question_that_nobody_can_answer_is_told_and_passed_over(steps: str) -> None:
    game = compile_script(script(f"{steps}\n- say: On we go.")).game
    assert game is not None
    effects = Engine(game, SEATS).step(Start(), 0.0)
    shown = [effect.text for effect in effects if isinstance(effect, Show)]
    assert any("nobody can answer this" in text for text in shown), shown
    assert any(isinstance(effect, Say) and effect.text == "On we go." for effect in effects)
    faults = [f for seed in range(3) for f in Monkeys(game, load_locale("en")).run(seed).faults]
    assert any("nobody can answer this" in fault for fault in faults)
