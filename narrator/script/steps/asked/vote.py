"""`vote`: the countdown, each answer in turn, reading back, correction."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, ClassVar

from pydantic import Field

from narrator.core.expect import AnswerKind
from narrator.core.game import Choice, Line, Step
from narrator.core.steps.asked.amend import WHOSE, Amends
from narrator.core.steps.asked.ask import Ask
from narrator.core.steps.blocks.branch import If
from narrator.core.steps.blocks.for_each import ForEach
from narrator.core.steps.blocks.repeat import Repeat
from narrator.core.steps.spoken.say import Say
from narrator.core.steps.values.set import Set
from narrator.core.values import Constant, Expression
from narrator.script.compiler.builder import Builder, slug
from narrator.script.expressions.compiled import Joined
from narrator.script.reading.fields import Several, Text, Texts, Truth
from narrator.script.reading.nodes import Scalar
from narrator.script.steps.asked.questions import answer_of, expected, limits, way_out
from narrator.script.steps.asked.wording import nudged
from narrator.script.steps.blocks.for_each import voters_of
from narrator.script.steps.kind import NudgeShape, StepShape, kind
from narrator.script.steps.spoken.countdown import counted


class VoteShape(StepShape):
    """Everybody points at once, then each is asked."""

    verb: ClassVar[str] = "vote"
    vote: Text
    answer: Any = None
    at_least: Text | None = Field(None, alias="at least")
    at_most: Text | None = Field(None, alias="at most")
    exactly: Text | None = None
    say: Text | None = None
    countdown: Texts | None = None
    beat: Text | None = None
    begin: Text | None = Field(None, alias="from")
    voters: Several | None = Field(None, alias="in")
    ask: Text
    among: Several | None = None
    refuse: Text | None = None
    halves: Truth = False
    nobody: Truth = False
    echo: Text | None = None
    read_back: Text | None = Field(None, alias="read back")
    nudge: NudgeShape | None = None


def vote(b: Builder, shape: VoteShape) -> list[Step]:
    """`vote: variable`: the countdown, each answer in turn, reading back, correction."""
    name = b.name(shape) if shape.id else b.claim(_free(b, shape.vote.text))
    steps: list[Step] = []
    if shape.say:
        steps.append(Say(b.claim(f"{name}-say"), b.line(f"{name}/say", shape.say)))
    if shape.countdown:
        steps.append(counted(b, b.claim(f"{name}-countdown"), shape.countdown, shape.beat))
    voters = voters_of(b, shape.begin, shape.voters, shape.ask)
    into = b.variable(shape.vote)
    steps.append(Set(b.claim(f"{name}-none"), ((into, Constant({})),)))
    with b.with_names("seat"):
        question = _vote_question(b, shape, into, name)
        echo = b.line(f"{name}/echo", shape.echo) if shape.echo else None
        told = (Say("echo", echo),) if echo else ()
        steps.append(ForEach(name, "seat", voters, (question, *told)))
        if shape.read_back:
            check = b.claim(f"{name}-check")
            steps.append(_checked(b, shape.read_back, question, voters, check))
    return steps


def _free(b: Builder, text: str) -> str:
    name = slug(text) or "vote"
    return name if name not in b.taken[-1] else b.fresh(name)


def _vote_question(b: Builder, shape: VoteShape, into: str, name: str) -> Ask:
    line = b.line(f"{name}/ask", shape.ask, "question")
    refuse = b.line(f"{name}/refuse", shape.refuse, "question") if shape.refuse else None
    allowed = b.reference(shape.among) if shape.among is not None else None
    seat = b.written("seat", shape.ask)
    kind, choices = _vote_answer(b, shape, name)
    low, high = limits(b, shape, kind)
    way_out(b, shape, choices, kind)
    b.expects(shape.at("ask"), expected(kind, (), choices, shape))
    return Ask(
        "ask", line, kind, into, seat, seat, allowed, refuse, low, high, choices,
        halves=shape.halves, nobody=shape.nobody, nudge=nudged(b, shape.nudge, name),
    )  # fmt: skip


def _vote_answer(b: Builder, shape: VoteShape, name: str) -> tuple[AnswerKind, tuple[Choice, ...]]:
    return ("seat", ()) if shape.answer is None else answer_of(b, shape, f"{name}/ask")


def _checked(b: Builder, read_back: Scalar, question: Ask, voters: Expression, name: str) -> Repeat:
    """Read the whole vote back and have it confirmed; where it is wrong, ask that seat again."""
    ident = f"{b.lines_at}/{name}"
    each = b.spoken(ident, read_back)
    line = Line(ident, Joined(voters, "seat", each), place=read_back.place, style="list")
    with b.with_names("_right", "_wrong"):
        right = b.written("_right", read_back)
        wrong = b.written("not _right", read_back)
        whose = b.written("([_wrong] if _wrong is string else _wrong) if _wrong else []", read_back)
    sure = Ask(
        "right", b.own_line("is_that_right"), "yesno", "_right", confirms=(question.into,),
        amends=Amends(question, line, "seat"), slots=(WHOSE,),
    )  # fmt: skip
    asked = b.own_line(f"whose_{'vote' if question.kind == 'seat' else 'answer'}_is_wrong")
    which = Ask("whose", asked, "seat", WHOSE, allowed=voters, nobody=True, unless=WHOSE)
    again = ForEach("corrected", "seat", whose, (replace(question, name="ask-again"),))
    steps = (Say("read-back", line), sure, If("wrong", wrong, (which, again)))
    return Repeat(name, steps, until=right)


kind(VoteShape, vote, makes=())
