"""Part `fit`: misses against false accepts, for every threshold that might be shipped."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np

from narrator.app.wiring.engines import recogniser_named
from narrator.core.expect import AnswerKind
from narrator.ports.recognition import Recogniser
from tools.hearing.answers import Said, everything
from tools.hearing.places import STEPS, Heard
from tools.hearing.store import Store, per_cent, table

SCORES = np.round(np.arange(-1.6, 1.01, 0.1), 2)
MARGINS = np.round(np.arange(0.0, 2.51, 0.1), 2)
BARS = (0.02, 0.05, 0.1, 0.2, 0.3, 0.5)
"""Shares of answers asked again for which the best pair is shown."""


class Point(NamedTuple):
    """What a pair of thresholds does."""

    score: float
    margin: float
    refused: int
    """Answers heard right that are not accepted."""
    wrong: int
    """Answers taken for another one."""
    words: int
    """Single words that are no answer, accepted as one."""
    talk: int
    """Sentences of talk accepted as an answer."""
    noise: int


class Group(NamedTuple):
    """First hypotheses of one kind, by what they are."""

    right: Sequence[Heard]
    wrong: Sequence[Heard]
    words: Sequence[Heard]
    talk: Sequence[Heard]
    noise: Sequence[Heard]


def measure(recogniser: Recogniser, store: Store) -> None:
    """Print, by kind of answer, the thresholds as they are and the curve they lie on."""
    said = list(everything(recogniser, store))
    print(
        "Answers (synthetic in quiet and in babble at 10 dB; real ones in quiet) that were heard "
        "right and refused, against everything that was wrongly accepted. A row for each share of "
        "refused ones: the pair that lets least through; and the pairs that are shipped.\n"
    )
    for kind in STEPS:
        group = grouped(said, kind)
        print(f"{kind}: {_counts(group)}\n")
        head = ("", "score", "margin", "right ones refused", "wrong accepted", "words accepted",
                "talk accepted", "noise accepted")  # fmt: skip
        table(head, _rows(group, recogniser.name, kind))


def grouped(said: Iterable[Said], kind: AnswerKind) -> Group:
    """Sort what was heard as this kind of answer, wherever it was said."""
    parts: dict[str, list[Heard]] = {name: [] for name in Group._fields}
    for one in said:
        first = one.first
        if first is None or not first.intent or first.kind != kind:
            continue
        name = one.source
        if one.wanted[0]:
            name = "right" if (first.intent, first.value) == one.wanted else "wrong"
        parts[name].append(first)
    return Group(**parts)


def at(group: Group, score: float, margin: float) -> Point:
    """Return what a pair of thresholds does."""

    def passed(heard: Sequence[Heard]) -> int:
        return sum(h.score >= score and h.margin >= margin for h in heard)

    return Point(
        score, margin, len(group.right) - passed(group.right), passed(group.wrong),
        passed(group.words), passed(group.talk), passed(group.noise),
    )  # fmt: skip


def _rows(group: Group, engine: str, kind: AnswerKind) -> Iterable[tuple[object, ...]]:
    points = [at(group, float(s), float(m)) for s in SCORES for m in MARGINS]
    for share in BARS:
        some = [p for p in points if p.refused <= share * len(group.right)]
        best = min(
            some, key=lambda p: (p.wrong + p.noise, p.words + p.talk, p.refused), default=None
        )
        if best is not None:
            yield (f"at most {100 * share:.0f} %", *_cells(best, group))
    for undoable in (True, False):
        thresholds = recogniser_named(engine).traits.thresholds
        if thresholds is not None:
            now = thresholds.of(kind, undoable=undoable)
            name = "shipped" if undoable else "shipped, for what cannot be undone"
            yield (name, *_cells(at(group, now.score, now.margin), group))


def _cells(point: Point, group: Group) -> tuple[object, ...]:
    return (
        f"{point.score:.2f}", f"{point.margin:.2f}", per_cent(point.refused, len(group.right)),
        point.wrong, per_cent(point.words, len(group.words)),
        per_cent(point.talk, len(group.talk)), point.noise,
    )  # fmt: skip


def _counts(group: Group) -> str:
    told = zip(("heard right", "heard as another answer", "other words", "sentences of talk",
                "noises"), group, strict=True)  # fmt: skip
    return ", ".join(f"{len(heard)} {name}" for name, heard in told)
