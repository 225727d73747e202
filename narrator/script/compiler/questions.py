"""Compiling `hear`, `ask` and `vote`."""

from __future__ import annotations

from dataclasses import replace
from typing import cast

from narrator.core.expect import AnswerKind, Expectation
from narrator.core.game import Choice, Line, Step
from narrator.core.steps.asked.ask import Ask
from narrator.core.steps.asked.hear import Hear
from narrator.core.steps.blocks.branch import If
from narrator.core.steps.blocks.for_each import ForEach
from narrator.core.steps.blocks.repeat import Repeat
from narrator.core.steps.spoken.say import Say
from narrator.core.steps.values.set import Set
from narrator.core.values import Constant, Expression, ExpressionError
from narrator.language.grammar.templates import slots_of
from narrator.script.compiler.builder import Builder, handles, slug
from narrator.script.compiler.steps import counted, nudged, target
from narrator.script.expressions.compiled import Joined
from narrator.script.reading.models import AskShape, HearShape, VoteShape
from narrator.script.reading.nodes import Items, Scalar, Table

ANSWERS: dict[str, AnswerKind] = {
    "yes/no": "yesno",
    "number": "number",
    "seat": "seat",
    "seats": "seats",
    "letter": "letter",
    "points": "points",
    "free": "free",
}
SLOTS = {"number": ("number",), "seat": ("seat",), "seats": ("seat",), "letter": ("letter",),
         "points": ("points",)}  # fmt: skip
OTHER_SLOTS = ("number", "seat", "letter", "points")


@handles(HearShape)
def hear(b: Builder, shape: HearShape) -> list[Step]:
    """`hear: [phrases]`."""
    name = b.name(shape)
    return [_heard(b, shape, shape.hear, name)]


def _heard(b: Builder, shape: HearShape | AskShape, words: list[Scalar], name: str) -> Hear:
    if not words:
        b.report.add("NS061", shape.place, why="no phrase is given that would do",
                     cure="Give at least one phrase to `hear`.")  # fmt: skip
    seat = b.reference(shape.whose) if shape.whose else None
    not_before = b.duration(shape.not_before)
    said = b.phrases(name, words)
    b.expects(shape.at("hear"), Expectation("phrase", "phrase", said))
    return Hear(name, said, seat, not_before, nudged(b, shape.nudge, name))


@handles(AskShape)
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
    line = b.line(f"{name}/read-back", shape.read_back)
    right = b.own_line("is_that_right")
    sure = Ask("right", right, "yesno", "_right", seat=question.seat, confirms=(question.into,))
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
    question = Say(b.claim(f"{name}-ask"), b.line(name, shape.ask, "question"))
    return [question, _heard(b, shape, shape.hear, name)]


def _question(b: Builder, shape: AskShape, goes: Scalar, step: str, line: str) -> Ask:
    kind, choices = _answer(b, shape, line)
    spoken = b.line(line, shape.ask, "question")
    seat = b.reference(shape.whose) if shape.whose else None
    allowed = b.reference(shape.among) if shape.among is not None else None
    refuse = b.line(f"{line}/refuse", shape.refuse, "question") if shape.refuse else None
    low, high = _limits(b, shape, kind)
    _way_out(b, shape, choices, kind)
    nudge = nudged(b, shape.nudge, line)
    frames = b.phrases(f"{line}/hear", shape.hear or [], SLOTS.get(kind, ()))
    b.expects(shape.at("answer"), _expected(kind, frames, choices, shape))
    into, key = target(b, goes)
    others, slots = _others(b, shape, line)
    return Ask(
        step, spoken, kind, into, key, seat, allowed, refuse, low, high, choices, frames,
        halves=shape.halves, nobody=shape.nobody, undoable=not shape.final, nudge=nudge,
        not_before=b.duration(shape.not_before),
        within=b.duration(shape.within) if shape.within else None,
        others=others, slots=slots,
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


def _expected(
    kind: AnswerKind,
    frames: tuple[str, ...],
    choices: tuple[Choice, ...],
    shape: AskShape | VoteShape,
) -> Expectation:
    worded = tuple((choice.value, choice.phrases) for choice in choices)
    halves, nobody = shape.halves, shape.nobody
    return Expectation("answer", kind, frames, worded, halves=halves, nobody=nobody)


def _way_out(
    b: Builder,
    shape: AskShape | VoteShape,
    choices: tuple[Choice, ...],
    kind: AnswerKind,
) -> None:
    if shape.among is not None and b.bare(shape.among) in ("[]", "") and not shape.nobody:
        b.report.add("NS061", shape.at("among"), why="no answer is allowed",
                     cure="Give `among` a list, or leave it out.")  # fmt: skip
    if kind == "choice" and not choices:
        b.report.add("NS061", shape.at("answer"), why="there is no answer to choose",
                     cure="Give at least one answer.")  # fmt: skip


def _limits(
    b: Builder, shape: AskShape | VoteShape, kind: AnswerKind
) -> tuple[Expression, Expression]:
    least_of_all = -999 if kind == "points" else 0
    low = b.reference(shape.at_least) if shape.at_least else Constant(least_of_all)
    high = b.reference(shape.at_most) if shape.at_most else Constant(999)
    try:
        least, most = low({}), high({})
    except ExpressionError:  # known only when the game is played
        return low, high
    if isinstance(least, int) and isinstance(most, int) and least > most:
        b.report.add("NS027", shape.at("at least"), what=f"No number is between {least} and {most}")
    return low, high


def _answer(
    b: Builder, shape: AskShape | VoteShape, line: str
) -> tuple[AnswerKind, tuple[Choice, ...]]:
    node = shape.answer
    if isinstance(node, Scalar):
        kind = ANSWERS.get(node.text.lower())
        if kind is None:
            b.report.add(
                "NS026", node.place, word=node.text, key="answer", near=(node.text, ANSWERS)
            )
        return kind or "free", ()
    if isinstance(node, Items):
        words = [item for item in node if isinstance(item, Scalar)]
        return "choice", tuple(
            Choice(w.text, b.phrases(f"{line}/{slug(w.text)}", [w])) for w in words
        )
    choices = []
    for value, said in cast(Table, node).items():
        listed = said if isinstance(said, Items) else [said]
        words = [item for item in listed if isinstance(item, Scalar)]
        choices.append(Choice(value, b.phrases(f"{line}/{slug(value)}", words)))
    return "choice", tuple(choices)


@handles(VoteShape)
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


def voters_of(
    b: Builder, begin: Scalar | None, among: Scalar | Items | None, at: Scalar
) -> Expression:
    """Return who takes turns: all seats, clockwise from one of them, or those of a list."""
    if begin is None:
        return b.written("seats", at) if among is None else b.reference(among)
    around = f"circle({b.bare(begin)})"
    if among is None:
        return b.written(around, begin)
    return b.written(f"{around} | only({b.bare(among)})", begin)


def _vote_question(b: Builder, shape: VoteShape, into: str, name: str) -> Ask:
    line = b.line(f"{name}/ask", shape.ask, "question")
    refuse = b.line(f"{name}/refuse", shape.refuse, "question") if shape.refuse else None
    allowed = b.reference(shape.among) if shape.among is not None else None
    seat = b.written("seat", shape.ask)
    kind, choices = _vote_answer(b, shape, name)
    low, high = _limits(b, shape, kind)
    _way_out(b, shape, choices, kind)
    b.expects(shape.at("ask"), _expected(kind, (), choices, shape))
    return Ask(
        "ask", line, kind, into, seat, seat, allowed, refuse, low, high, choices,
        halves=shape.halves, nobody=shape.nobody, nudge=nudged(b, shape.nudge, name),
    )  # fmt: skip


def _vote_answer(b: Builder, shape: VoteShape, name: str) -> tuple[AnswerKind, tuple[Choice, ...]]:
    return ("seat", ()) if shape.answer is None else _answer(b, shape, f"{name}/ask")


def _checked(b: Builder, read_back: Scalar, question: Ask, voters: Expression, name: str) -> Repeat:
    """Read the whole vote back and have it confirmed; where it is wrong, ask that seat again."""
    ident = f"{b.lines_at}/{name}"
    each = b.spoken(ident, read_back)
    line = Line(ident, Joined(voters, "seat", each), place=read_back.place)
    with b.with_names("_right", "_wrong"):
        right = b.written("_right", read_back)
        wrong = b.written("not _right", read_back)
        whose = b.written("[_wrong] if _wrong else []", read_back)
    sure = Ask("right", b.own_line("is_that_right"), "yesno", "_right", confirms=(question.into,))
    asked = b.own_line(f"whose_{'vote' if question.kind == 'seat' else 'answer'}_is_wrong")
    which = Ask("whose", asked, "seat", "_wrong", allowed=voters, nobody=True)
    again = ForEach("corrected", "seat", whose, (replace(question, name="ask-again"),))
    steps = (Say("read-back", line), sure, If("wrong", wrong, (which, again)))
    return Repeat(name, steps, until=right)
