"""What `ask` and `vote` share: the kinds of answer and their limits."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, cast

from narrator.core.expect import AnswerKind, Expectation
from narrator.core.game import Choice
from narrator.core.values import Constant, Expression, ExpressionError
from narrator.script.compiler.builder import Builder, slug
from narrator.script.compiler.phrases import shortest
from narrator.script.reading.nodes import Items, Scalar, Table

if TYPE_CHECKING:
    from narrator.script.steps.asked.ask import AskShape
    from narrator.script.steps.asked.vote import VoteShape

ANSWERS: dict[str, AnswerKind] = {
    "yes/no": "yesno",
    "number": "number",
    "seat": "seat",
    "seats": "seats",
    "letter": "letter",
    "points": "points",
    "free": "free",
}


MEANT = {
    "name": "seat", "player": "seat", "person": "seat", "who": "seat",
    "names": "seats", "players": "seats", "people": "seats",
    "yesno": "yes/no", "yes or no": "yes/no", "bool": "yes/no", "boolean": "yes/no",
    "int": "number", "integer": "number", "count": "number", "amount": "number",
    "score": "points", "scores": "points",
    "text": "free", "string": "free", "word": "free", "words": "free", "any": "free",
    "char": "letter", "character": "letter",
}  # fmt: skip
"""Words that mean a kind of answer, by what it is called."""


SLOTS = {"number": ("number",), "seat": ("seat",), "seats": ("seat",), "letter": ("letter",),
         "points": ("points",)}  # fmt: skip


OTHER_SLOTS = ("number", "seat", "letter", "points")


def expected(
    kind: AnswerKind,
    frames: tuple[str, ...],
    choices: tuple[Choice, ...],
    shape: AskShape | VoteShape,
) -> Expectation:
    """Return what is expected where this is asked, to be checked once all is compiled."""
    worded = tuple((choice.value, choice.phrases) for choice in choices)
    halves, nobody = shape.halves, shape.nobody
    return Expectation("answer", kind, frames, worded, halves=halves, nobody=nobody)


def way_out(
    b: Builder,
    shape: AskShape | VoteShape,
    choices: tuple[Choice, ...],
    kind: AnswerKind,
) -> None:
    """Report a question that nobody can answer."""
    if shape.among is not None and _is_empty(b, shape.among) and not shape.nobody:
        b.report.add("NS061", shape.at("among"), why="no answer is allowed",
                     cure="Give `among` a list, or leave it out.")  # fmt: skip
    if kind == "choice" and not choices:
        b.report.add("NS061", shape.at("answer"), why="there is no answer to choose",
                     cure="Give at least one answer.")  # fmt: skip


def _is_empty(b: Builder, among: Scalar | Items) -> bool:
    """Whether nothing can ever be in a list, as far as that can be seen before the game."""
    if b.bare(among) in ("[]", ""):
        return True
    try:
        value = b.reference(among)({})
    except ExpressionError:  # it depends on what happens in the game
        return False
    return value == []


def limits(
    b: Builder, shape: AskShape | VoteShape, kind: AnswerKind
) -> tuple[Expression, Expression]:
    """Compile the smallest and the largest number that is an answer."""
    least_of_all = -999 if kind == "points" else 0
    least, most = shape.exactly or shape.at_least, shape.exactly or shape.at_most
    low = b.reference(least) if least else Constant(least_of_all)
    high = b.reference(most) if most else Constant(999)
    try:
        lowest, highest = low({}), high({})
    except ExpressionError:  # known only when the game is played
        return low, high
    if isinstance(lowest, int) and isinstance(highest, int) and lowest > highest:
        what = f"No number is between {lowest} and {highest}"
        b.report.add("NS027", shape.at("at least"), what=what)
    return low, high


def answer_of(
    b: Builder, shape: AskShape | VoteShape, line: str
) -> tuple[AnswerKind, tuple[Choice, ...]]:
    """Compile the kind of answer, and the choices where it has some."""
    node = shape.answer
    if isinstance(node, Scalar):
        kind = ANSWERS.get(node.text.lower())
        if kind is None:
            b.report.add(
                "NS026",
                node.place,
                word=node.text,
                key="answer",
                near=(MEANT.get(node.text.lower(), node.text), ANSWERS),
            )
        return kind or "free", ()
    if isinstance(node, Items):
        words = [item for item in node if isinstance(item, Scalar)]
        return "choice", tuple(
            _choice(w.text, b.phrases(f"{line}/{slug(w.text)}", [w])) for w in words
        )
    choices = []
    for value, said in cast(Table, node).items():
        listed = said if isinstance(said, Items) else [said]
        words = [item for item in listed if isinstance(item, Scalar)]
        choices.append(_choice(value, b.phrases(f"{line}/{slug(value)}", words)))
    return "choice", tuple(choices)


def _choice(value: str, phrases: tuple[str, ...]) -> Choice:
    return Choice(value, phrases, shortest(phrases[0]) if phrases else "")


_INTO = re.compile(r"^(?P<name>[^\[\]]+?)\s*(?:\[(?P<key>.+)\])?$")


def target(b: Builder, scalar: Scalar) -> tuple[str, Expression | None]:
    """Compile where an answer goes: `name`, or `name[expression]`."""
    match = _INTO.match(scalar.text.strip())
    if not match:
        b.report.add("NS030", scalar.place, name=scalar.text, why="it should be name or name[key]")
        return "answer", None
    key = b.written(match["key"], scalar) if match["key"] else None
    return b.variable(Scalar(match["name"], scalar.place)), key
