"""What may be answered to a question, and whether an answer is one that the rules allow."""

from __future__ import annotations

from typing import TYPE_CHECKING

from narrator.core.expect import Expectation, Meaning
from narrator.core.steps.context import StepContext
from narrator.core.values import Value

if TYPE_CHECKING:
    from narrator.core.steps.asked.ask import Ask
    from narrator.core.steps.asked.timer import Early

OR = "or:"
"""What begins the intent of a sentence that may be said instead of the answer."""
_OF_SEATS = ("seat", "seats", "points")


def phrase(phrases: tuple[str, ...]) -> Expectation:
    """Expect one of a few phrases."""
    return Expectation("phrase", "phrase", templates=phrases)


def hands(context: StepContext) -> Expectation:
    """Expect a number of hands, at most one for each seat."""
    return Expectation("answer", "number", low=0, high=len(context.state.seats))


def of_question(context: StepContext, step: Ask) -> Expectation:
    """Expect what a question of the script asks for."""
    return Expectation(
        "answer",
        step.kind,
        templates=step.templates,
        choices=tuple((c.value, c.phrases) for c in step.choices),
        allowed=tuple(_allowed(context, step) or ()),
        low=context.whole(step.low, 0),
        high=context.whole(step.high, 999),
        halves=step.halves,
        nobody=step.nobody,
        as_said=step.as_said,
        undoable=step.undoable,
    )


def of_others(context: StepContext, step: Ask) -> tuple[Expectation, ...]:
    """Expect what may be said instead of the answer; points in it have the answer's limits."""
    points = step.kind == "points"
    low = context.whole(step.low, -999) if points else 0
    high = context.whole(step.high, 999) if points else 0
    return tuple(
        Expectation(f"{OR}{c.value}", "sentence", c.phrases, low=low, high=high, halves=step.halves)
        for c in step.others
    )


def of_early(early: Early) -> tuple[Expectation, ...]:
    """Expect the phrase that ends a timer early."""
    return (phrase(early.phrases),) if early.phrases else ()


def _allowed(context: StepContext, step: Ask) -> list[str] | None:
    if step.allowed is None:
        return context.state.names() if step.kind in _OF_SEATS else None
    return [str(item) for item in context.items(step.allowed)]


def impossible(context: StepContext, step: Ask) -> str:
    """Return why no answer can be right at this moment; empty where one can."""
    if step.others or step.within is not None:  # something else leads out of it
        return ""
    low, high = context.whole(step.low, 0), context.whole(step.high, 999)
    if step.kind in ("number", "points", "seats") and low > high:
        return f"no number is between {low} and {high}"
    allowed = _allowed(context, step)
    if step.nobody or allowed is None or step.kind not in (*_OF_SEATS, "letter"):
        return ""
    if step.kind == "seats" and len(allowed) < low:
        return f"{low} should be named, and only {len(allowed)} may be"
    return "" if allowed else "its `among` is empty"


def is_allowed(context: StepContext, step: Ask, meaning: Meaning) -> bool:
    """Whether an answer that was understood is one the rules allow."""
    value = meaning.value
    if step.kind == "number":
        low, high = context.whole(step.low, 0), context.whole(step.high, 999)
        return _is_number(step, value) and low <= float(str(value)) <= high
    if step.kind in ("seat", "seats") and value in (None, []):
        return step.nobody and isinstance(value, list) == (step.kind == "seats")
    if step.kind == "seats" and isinstance(value, list):
        fits = context.whole(step.low, 0) <= len(value) <= context.whole(step.high, 999)
        return fits and _is_among(_allowed(context, step), value)
    if step.kind == "points":
        return _are_points(context, step, value)
    return _is_of_kind(step, value) and _is_among(_allowed(context, step), value)


def keep(context: StepContext, step: Ask, value: Value) -> None:
    """Put an answer where the script wants it."""
    variables = context.state.variables
    variables.update(dict.fromkeys(step.slots))
    if step.key is None:
        variables[step.into] = value
        return
    held = variables.get(step.into)
    kept = dict(held) if isinstance(held, dict) else {}
    variables[step.into] = kept | {context.text(step.key): value}


def _are_points(context: StepContext, step: Ask, value: Value) -> bool:
    """Whether a value gives seats points, each within the limits."""
    if not isinstance(value, dict) or not (value or step.nobody):
        return False
    low, high = context.whole(step.low, -999), context.whole(step.high, 999)
    return _is_among(_allowed(context, step), list(value)) and all(
        _is_number(step, n) and low <= float(str(n)) <= high for n in value.values()
    )


def _is_number(step: Ask, value: Value) -> bool:
    """Whether a value is a whole number, or, where the script allows it, one with a half."""
    if isinstance(value, float):
        return step.halves and (2 * value).is_integer()
    return isinstance(value, int) and not isinstance(value, bool)


def _is_of_kind(step: Ask, value: Value) -> bool:
    """Whether a value is what this kind of question is answered with, so that a script can
    rely on what its variables hold.
    """
    if step.kind in ("seats", "names"):
        return isinstance(value, list)
    if step.kind == "yesno":
        return isinstance(value, bool)
    if step.kind == "free":
        return isinstance(value, str) and bool(value)
    if step.kind == "choice":
        return value in [choice.value for choice in step.choices]
    return isinstance(value, str)


def _is_among(allowed: list[str] | None, value: Value) -> bool:
    given: list[Value] = value if isinstance(value, list) else [value]
    return allowed is None or all(item in allowed for item in given)
