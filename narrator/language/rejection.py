"""Whether what an engine made of a sound was meant for the narrator at all.

A closed grammar forces every sound onto its words, so a text alone proves nothing. An engine's
score tells how well the sound fits, its margin how much better than anything else that may be said.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Literal, Protocol, TypeAlias

from narrator.core.effects import Listen
from narrator.core.expect import AnswerKind, Expectation, Meaning

State: TypeAlias = Literal["accepted", "unclear", "ignored"]

UNKNOWN = "[unk]"
NOISY = 18.0
"""Decibels: what stands out by less was said among other people, or in noise."""
BABBLE = 4.0
"""Decibels: what stands out by less is part of the room's babble and never taken."""
UNMISTAKABLE = 1.5
"""Score from which such a sound is asked about all the same: right answers in noise that never
stopped had 2.1 and 3.3, pieces of babble 0.7 at most."""
WEAKER = 1.0
"""How much less than is asked for among noise may be asked about there: most of it is babble."""
LONG = 4.5
"""Seconds: among noise nobody is asked to repeat what went on for longer, but lists."""
_LISTS: frozenset[AnswerKind] = frozenset({"seats", "points", "names", "sentence", "free"})
RECOUNTED = 0.2
"""How much more margin is asked for over a rival that has the same words another number of times:
how often a word was said is what is misheard most, up to 0.42 above what was said (52 synthetic
commands of repeated words), where 0.4 is enough for others."""
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

    @property
    def seconds(self) -> float:
        """Length of the sound."""
        ...

    @property
    def stands_out(self) -> float:
        """Decibels by which it was louder than what was around it."""
        ...

    @property
    def is_part(self) -> bool:
        """Whether other words came before it in one utterance."""
        ...

    @property
    def is_cut_short(self) -> bool:
        """Whether far more was said than these words take."""
        ...

    @property
    def is_too_long(self) -> bool:
        """Whether it was longer than any answer, and was not listened to."""
        ...

    @property
    def rivals(self) -> tuple[tuple[str, float], ...]:
        """What else was weighed that means something else, the nearest first, each with its
        distance.
        """
        ...


class Reason(StrEnum):
    """Why something that was heard did not count; the words for it are the locale's."""

    NOTHING_SAID = "nothing-said"
    """Breath, a fan, a chair."""
    AMONG_WORDS = "among-words"
    """A command that stood among other words."""
    BABBLE = "murmur"
    """Part of the room's babble, however well it fits."""
    FITS_NOTHING = "fits-nothing"
    FITS_BADLY = "fits-badly"
    FITS_ANOTHER = "fits-another"
    """Another answer fits as well."""
    UNKNOWN_WORDS = "unknown-words"
    """Words that were not expected."""
    TALK = "talk"
    """It went on for too long to be an answer."""
    TOO_LONG = "too-long"
    """It was longer than any answer."""
    NO_ANSWER = "no-answer"
    """Something that may not be said to this question."""
    WHILE_SPEAKING = "while-speaking"
    """Not surely understood while the narrator spoke, so it may have been the narrator."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """What to do with a hypothesis."""

    state: State
    """`accepted`, `unclear` (ask again), or `ignored` (say nothing: it was not meant for us)."""
    reason: Reason | None = None
    """None where it is accepted."""
    confidence: float = 1.0
    """0 to 1: how far above what is asked for it lies."""


@dataclass(frozen=True, slots=True)
class Threshold:
    """What an engine must reach for one kind of answer."""

    score: float
    margin: float
    floor: float
    """A score below this is no speech for us: it is ignored, not asked about."""
    noisy: float
    """The score asked for instead among noise."""


@dataclass(frozen=True, slots=True)
class Pair:
    """What is asked for where an answer can be taken back, and where it cannot."""

    usual: Threshold
    final: Threshold


@dataclass(frozen=True, slots=True)
class Thresholds:
    """What an engine must reach, by kind of answer."""

    usual: Pair
    """For kinds without their own."""
    kinds: Mapping[AnswerKind, Pair] = field(default_factory=dict)
    alike: tuple[frozenset[str], ...] = ()
    """Words that the engine takes for each other."""
    between_alike: float = 0.0
    """The margin asked for where one of them is told from another, if that is more."""

    def of(self, kind: AnswerKind, *, undoable: bool = True) -> Threshold:
        """Return what must be reached for a kind of answer that can, or cannot, be taken back."""
        pair = self.kinds.get(kind, self.usual)
        return pair.usual if undoable else pair.final


def pair(
    usual: tuple[float, float], final: tuple[float, float], floor: float, noisy: float
) -> Pair:
    """Return a pair from score and margin, with one floor and one score among noise for both."""
    return Pair(
        Threshold(*usual, floor, max(usual[0], noisy)),
        Threshold(*final, floor, max(final[0], noisy)),
    )


_LISTED: frozenset[AnswerKind] = frozenset({"phrase", "sentence", "choice", "seat", "seats"})
"""Kinds whose words a script or the players choose: a filler among them is an answer."""
_ANSWERS: dict[AnswerKind, frozenset[str]] = {
    "letter": frozenset({"a"}),
    "number": frozenset({"oh"}),
    "points": frozenset({"oh"}),
}
"""Fillers that are answers of this kind."""


def accept(
    thresholds: Thresholds | None,
    kind: AnswerKind,
    hypothesis: Heard,
    *,
    undoable: bool = True,
    listed: bool = False,
) -> Verdict:
    """Judge a hypothesis.

    Args:
        thresholds: The recogniser's; None: it is believed.
        kind: What kind of answer it would be.
        hypothesis: What was heard.
        undoable: Whether a wrong hearing could be taken back.
        listed: Whether somebody chose these words as an answer. A filler then is one, as far as it
            fits as well as what cannot be taken back.
    """
    if hypothesis.is_too_long or (kind == "command" and hypothesis.is_part):
        # "Complete" alone is like "wait", and a game that waits by mistake waits for ever.
        reason = Reason.TOO_LONG if hypothesis.is_too_long else Reason.AMONG_WORDS
        return Verdict("ignored", reason, 0.0)
    words = hypothesis.text.split()
    if all(word in FILLERS - _ANSWERS.get(kind, frozenset()) for word in words):
        if not words or not listed or kind not in _LISTED:
            return Verdict("ignored", Reason.NOTHING_SAID, 0.0)
        undoable = False
    if thresholds is None:
        return Verdict("accepted")
    needed = thresholds.of(kind, undoable=undoable)
    if hypothesis.stands_out < BABBLE:
        asked = kind != "command" and hypothesis.score >= max(UNMISTAKABLE, needed.noisy)
        asked = asked and hypothesis.margin >= needed.margin
        return Verdict("unclear" if asked else "ignored", Reason.BABBLE, 0.0)
    among_noise = hypothesis.stands_out < NOISY
    floor = max(needed.floor, needed.noisy - WEAKER) if among_noise else needed.floor
    if hypothesis.score < floor:
        return Verdict("ignored", Reason.FITS_NOTHING, 0.0)
    verdict = _compare(hypothesis, needed, kind)
    if verdict.state == "accepted" and _is_mixed_up(hypothesis, thresholds):
        verdict = Verdict("unclear", Reason.FITS_ANOTHER, verdict.confidence)
    if UNKNOWN in words:
        verdict = Verdict("unclear", Reason.UNKNOWN_WORDS, 0.0)
    too_long = among_noise and hypothesis.seconds > LONG and kind not in _LISTS
    if verdict.state == "unclear" and too_long:
        return Verdict("ignored", Reason.TALK, 0.0)
    return verdict


def judge(
    thresholds: Thresholds | None, listen: Listen, meaning: Meaning | None, hypothesis: Heard
) -> Verdict:
    """Judge a hypothesis by what it means among the live expectations; see `accept`.

    Where it means nothing it is judged as the answer that is waited for, and is unclear at best.
    """
    expectation = _expectation(listen, meaning)
    kind: AnswerKind = expectation.kind if expectation else "command"
    undoable = expectation.undoable if expectation else True
    listed = meaning is not None
    verdict = accept(thresholds, kind, hypothesis, undoable=undoable, listed=listed)
    if verdict.state == "accepted" and meaning is None:
        return Verdict("unclear", Reason.NO_ANSWER, verdict.confidence)
    return verdict


def _expectation(listen: Listen, meaning: Meaning | None) -> Expectation | None:
    if meaning is None:
        return next(iter(listen.expectations), None)
    return next((e for e in listen.expectations if e.intent == meaning.intent), None)


def _compare(hypothesis: Heard, needed: Threshold, kind: AnswerKind) -> Verdict:
    least = needed.noisy if hypothesis.stands_out < NOISY else needed.score
    confidence = _confidence(hypothesis, needed)
    # "Kim nine" of "Kim nine, Zoe eleven, Gus eight" fits well, and two players lose their points.
    is_cut_short = hypothesis.is_cut_short and kind in _LISTS
    if hypothesis.score < least or is_cut_short:
        return Verdict("unclear", Reason.FITS_BADLY, confidence)
    if hypothesis.margin < needed.margin or _may_be_miscounted(hypothesis, needed):
        return Verdict("unclear", Reason.FITS_ANOTHER, confidence)
    return Verdict("accepted", None, confidence)


def _is_mixed_up(hypothesis: Heard, thresholds: Thresholds) -> bool:
    """Whether a near rival has a word in place of another that the engine takes it for."""
    return any(
        below < thresholds.between_alike
        and _are_alike(hypothesis.text.split(), rival.split(), thresholds.alike)
        for rival, below in hypothesis.rivals
    )


def _are_alike(
    words: Sequence[str], others: Sequence[str], alike: Sequence[frozenset[str]]
) -> bool:
    if len(words) != len(others):
        return False
    different = [{one, other} for one, other in zip(words, others, strict=True) if one != other]
    return len(different) == 1 and any(different[0] <= group for group in alike)


def _may_be_miscounted(hypothesis: Heard, needed: Threshold) -> bool:
    """Whether a near rival has the same words another number of times."""
    words = hypothesis.text.split()
    return any(
        below < needed.margin + RECOUNTED
        and set(rival.split()) == set(words)
        and len(rival.split()) != len(words)
        for rival, below in hypothesis.rivals
    )


def _confidence(hypothesis: Heard, needed: Threshold) -> float:
    """Map score and margin to 0..1 so that just enough of either is a half; the lesser counts."""
    by_score = (hypothesis.score - needed.score) / max(needed.score - needed.floor, 0.1)
    by_margin = (hypothesis.margin - needed.margin) / max(needed.margin, 0.1)
    return min(1.0, max(0.0, 0.5 + 0.25 * by_score), max(0.0, 0.5 + 0.25 * by_margin))
