"""Beam search for the sentence of a grammar that fits a sound best."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from narrator.adapters.whisper_decoder import Decoder, Floats, Memory, State
from narrator.adapters.whisper_tokens import Position, TokenGraph

WIDTH = 6
"""Hypotheses kept after each token; twice as many after the first, where all answers part."""
MAX_TOKENS = 120
_FOLLOWED = 40


@dataclass(frozen=True, slots=True)
class Sentence:
    """A whole sentence of the grammar and how well it fits."""

    words: tuple[str, ...]
    tokens: tuple[int, ...]
    total: float
    """Sum of its tokens' log-probabilities, the end among them."""
    rank: float
    """That sum, less what its first token gets on mere noise."""

    @property
    def mean(self) -> float:
        """Log-probability of a token on average."""
        return self.total / len(self.tokens)


@dataclass(frozen=True, slots=True)
class _Partial:
    position: Position
    tokens: tuple[int, ...]
    total: float
    rank: float
    parent: int


class Search:
    """Searches one utterance."""

    def __init__(
        self, decoder: Decoder, memory: Memory, graph: TokenGraph, opening: Floats
    ) -> None:
        """Prepare a search.

        Args:
            decoder: Scores tokens.
            memory: The utterance.
            graph: What may be said.
            opening: By token, what is taken off a sentence that begins with it: some words are
                likely whatever was said, and would crowd the others out.
        """
        self._decoder = decoder
        self._opening = opening
        self._memory = memory
        self._graph = graph

    def run(
        self, prompt: Sequence[int], *, width: int = WIDTH, spread: float = 12.0
    ) -> list[Sentence]:
        """Give the sentences found, the best first.

        Args:
            prompt: Whisper's own tokens that begin every text.
            width: Hypotheses kept after each token.
            spread: How far below the best sentence found so far, by rank, one is still followed.
        """
        outputs, state = self._decoder.step(self._memory, self._decoder.start(), np.array([prompt]))
        partials = [_Partial(self._graph.start, (), 0.0, 0.0, 0)]
        found: list[Sentence] = []
        for _ in range(MAX_TOKENS):
            tokens = [self._graph.tokens(p.position) for p in partials]
            scores = self._decoder.scores(outputs[:, -1], tokens)
            grown = self._grow(partials, tokens, scores, found)
            limit = max((s.rank for s in found), default=-np.inf) - spread
            kept = width if partials[0].tokens else 2 * width
            partials = [p for p in grown[:kept] if p.rank > limit]
            if not partials:
                break
            outputs, state = self._step(state, partials)
        return sorted(found, key=lambda s: s.rank / len(s.tokens), reverse=True)

    def _grow(
        self,
        partials: list[_Partial],
        tokens: list[NDArray[np.int64]],
        scores: list[Floats],
        found: list[Sentence],
    ) -> list[_Partial]:
        """Give what follows, the best first, and add the sentences that end here.

        Spellings of the same words at the same place go on as one: the best of them.
        """
        options: list[tuple[float, int, int, float]] = []
        for number, partial in enumerate(partials):
            ranks = partial.rank + scores[number]
            if not partial.tokens:
                ranks = ranks - self._opening[tokens[number]]
            best = np.argsort(-ranks, kind="stable")[:_FOLLOWED]
            options += [
                (float(ranks[i]), number, int(tokens[number][i]), float(scores[number][i]))
                for i in best
            ]
        grown: dict[Position, _Partial] = {}
        for rank, number, token, score in sorted(options, key=lambda option: -option[0]):
            partial = partials[number]
            so_far, total = (*partial.tokens, token), partial.total + score
            position = self._graph.advance(partial.position, token)
            if position is None:
                found.append(Sentence(partial.position.words, so_far, total, rank))
            else:
                grown.setdefault(position, _Partial(position, so_far, total, rank, number))
        return list(grown.values())

    def _step(self, state: State, partials: list[_Partial]) -> tuple[Floats, State]:
        chosen = state.pick([p.parent for p in partials])
        tokens = np.array([[p.tokens[-1]] for p in partials])
        return self._decoder.step(self._memory, chosen, tokens)


def force(
    decoder: Decoder, memory: Memory, prompt: Sequence[int], sentences: Sequence[tuple[int, ...]]
) -> list[float]:
    """Give each sentence's sum of log-probabilities on this sound, all in one pass."""
    longest = max(len(tokens) for tokens in sentences)
    padded = np.array([[*prompt, *t[:-1], *[0] * (longest - len(t))] for t in sentences])
    state = decoder.start().pick([0] * len(sentences))
    outputs, _ = decoder.step(memory, state, padded)
    begin = len(prompt) - 1
    flat = [
        output[begin + n]
        for output, t in zip(outputs, sentences, strict=True)
        for n in range(len(t))
    ]
    scores = decoder.scores(np.array(flat), [np.array([token]) for t in sentences for token in t])
    ends = np.cumsum([len(tokens) for tokens in sentences])
    return [float(part.sum()) for part in np.split(np.concatenate(scores), ends[:-1])]
