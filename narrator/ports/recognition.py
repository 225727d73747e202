"""Recognisers: from samples to words along a grammar."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from narrator.language.grammar.automaton import Automaton
from narrator.language.rejection import Thresholds
from narrator.ports.audio import Pcm


@dataclass(frozen=True, slots=True)
class Hypothesis:
    """What an engine made of one utterance."""

    text: str
    """Lower-case words; empty where nothing was recognised.

    Words outside the grammar are `[unk]`.
    """
    score: float = 0.0
    """How well the sound fits the text: engine-specific, higher is better, comparable within an
    engine.
    """
    margin: float = 99.0
    """Score above the best different sentence of the grammar; large where there is no other."""
    seconds: float = 0.0
    """Length of the speech it was made from."""
    words: tuple[tuple[str, float], ...] = ()
    """Each word with its confidence, where the engine has one."""
    rivals: tuple[tuple[str, float], ...] = ()
    """Different sentences that were weighed, each with how far below it lies, the nearest first:
    one of them may mean the same."""
    unseen: float = 99.0
    """Margin above every sentence that is not among the rivals, as far as the search knows: one
    that was not looked for is not known to be far."""
    stands_out: float = 99.0
    """Decibels from the sound around the utterance to its loudest, told by the ear."""
    is_part: bool = False
    """Whether it was made from the louder part of the utterance only."""
    is_cut_short: bool = False
    """Whether far more was said than these words take, so that some of it is missing."""
    is_too_long: bool = False
    """Whether the utterance was longer than any answer and was not decoded."""


@dataclass(frozen=True, slots=True)
class Traits:
    """What an engine does with a grammar, and what its hypotheses are worth."""

    follows_grammar: bool = False
    """Whether a grammar may have loops at no cost; else it is given a list of sentences."""
    thresholds: Thresholds | None = None
    """None: what it hears is believed."""


BELIEVED = Traits()
"""Of what needs no judging: typed lines, and recognisers that only tests have."""


class Recogniser(Protocol):
    """Turns the sound of one utterance into words along a grammar. Used from one thread only.

    The host finds where an utterance begins and ends; the engine is given only what lies between.
    """

    name: str
    """As in the setting `engine`."""
    language: str
    traits: Traits

    def expect(self, grammar: Automaton, *, free: bool = False) -> None:
        """Listen along this grammar from the next utterance on; never disturbs one that has begun.

        Where the answer is free speech, what fits no sentence of the grammar is written down.
        """
        ...

    def accept(self, block: Pcm) -> str:
        """Take the next sound of the utterance (16 kHz mono); return the partial text, or ""."""
        ...

    def guess(self) -> Hypothesis | None:
        """Decide on the sound so far without ending the utterance.

        None where the engine decides as the sound comes in, and `finish` takes no time.
        """
        ...

    def finish(self) -> Hypothesis:
        """End the utterance and decide.

        Called exactly once an utterance; silence gives an empty text.
        """
        ...

    def reset(self) -> None:
        """Forget the utterance that has begun, if any."""
        ...

    def knows_word(self, word: str) -> bool:
        """Whether this word can ever be heard."""
        ...

    def close(self) -> None:
        """Return everything back."""
        ...
