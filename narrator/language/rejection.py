"""Whether what an engine made of a sound was meant for the narrator at all.

A closed grammar forces every sound onto its words, so a text alone proves nothing. An engine's
score tells how well the sound fits, its margin how much better than anything else that may be said.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Literal, Protocol, TypeAlias

from narrator.core.effects import Listen
from narrator.core.expect import AnswerKind, Expectation, Meaning

State: TypeAlias = Literal["accepted", "unclear", "ignored"]

UNKNOWN = "[unk]"
NOISY = 18.0
"""Decibels: what stands out by less was said among other people, or in noise."""
MURMUR = 4.0
"""Decibels: what stands out by less is part of the room's murmur, however well it fits."""
WEAKER = 1.0
"""How much less than is asked for among noise may be asked about there: most of it is murmur."""
LONG = 4.5
"""Seconds: among noise nobody is asked to repeat what went on for longer, but lists."""
_LISTS: frozenset[AnswerKind] = frozenset({"seats", "points", "sentence", "free"})
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


class Reason(StrEnum):
    """Why something that was heard did not count; the words for it are the locale's."""

    NOTHING_SAID = "nothing-said"
    """Breath, a fan, a chair."""
    AMONG_WORDS = "among-words"
    """A command that stood among other words."""
    MURMUR = "murmur"
    """Part of the room's murmur, however well it fits."""
    FITS_NOTHING = "fits-nothing"
    FITS_BADLY = "fits-badly"
    FITS_ANOTHER = "fits-another"
    """Another answer fits as well."""
    UNKNOWN_WORDS = "unknown-words"
    """Words that were not expected."""
    TALK = "talk"
    """It went on for too long to be an answer."""
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
class _Pair:
    """What is asked for where an answer can be taken back, and where it cannot."""

    usual: Threshold
    final: Threshold


def _pair(
    usual: tuple[float, float], final: tuple[float, float], floor: float, noisy: float
) -> _Pair:
    return _Pair(
        Threshold(*usual, floor, max(usual[0], noisy)),
        Threshold(*final, floor, max(final[0], noisy)),
    )


# Score and margin at which, of everything in docs/hearing.md, nothing wrong passes and as few right
# answers as may be are asked for again: 134 people's words and digits, and synthetic voices for
# what nobody has recorded, in quiet and among babble, at the steps of real games. What cannot be
# undone lets no other word pass either. The last figure is the score among noise: in whole games
# played among babble, "dee" for "eve" (-0.27), "none of them" for "ana" (0.40) and somebody else's
# "of course" (0.50) had passed; the words that end a turn are unlike all else there too.
_WHISPER = _pair((0.0, 0.5), (0.4, 0.8), -0.8, 0.5)
_VOSK = _pair((0.6, 0.0), (0.8, 0.0), 0.35, 0.7)
_THRESHOLDS: dict[tuple[str, AnswerKind | Literal[""]], _Pair] = {
    ("whisper", ""): _WHISPER,
    # The words that end a turn are unlike all else: of 36 said among babble at 10 dB 33 pass within
    # two tries, 31 at a score of 0, and no sentence of talk came near.
    ("whisper", "phrase"): _pair((-0.2, 0.5), (0.4, 0.8), -0.8, -0.2),
    # "Yeah" and "yep" leave no margin; "five" is heard as "aye" by chance, and below this.
    ("whisper", "yesno"): _pair((0.0, 0.3), (0.7, 0.5), -0.8, 0.55),
    # "Nine" beside "number nine" and "29" has little margin however well it fits, so it is the fit
    # that decides: of numbers taken for others ("8" for "28", "16" for "6") all but one fit worse.
    ("whisper", "number"): _pair((0.35, 0.1), (1.0, 0.5), -0.8, 0.6),
    # Margins are means over a sentence's tokens: one name of several that differs counts for less.
    # Short names fit poorly: who was asked by name is rather asked again than left waiting. Nothing
    # that was taken for another name had this margin ("it's eve" for "it's dee": 0.27).
    ("whisper", "seat"): _pair((-0.4, 0.29), (0.4, 0.6), -1.1, 0.5),
    ("whisper", "seats"): _pair((0.25, 0.1), (0.6, 0.3), -1.2, 0.5),
    # B, c, d, e, g, p, t, v and z differ in one consonant: "d" was heard as "b" with a margin of
    # 0.28 and as "c" with 0.44, both with scores above 1; those heard right had 0.84 and more, or
    # are asked for again ("letter c": 0.36), and "charlie" is easier.
    ("whisper", "letter"): _pair((0.0, 0.6), (0.4, 1.0), -0.8, 0.4),
    # Few sentences, and often all that were weighed mean the same: the fit alone decides.
    ("whisper", "choice"): _pair((-0.3, 0.4), (0.4, 0.8), -0.8, 0.3),
    # Numbers and names in any order let anything fit somehow: "400 8 for all" had 0.35, "number 3
    # 84" 0.66. A score is never guessed.
    ("whisper", "points"): _pair((0.7, 0.3), (1.1, 0.6), -1.0, 0.9),
    # Murmur is full of "s": "silence" had 0.02 and a margin of 1.35 there. Nobody was asked for a
    # command, so one that fits badly is left alone: who meant it says it again.
    ("whisper", "command"): _pair((0.15, 0.5), (0.5, 0.8), 0.1, 0.3),
    ("vosk", ""): _VOSK,
}
_ANSWERS: dict[AnswerKind, frozenset[str]] = {
    "letter": frozenset({"a"}),
    "number": frozenset({"oh"}),
    "points": frozenset({"oh"}),
}
"""Fillers that are answers of this kind."""


def accept(engine: str, kind: AnswerKind, hypothesis: Heard, *, undoable: bool = True) -> Verdict:
    """Judge a hypothesis.

    Args:
        engine: The recogniser's name; one without thresholds is believed.
        kind: What kind of answer it would be.
        hypothesis: What was heard.
        undoable: Whether a wrong hearing could be taken back.
    """
    words = hypothesis.text.split()
    if all(word in FILLERS - _ANSWERS.get(kind, frozenset()) for word in words):
        return Verdict("ignored", Reason.NOTHING_SAID, 0.0)
    if kind == "command" and hypothesis.is_part:
        # "Complete" alone is like "wait", and a game that waits by mistake waits for ever.
        return Verdict("ignored", Reason.AMONG_WORDS, 0.0)
    needed = threshold(engine, kind, undoable=undoable)
    if needed is None:
        return Verdict("accepted")
    if hypothesis.stands_out < MURMUR:
        return Verdict("ignored", Reason.MURMUR, 0.0)
    among_noise = hypothesis.stands_out < NOISY
    floor = max(needed.floor, needed.noisy - WEAKER) if among_noise else needed.floor
    if hypothesis.score < floor:
        return Verdict("ignored", Reason.FITS_NOTHING, 0.0)
    verdict = _compare(hypothesis, needed)
    if UNKNOWN in words:
        verdict = Verdict("unclear", Reason.UNKNOWN_WORDS, 0.0)
    too_long = among_noise and hypothesis.seconds > LONG and kind not in _LISTS
    if verdict.state == "unclear" and too_long:
        return Verdict("ignored", Reason.TALK, 0.0)
    return verdict


def judge(engine: str, listen: Listen, meaning: Meaning | None, hypothesis: Heard) -> Verdict:
    """Judge a hypothesis by what it means among the live expectations; see `accept`.

    Where it means nothing it is judged as the answer that is waited for, and is unclear at best.
    """
    expectation = _expectation(listen, meaning)
    kind: AnswerKind = expectation.kind if expectation else "command"
    undoable = expectation.undoable if expectation else True
    verdict = accept(engine, kind, hypothesis, undoable=undoable)
    if verdict.state == "accepted" and meaning is None:
        return Verdict("unclear", Reason.NO_ANSWER, verdict.confidence)
    return verdict


def _expectation(listen: Listen, meaning: Meaning | None) -> Expectation | None:
    if meaning is None:
        return next(iter(listen.expectations), None)
    return next((e for e in listen.expectations if e.intent == meaning.intent), None)


def threshold(engine: str, kind: AnswerKind, *, undoable: bool = True) -> Threshold | None:
    """Return what an engine must reach; None for an engine that is believed."""
    pair = _THRESHOLDS.get((engine, kind)) or _THRESHOLDS.get((engine, ""))
    if pair is None:
        return None
    return pair.usual if undoable else pair.final


def _compare(hypothesis: Heard, needed: Threshold) -> Verdict:
    least = needed.noisy if hypothesis.stands_out < NOISY else needed.score
    confidence = _confidence(hypothesis.score, needed)
    if hypothesis.score < least:
        return Verdict("unclear", Reason.FITS_BADLY, confidence)
    if hypothesis.margin < needed.margin:
        return Verdict("unclear", Reason.FITS_ANOTHER, confidence)
    return Verdict("accepted", None, confidence)


def _confidence(score: float, needed: Threshold) -> float:
    """Map scores to 0..1 so that just enough is a half."""
    span = max(needed.score - needed.floor, 0.1)
    return min(1.0, max(0.0, 0.5 + 0.5 * (score - needed.score) / (2 * span)))
