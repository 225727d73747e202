"""From what the core expects and what an engine heard to the event the core is told."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from narrator.core.effects import Listen
from narrator.core.events import Transcript
from narrator.core.expect import AnswerKind, Expectation, Meaning
from narrator.core.values import Seat
from narrator.language.grammar.grammar import Grammar, compile_grammar
from narrator.language.locale import Locale
from narrator.language.messages import Messages
from narrator.language.rejection import NOISY, Reason, Verdict, judge
from narrator.language.text import normalise
from narrator.ports.recognition import BELIEVED, Hypothesis, Traits

_SPOKEN = frozenset({Reason.FITS_NOTHING, Reason.TOO_LONG})
"""Why what somebody near said is ignored where that was perhaps an answer."""
_OFFERED: frozenset[AnswerKind] = frozenset({"seat", "number", "letter", "choice"})
"""Answers that are short enough to ask which of two it was."""


@dataclass(frozen=True, slots=True)
class Judged:
    """What was made of an utterance."""

    transcript: Transcript | None
    """What the game is told; None where it was nothing that anybody said to the narrator."""
    hypothesis: Hypothesis
    """With its margin above what means something else."""
    verdict: Verdict


class Interpreter:
    """Knows the table and its language; turns hypotheses and typed lines into transcripts.

    Args:
        seats: Everybody at the table, clockwise. Where others sit down in this list, their names
            are understood from the next question on.
        locale: The language of the table.
        traits: Of the recogniser: what its scores must reach.
        prefix: What has to be said before a command, such as "narrator"; empty: nothing. Who types
            a command types no prefix.
    """

    def __init__(
        self,
        seats: Sequence[Seat],
        locale: Locale,
        traits: Traits = BELIEVED,
        prefix: str = "",
    ) -> None:
        self._seats = seats
        self._locale = locale
        self._traits = traits
        self._prefix = normalise(prefix)

    @property
    def messages(self) -> Messages:
        """What the program itself shows and says in the language of the table."""
        return self._locale.messages

    def grammar(self, listen: Listen) -> Grammar:
        """Return the grammar of what may be said now. Raises GrammarError where nothing may be."""
        expectations = self._as_said(listen)
        loops = self._traits.follows_grammar
        return compile_grammar(expectations, tuple(self._seats), self._locale, corrections=loops)

    def _as_said(self, listen: Listen) -> tuple[Expectation, ...]:
        """Return what may be said aloud now, commands with what has to be said before them."""
        discussed = _is_discussed(listen)
        called = (self._called(e, discussed) for e in listen.expectations)
        return tuple(e for e in called if e is not None)

    def _called(self, expectation: Expectation, discussed: bool) -> Expectation | None:
        """Put the prefix word before a command, or None where it cannot be said.

        Without one, ordinary words of a discussion, while its timer runs, are commands only with
        the narrator's name before them.
        """
        if expectation.kind != "command" or not (self._prefix or discussed):
            return expectation
        name = expectation.intent.removeprefix("command:")
        own = expectation.templates or self._locale.command(name)
        ordinary = expectation.templates or self._locale.ordinary.get(name.replace("_", " "), ())
        word = self._prefix or self._locale.address
        said = [f"{word} {t}" for t in own if word and (self._prefix or t in ordinary)]
        said += [t for t in own if not self._prefix and t not in ordinary]
        return replace(expectation, templates=tuple(said)) if said else None

    def typed(self, listen: Listen, text: str) -> Transcript:
        """Understand a typed line; one that fits nothing, or several things, has no meaning."""
        if not listen.expectations:
            return Transcript(text, None, listen.listen, source="keyboard")
        grammar = compile_grammar(listen.expectations, tuple(self._seats), self._locale)
        found = grammar.interpret(text)
        return Transcript(
            found.text,
            found.meaning,
            listen.listen,
            source="keyboard",
            unclear=found.meaning is None,
        )

    def said(self, listen: Listen, text: str) -> Transcript:
        """Understand words that were said, where nothing has to be recognised."""
        aloud = replace(listen, expectations=self._as_said(listen))
        told = replace(self.typed(aloud, text), source="voice")
        if self._is_talk(listen, told.meaning, text):
            return replace(told, meaning=None, unclear=True)
        return told

    def _is_talk(self, listen: Listen, meaning: Meaning | None, text: str) -> bool:
        """Whether a command was only said as people say it to each other in a discussion."""
        if meaning is None or not _is_discussed(listen):
            return False
        is_command = meaning.intent.startswith("command:")
        return is_command and self.grammar(listen).interpret(text).is_everyday

    def heard(self, listen: Listen, hypothesis: Hypothesis) -> Transcript | None:
        """Understand an utterance; None where it was nothing that anybody said to the narrator."""
        return self.judged(listen, hypothesis).transcript

    def judged(self, listen: Listen, hypothesis: Hypothesis) -> Judged:
        """Understand an utterance, and tell how sure that is."""
        grammar = self.grammar(listen)
        found = grammar.interpret(hypothesis.text)
        meaning = found.meaning
        if self._is_talk(listen, meaning, hypothesis.text):
            meaning = None
        hypothesis = weighed(hypothesis, lambda text: grammar.interpret(text).meanings)
        verdict = judge(self._traits.thresholds, listen, meaning, hypothesis)
        told: Transcript | None = None
        if verdict.state == "unclear" or (verdict.state == "accepted" and meaning is None):
            told = Transcript(
                found.text, None, listen.listen, verdict.confidence, unclear=True,
                likely=_either(grammar, meaning, hypothesis),
            )  # fmt: skip
        elif verdict.state == "accepted":
            told = Transcript(found.text, meaning, listen.listen, verdict.confidence)
        elif _is_owed_a_sign(listen, hypothesis, verdict):
            told = Transcript("", None, listen.listen, 0.0, unclear=True, only_heard=True)
        return Judged(told, hypothesis, verdict)


def _is_owed_a_sign(listen: Listen, hypothesis: Hypothesis, verdict: Verdict) -> bool:
    """Whether somebody near answered an open question, as it seems, in words that fit nothing."""
    if not listen.answers or listen.timed or listen.eyes_closed:
        return False
    return verdict.reason in _SPOKEN and hypothesis.stands_out >= NOISY


def _either(
    grammar: Grammar, best: Meaning | None, hypothesis: Hypothesis
) -> tuple[str, str] | tuple[()]:
    """Return the two answers that something unclear was most like, as they are spoken.

    There are none where it was heard among noise, where one of them is not allowed, or where either
    would be too long to ask for.
    """
    asked = next((e for e in grammar.expectations if best and e.intent == best.intent), None)
    if asked is None or asked.kind not in _OFFERED or hypothesis.stands_out < NOISY:
        return ()
    other = next((_meant(grammar, text) for text, _ in hypothesis.rivals), None)
    if other is None or other.intent != asked.intent:
        return ()
    spoken = [_spoken(grammar, asked, meaning) for meaning in (best, other) if meaning]
    first, second = spoken
    return (first, second) if first and second and first != second else ()


def _meant(grammar: Grammar, text: str) -> Meaning | None:
    return grammar.interpret(text).meaning


def _spoken(grammar: Grammar, asked: Expectation, meaning: Meaning) -> str:
    """Return an answer as it is asked for; empty: it would not be taken."""
    value = meaning.value
    if isinstance(value, str) and asked.kind in ("seat", "letter"):
        return value if not asked.allowed or value in asked.allowed else ""
    return grammar.sample(asked, value)


def _is_discussed(listen: Listen) -> bool:
    """Whether the table talks while a timer runs: in a seat's own time nobody else does."""
    return listen.timed and listen.seat is None


def weighed(hypothesis: Hypothesis, means: Callable[[str], object]) -> Hypothesis:
    """Return the hypothesis with those rivals only that mean something else, and its margin
    above the nearest of them.

    "We are done" and "we're done" are as near as can be, and nobody has to ask which it was.

    Args:
        hypothesis: With the sentences it was weighed against, where the engine has them.
        means: Gives a sentence's meaning; equal for sentences that mean the same.
    """
    if not hypothesis.rivals:
        return hypothesis
    own = means(hypothesis.text)
    others = tuple(rival for rival in hypothesis.rivals if means(rival[0]) != own)
    nearest = others[0][1] if others else hypothesis.unseen
    return replace(hypothesis, rivals=others, margin=min(nearest, hypothesis.unseen))
