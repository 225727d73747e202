"""`ask`: a question, answered into a variable, or by one of a few phrases."""

from __future__ import annotations

from typing import Any, ClassVar

from pydantic import Field

from narrator.core.expect import Expectation
from narrator.core.game import Choice, Step
from narrator.core.steps.asked.amend import Amends
from narrator.core.steps.asked.ask import Ask
from narrator.core.steps.blocks.repeat import Repeat
from narrator.core.steps.spoken.say import Say
from narrator.core.values import Expression
from narrator.language.grammar.templates import slots_of
from narrator.script.compiler.builder import Builder, slug
from narrator.script.compiler.styles import in_style, read_back
from narrator.script.reading.fields import Several, Text, Texts, Truth
from narrator.script.reading.nodes import Scalar
from narrator.script.steps.asked.questions import (
    OTHER_SLOTS,
    SLOTS,
    answer_of,
    expected,
    limits,
    target,
    way_out,
)
from narrator.script.steps.asked.wording import heard, nudged
from narrator.script.steps.kind import NudgeShape, StepShape, kind


class AskShape(StepShape):
    """Ask a question; the answer goes into a variable, or is one of a few phrases."""

    verb: ClassVar[str] = "ask"
    ask: Text
    style: Text | None = None
    hear: Texts | None = None
    into: Text | None = None
    answer: Any = None
    whose: Text | None = Field(None, alias="from")
    among: Several | None = None
    refuse: Text | None = None
    at_least: Text | None = Field(None, alias="at least")
    at_most: Text | None = Field(None, alias="at most")
    exactly: Text | None = None
    halves: Truth = False
    nobody: Truth = False
    others: dict[str, Texts] | None = Field(None, alias="or")
    read_back: Text | None = Field(None, alias="read back")
    final: Truth = False
    not_before: Text | None = Field(None, alias="not before")
    within: Text | None = None
    every: Text | None = None
    nudge: NudgeShape | None = None


def ask(b: Builder, shape: AskShape) -> list[Step]:
    """`ask: question`, answered into a variable, or by one of a few phrases."""
    name = b.name(shape)
    if shape.answer is None:
        return _phrase_question(b, shape, name)
    if shape.into is None:
        b.report.add("NS021", shape.place, key="into")
        return []
    if shape.read_back is None:
        return [_question(b, shape, shape.into, name, name)]
    question = _question(b, shape, shape.into, "ask", f"{name}/ask")
    line = read_back(b.line(f"{name}/read-back", shape.read_back))
    right = b.own_line("is_that_right")
    sure = Ask(
        "right", right, "yesno", "_right", seat=question.seat, confirms=(question.into,),
        amends=Amends(question, line),
    )  # fmt: skip
    steps = (question, Say("read-back", line), sure)
    return [Repeat(name, steps, until=_is("_right", b, shape.read_back))]


def _is(name: str, b: Builder, scalar: Scalar) -> Expression:
    with b.with_names(name):
        return b.written(name, scalar)


def _phrase_question(b: Builder, shape: AskShape, name: str) -> list[Step]:
    if shape.hear is None:
        b.report.add("NS021", shape.place, key="answer",
                     cure="Add `answer:` and `into:`, or `hear:` and phrases.")  # fmt: skip
        return []
    line = in_style(b, b.line(name, shape.ask, "question"), shape.style)
    return [Say(b.claim(f"{name}-ask"), line), heard(b, shape, shape.hear, name)]


def _question(b: Builder, shape: AskShape, goes: Scalar, step: str, line: str) -> Ask:
    kind, choices = answer_of(b, shape, line)
    spoken = in_style(b, b.line(line, shape.ask, "question"), shape.style)
    seat = b.reference(shape.whose) if shape.whose else None
    allowed = b.reference(shape.among) if shape.among is not None else None
    refuse = b.line(f"{line}/refuse", shape.refuse, "question") if shape.refuse else None
    low, high = limits(b, shape, kind)
    way_out(b, shape, choices, kind)
    nudge = nudged(b, shape.nudge, line)
    frames = b.phrases(f"{line}/hear", shape.hear or [], SLOTS.get(kind, ()))
    b.expects(shape.at("answer"), expected(kind, frames, choices, shape))
    into, key = target(b, goes)
    others, slots = _others(b, shape, line)
    return Ask(
        step, spoken, kind, into, key, seat, allowed, refuse, low, high, choices, frames,
        halves=shape.halves, nobody=shape.nobody, undoable=not shape.final, nudge=nudge,
        not_before=b.duration(shape.not_before),
        within=b.duration(shape.within) if shape.within else None,
        others=others, slots=slots,
        every=b.variable(shape.every) if shape.every else "",
    )  # fmt: skip


def _others(b: Builder, shape: AskShape, line: str) -> tuple[tuple[Choice, ...], tuple[str, ...]]:
    """Compile what may be said instead of the answer; its slots become variables."""
    others: list[Choice] = []
    slots: dict[str, None] = {}
    for word, said in (shape.others or {}).items():
        templates = b.phrases(f"{line}/or/{slug(word)}", said, OTHER_SLOTS)
        holes = [hole.slot_name for template in templates for hole in slots_of(template)]
        slots |= {b.variable(Scalar(hole, said[0].place)): None for hole in holes}
        if not holes and templates:
            b.expects(shape.at("or"), Expectation("answer", "choice", choices=((word, templates),)))
        others.append(Choice(word, templates))
    return tuple(others), tuple(slots)


kind(AskShape, ask, makes=(Ask,))
