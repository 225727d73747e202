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
PRIOR = 0.6
"""How much of a token's log-probability on mere noise is taken off: fitted on real voices."""
_FOLLOWED = 40
_REPEATS = 3
_CIRCLE = 8


@dataclass(frozen=True, slots=True)
class Sentence:
    """A whole sentence of the grammar and how well it fits."""

    words: tuple[str, ...]
    tokens: tuple[int, ...]
    total: float
    """Sum of its tokens' log-probabilities, the end among them."""
    rank: float
    """That sum, less PRIOR of what the same tokens get on mere noise."""

    @property
    def mean(self) -> float:
        """Rank of a token on average."""
        return self.rank / len(self.tokens)


@dataclass(frozen=True, slots=True)
class _Partial:
    position: Position
    tokens: tuple[int, ...]
    total: float
    rank: float
    parent: int


class Search:
    """Searches one utterance."""

    def __init__(self, decoder: Decoder, memory: Memory, graph: TokenGraph, noise: Memory) -> None:
        """Prepare a search.

        Args:
            decoder: Scores tokens.
            memory: The utterance.
            graph: What may be said.
            noise: Mere noise. Words that are likely whatever was said would crowd the others out;
                what they get there is taken off.
        """
        self._decoder = decoder
        self._noise = noise
        self._memory = memory
        self._graph = graph

    def run(
        self, prompt: Sequence[int], *, longest: int, width: int = WIDTH, spread: float = 12.0
    ) -> list[Sentence]:
        """Give the sentences found, the best first.

        Args:
            prompt: Whisper's own tokens that begin every text.
            longest: Tokens of the longest sentence that can be said in the time.
            width: Hypotheses kept after each token.
            spread: How far below the best sentence found so far, by rank, one is still followed.
        """
        start = self._decoder.start()
        starts = self._graph.starts
        outputs, states = self._step((start, start), np.array([prompt]))
        outputs = np.repeat(outputs, len(starts), axis=0)
        first = [0] * len(starts)
        states = (states[0].pick(first), states[1].pick(first))
        partials = [_Partial(position, (), 0.0, -nats, 0) for position, nats in starts]
        found: list[Sentence] = []
        for _ in range(longest):
            tokens = [self._graph.tokens(p.position) for p in partials]
            scores = self._decoder.scores(outputs, tokens * 2)
            grown = self._grow(partials, tokens, scores, found)
            limit = max((s.rank for s in found), default=-np.inf) - spread
            kept = width if partials[0].tokens else 2 * width
            partials = [p for p in grown[:kept] if p.rank > limit]
            if not partials:
                break
            parents = [p.parent for p in partials]
            picked = (states[0].pick(parents), states[1].pick(parents))
            outputs, states = self._step(picked, np.array([[p.tokens[-1]] for p in partials]))
        # Not by the mean: it would rather leave out what is hard to hear of a long sentence.
        return sorted(found, key=lambda s: s.rank, reverse=True)

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
            on_noise = scores[len(partials) + number]
            ranks = partial.rank + scores[number] - PRIOR * on_noise
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
            elif not self._says_twice(position.words):
                grown.setdefault(position, _Partial(position, so_far, total, rank, number))
        return list(grown.values())

    def _says_twice(self, words: tuple[str, ...]) -> bool:
        once = [word for word in words if word in self._graph.grammar.once]
        return len(once) > len(set(once)) or _runs_in_circles(words)

    def _step(
        self, states: tuple[State, State], tokens: NDArray[np.int64]
    ) -> tuple[Floats, tuple[State, State]]:
        """Append tokens for the sound and for the noise; the outputs of both follow one another."""
        heard, on_sound = self._decoder.step(self._memory, states[0], tokens)
        imagined, on_noise = self._decoder.step(self._noise, states[1], tokens)
        return np.concatenate([heard[:, -1], imagined[:, -1]]), (on_sound, on_noise)


def _runs_in_circles(words: tuple[str, ...]) -> bool:
    """Tell whether the last words only repeat those before: Whisper likes that in long lists."""
    if len(words) > _REPEATS and len(set(words[-_REPEATS - 1 :])) == 1:
        return True
    sizes = range(2, min(_CIRCLE, len(words) // 2) + 1)
    return any(words[-size:] == words[-2 * size : -size] for size in sizes)


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
