"""Whether what an engine made of a sound was meant for the narrator at all.

A closed grammar forces every sound onto its words, so a text alone proves nothing. An engine's
score tells how well the sound fits, its margin how much better than anything else that may be said.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, Protocol, TypeAlias

from narrator.core.effects import Listen
from narrator.core.expect import AnswerKind, Expectation, Meaning

State: TypeAlias = Literal["accepted", "unclear", "ignored"]

UNKNOWN = "[unk]"
FILLERS = frozenset("the a huh hi uh um hm hmm mm ah oh er [unk]".split())
"""What engines make of breath, fans and chairs; alone it is never an answer."""


class Heard(Protocol):
    """As much of a hypothesis as is judged here."""

    @property
    def text(self) -> str:
        """The words."""
        ...

    @property
    def score(self) -> float:
        """How well the sound fits them."""
        ...

    @property
    def margin(self) -> float:
        """Score above the best different sentence."""
        ...


@dataclass(frozen=True, slots=True)
class Verdict:
    """What to do with a hypothesis."""

    state: State
    """`accepted`, `unclear` (ask again), or `ignored` (say nothing: it was not meant for us)."""
    reason: str = ""
    """For the journal; empty where it is accepted."""
    confidence: float = 1.0
    """0 to 1: how far above what is asked for it lies."""


@dataclass(frozen=True, slots=True)
class Threshold:
    """What an engine must reach for one kind of answer."""

    score: float
    margin: float
    floor: float
    """A score below this is no speech for us: it is ignored, not asked about."""


# Fitted on 134 people's answers, so that no wrong one passes and as few others as may be.
_WHISPER = Threshold(score=0.0, margin=0.5, floor=-0.8)
_VOSK = Threshold(score=0.6, margin=0.0, floor=0.35)
_THRESHOLDS: dict[tuple[str, AnswerKind | Literal[""]], Threshold] = {
    ("whisper", ""): _WHISPER,
    ("whisper", "yesno"): Threshold(score=0.25, margin=0.5, floor=-0.8),
    ("whisper", "number"): Threshold(score=-0.1, margin=0.35, floor=-0.8),
    # Margins are means over a sentence's tokens: one name of several that differs counts for less.
    # Short names fit poorly: who was asked by name is rather asked again than left waiting.
    ("whisper", "seat"): Threshold(score=0.0, margin=0.3, floor=-1.6),
    ("whisper", "seats"): Threshold(score=0.0, margin=0.1, floor=-1.6),
    ("vosk", ""): _VOSK,
}
_FINAL = {"whisper": Threshold(0.4, 0.3, 0.0), "vosk": Threshold(0.2, 0.0, 0.0)}
"""Added where an answer cannot be taken back."""


def accept(engine: str, kind: AnswerKind, hypothesis: Heard, *, undoable: bool = True) -> Verdict:
    """Judge a hypothesis.

    Args:
        engine: The recogniser's name; one without thresholds is believed.
        kind: What kind of answer it would be.
        hypothesis: What was heard.
        undoable: Whether a wrong hearing could be taken back.
    """
    words = hypothesis.text.split()
    if all(word in FILLERS for word in words):
        return Verdict("ignored", "nothing was said", 0.0)
    needed = threshold(engine, kind, undoable=undoable)
    if needed is None:
        return Verdict("accepted")
    if hypothesis.score < needed.floor:
        return Verdict("ignored", f"fits nothing: {hypothesis.score:.2f}", 0.0)
    if UNKNOWN in words:
        return Verdict("unclear", "words that were not expected", 0.0)
    return _compare(hypothesis, needed)


def judge(engine: str, listen: Listen, meaning: Meaning | None, hypothesis: Heard) -> Verdict:
    """Judge a hypothesis by what it means among the live expectations; see `accept`.

    Where it means nothing it is judged as the answer that is waited for, and is unclear at best.
    """
    expectation = _expectation(listen, meaning)
    kind: AnswerKind = expectation.kind if expectation else "command"
    undoable = expectation.undoable if expectation else True
    verdict = accept(engine, kind, hypothesis, undoable=undoable)
    if verdict.state == "accepted" and meaning is None:
        return Verdict("unclear", "no answer to this question", verdict.confidence)
    return verdict


def _expectation(listen: Listen, meaning: Meaning | None) -> Expectation | None:
    if meaning is None:
        return next(iter(listen.expectations), None)
    return next((e for e in listen.expectations if e.intent == meaning.intent), None)


def threshold(engine: str, kind: AnswerKind, *, undoable: bool = True) -> Threshold | None:
    """Give what an engine must reach; None for an engine that is believed."""
    needed = _THRESHOLDS.get((engine, kind)) or _THRESHOLDS.get((engine, ""))
    if needed is None or undoable:
        return needed
    more = _FINAL[engine]
    return Threshold(needed.score + more.score, needed.margin + more.margin, needed.floor)


def _compare(hypothesis: Heard, needed: Threshold) -> Verdict:
    confidence = _confidence(hypothesis.score, needed)
    if hypothesis.score < needed.score:
        return Verdict("unclear", f"fits badly: {hypothesis.score:.2f}", confidence)
    if hypothesis.margin < needed.margin:
        return Verdict(
            "unclear", f"fits another answer as well: {hypothesis.margin:.2f}", confidence
        )
    return Verdict("accepted", "", confidence)


def _confidence(score: float, needed: Threshold) -> float:
    """Map scores to 0..1 so that just enough is a half."""
    span = max(needed.score - needed.floor, 0.1)
    return min(1.0, max(0.0, 0.5 + 0.5 * (score - needed.score) / (2 * span)))
