"""What `hear` and `ask` share: phrases and reminders."""

from __future__ import annotations

from typing import Any

from narrator.core.expect import Expectation
from narrator.core.game import Nudge
from narrator.core.steps.asked.hear import Hear
from narrator.script.compiler.builder import Builder
from narrator.script.reading.nodes import Scalar
from narrator.script.steps.kind import NudgeShape


def heard(b: Builder, shape: Any, words: list[Scalar], name: str) -> Hear:
    """Compile phrases that are waited for, be it after a question."""
    if not words:
        b.report.add("NS061", shape.place, why="no phrase is given that would do",
                     cure="Give at least one phrase to `hear`.")  # fmt: skip
    seat = b.reference(shape.whose) if shape.whose else None
    not_before = b.duration(shape.not_before)
    said = b.phrases(name, words)
    b.expects(shape.at("hear"), Expectation("phrase", "phrase", said))
    return Hear(name, said, seat, not_before, nudged(b, shape.nudge, name))


def nudged(b: Builder, shape: NudgeShape | None, name: str) -> Nudge | None:
    """Compile a reminder."""
    if shape is None:
        return None
    every = b.duration(shape.every)
    return Nudge(b.duration(shape.after), every, b.line(f"{name}/nudge", shape.say, "chatter"))
