"""`cue`: play a short sound."""

from __future__ import annotations

from typing import ClassVar

from narrator.core.game import Step
from narrator.core.steps.spoken.cue import CueStep
from narrator.script.compiler.builder import Builder
from narrator.script.reading.fields import Text
from narrator.script.steps.kind import StepShape, kind

CUES = ("listen", "understood", "again", "time")


class CueShape(StepShape):
    """Play a short sound."""

    verb: ClassVar[str] = "cue"
    cue: Text


def cue(b: Builder, shape: CueShape) -> list[Step]:
    """`cue: sound`."""
    word = shape.cue.text
    if word not in CUES:
        b.report.add("NS026", shape.cue.place, word=word, key="cue", near=(word, CUES))
    return [CueStep(b.name(shape), word)]


kind(CueShape, cue, makes=(CueStep,))
