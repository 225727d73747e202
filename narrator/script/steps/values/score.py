"""`score`: apply a scoring."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import ClassVar

from pydantic import Field

from narrator.core.game import Scoring, Step
from narrator.core.steps.asked.ask import Ask
from narrator.core.steps.blocks.again import Again
from narrator.core.steps.blocks.branch import If
from narrator.core.steps.spoken.say import Say
from narrator.core.steps.values.score import Score
from narrator.script.compiler.builder import Builder
from narrator.script.reading.fields import Text
from narrator.script.reading.nodes import Scalar
from narrator.script.steps.kind import StepShape, kind

_BRACED = re.compile(r"\{\{(.*?)\}\}", re.DOTALL)
_NAMED = re.compile(r"\w+")


class ScoreShape(StepShape):
    """Apply a scoring."""

    verb: ClassVar[str] = "score"
    score: Text
    read_back: Text | None = Field(None, alias="read back")


def score(b: Builder, shape: ScoreShape) -> list[Step]:
    """`score: scoring`."""
    scoring = b.scorings.get(shape.score.text)
    if scoring is None:
        word = shape.score.text
        if word in b.report.dropped:
            return []
        b.report.add("NS052", shape.score.place, name=word, near=(word, b.scorings))
        # Whatever was meant would give something: one misspelt word is told of once.
        b.known |= {key for known in b.scorings.values() for key, _ in known.gives}
        return []
    for need in scoring.needs:
        if not need.optional and need.name not in b.known | b.maybe:
            b.report.add("NS054", shape.score.place, scoring=scoring.name, name=need.name)
    b.known |= {key for key, _ in scoring.gives}
    name = b.name(shape)
    if shape.read_back is None:
        return [Score(name, scoring)]
    return [*_agreed(b, shape.read_back, scoring, name), Score(name, scoring)]


def _agreed(b: Builder, read_back: Scalar, scoring: Scoring, name: str) -> list[Step]:
    """Say what a scoring comes to; where it is wrong, all that led to it is asked again."""
    worked = Score(b.claim(f"{name}-worked-out"), scoring, adds=False)
    line = replace(b.line(f"{name}/read-back", read_back), style="list")
    named = set(_NAMED.findall(" ".join(_BRACED.findall(read_back.text))))
    answered = (need.name for need in scoring.needs if need.name in named)
    told = (*answered, *(key for key, _ in scoring.gives))
    sure = Ask(b.claim(f"{name}-right"), b.own_line("is_that_right"), "yesno", "_right",
               confirms=told)  # fmt: skip
    with b.with_names("_right"):
        wrong = b.written("not _right", read_back)
    back = Again("again", b.around[-1][1])
    said = Say(b.claim(f"{name}-read-back"), line)
    return [worked, said, sure, If(b.claim(f"{name}-wrong"), wrong, (back,))]


kind(ScoreShape, score, makes=(Score,))
