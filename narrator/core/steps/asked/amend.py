"""What was read back is put right in a sentence: "no, Cy points at Ben", "Cy and Dee are wrong"."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from narrator.core.expect import Expectation, Meaning
from narrator.core.game import Line
from narrator.core.steps.asked import answers
from narrator.core.steps.context import StepContext
from narrator.core.values import Value

if TYPE_CHECKING:
    from narrator.core.steps.asked.ask import Ask

RIGHT = f"{answers.OR}amended"
"""Intent of a sentence that gives the right answer."""
WRONG = f"{answers.OR}amiss"
"""Intent of a sentence that only says whose answers are wrong."""
WHOSE = "_wrong"
"""Variable with the seats whose answers are wrong."""
_KINDS = ("seat", "seats", "number", "letter", "choice", "points")


@dataclass(frozen=True, slots=True)
class Amends:
    """The question whose answers a yes or no confirms, and how they are read back."""

    question: Ask
    line: Line
    seat: str = ""
    """Variable with the seat that was asked, where each seat has an answer; empty: there is one."""


def expected(context: StepContext, amends: Amends) -> tuple[Expectation, ...]:
    """Expect the sentences by which an answer that was read back is put right."""
    question, found = amends.question, list[Expectation]()
    kind = question.kind
    if kind in _KINDS and not (amends.seat and kind == "points"):
        with _asked(context, amends, context.state.names()[0]):
            right = answers.of_question(context, question)
        found.append(
            Expectation(
                RIGHT,
                "sentence",
                choices=right.choices,
                allowed=right.allowed if kind == "points" else (),
                low=right.low,
                high=right.high,
                halves=right.halves,
                nobody=right.nobody,
                amends=f"each {kind}" if amends.seat else kind,
            )
        )
    if amends.seat:
        found.append(Expectation(WRONG, "sentence", amends="wrong"))
    return tuple(found)


def put_right(context: StepContext, amends: Amends, meaning: Meaning) -> bool:
    """Keep the right answer; return whether the rules allow it."""
    held = meaning.value if isinstance(meaning.value, dict) else {}
    question, who, value = amends.question, held.get("who"), held.get("right")
    told = context.state.variables.get(question.into)
    known = told if isinstance(told, dict) else {}
    if amends.seat and who not in known:
        return False
    if question.kind == "points" and isinstance(value, dict):
        value = {**known, **value}
    with _asked(context, amends, str(who)):
        if not answers.is_allowed(context, question, Meaning("answer", value)):
            return False
        context.state.remember(context.now, teller=str(who or ""))
        answers.keep(context, question, value)
    return True


def wrong_ones(context: StepContext, amends: Amends, meaning: Meaning) -> list[Value]:
    """Return those of the seats that were named as wrong whose answers were read back."""
    held = meaning.value if isinstance(meaning.value, dict) else {}
    told = context.state.variables.get(amends.question.into)
    named = held.get("wrong")
    return (
        [s for s in named if s in told]
        if isinstance(named, list) and isinstance(told, dict)
        else []
    )


@contextmanager
def _asked(context: StepContext, amends: Amends, who: str) -> Iterator[None]:
    """Let the question's expressions see the seat that they are about."""
    variables = context.state.variables
    before = dict(variables)
    if amends.seat:
        variables[amends.seat] = who
    try:
        yield
    finally:
        if amends.seat in before:
            variables[amends.seat] = before[amends.seat]
        else:
            variables.pop(amends.seat, None)
