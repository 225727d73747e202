"""Beam search for the sentence of a grammar that fits a sound best."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from narrator.adapters.recognisers.whisper.decoder import Decoder, Floats, Memory
from narrator.adapters.recognisers.whisper.noise_prior import NoisePrior
from narrator.adapters.recognisers.whisper.token_graph import Position, TokenGraph
from narrator.language.names.syllables import count

WIDTH = 6
"""Hypotheses kept after each token; twice as many after the first, where all answers part."""
PRIOR = 0.6
"""How much of a token's log-probability on mere noise is taken off: fitted on real voices."""
GOING_ON = 2.2
"""Nats for each token of a word, so that a sentence is not cut short for being long."""
FAST = 6.0
"""Syllables a second that are rarely said."""
CALM = 4.0
"""Syllables a second of somebody who says a list: words that repeat themselves count as heard again
by mistake where there was no time for them at this rate."""
HURRIED = 2.0
"""Nats for each syllable beyond."""
RIVAL, RIVAL_TOKEN = 6.0, 1.2
"""Nats below the best sentence, at least and for each of its tokens, where no margin that is asked
for anywhere lies."""
_FOLLOWED = 40
_COUNTED = 48
"""Best sentences among which repetitions are counted: one more pass over their tokens."""
_REPEATS = 2
_CIRCLE = 8


@dataclass(frozen=True, slots=True)
class Sentence:
    """A whole sentence of the grammar and how well it fits."""

    words: tuple[str, ...]
    tokens: tuple[int, ...]
    fit: float
    """Sum of its tokens' log-probabilities, the end among them, less PRIOR of those on noise."""
    rank: float
    """What sentences are ordered by; see `_gains`."""

    @property
    def mean(self) -> float:
        """Fit of a token on average."""
        return self.fit / len(self.tokens)


@dataclass(frozen=True, slots=True)
class _Partial:
    position: Position
    tokens: tuple[int, ...]
    fit: float
    rank: float
    parent: int


@dataclass(frozen=True, slots=True)
class Pace:
    """How much can be said in the time: what would be too much was not said.

    Whisper likes to hear the last words again and again; their sound is there only once.
    """

    seconds: float
    """Of speech."""

    def strain(self, words: Sequence[str]) -> float:
        """Return the nats by which so many words are less likely."""
        return HURRIED * max(0.0, -self._left(words))

    def left(self, words: Sequence[str]) -> float:
        """Return the syllables that there is still time for."""
        return max(0.0, self._left(words))

    def has_time_for(self, words: Sequence[str]) -> bool:
        """Whether so many words can be said without hurry."""
        return count(words) <= CALM * self.seconds + 1

    def _left(self, words: Sequence[str]) -> float:
        return FAST * self.seconds + 1 - count(words)


class _Option(NamedTuple):
    """A token that may follow a partial."""

    rank: float
    parent: int
    token: int
    fit: np.float32


class Search:
    """Searches one utterance."""

    def __init__(
        self, decoder: Decoder, memory: Memory, graph: TokenGraph, noise: NoisePrior, pace: Pace
    ) -> None:
        """Prepare a search.

        Args:
            decoder: Scores tokens.
            memory: The utterance.
            graph: What may be said.
            noise: What is heard in mere noise. Words that are likely whatever was said would
                crowd the others out; what they get there is taken off.
            pace: How much can be said in the time.
        """
        self._decoder = decoder
        self._noise = noise
        self._memory = memory
        self._graph = graph
        self._pace = pace

    def run(
        self, prompt: Sequence[int], *, longest: int, width: int = WIDTH, spread: float = 12.0
    ) -> list[Sentence]:
        """Return the sentences found, the best first.

        Args:
            prompt: Whisper's own tokens that begin every text.
            longest: Tokens of the longest sentence that can be said in the time.
            width: Hypotheses kept after each token.
            spread: How far below the best sentence found so far, by rank, one is still followed.
        """
        starts = self._graph.starts
        first, state = self._decoder.step(self._memory, self._decoder.start(), np.array([prompt]))
        rows = [0] * len(starts)
        outputs, state = first[rows, -1], state.pick(rows)
        totals = self._decoder.totals(outputs)
        partials = [_Partial(position, (), 0.0, -nats, 0) for position, nats in starts]
        found: list[Sentence] = []
        for _ in range(longest):
            grown = self._grow(partials, (outputs, totals), found)
            kept = width if partials[0].tokens else 2 * width
            partials = self._hopeful(grown[:kept], found, spread)
            if not partials:
                break
            state = state.pick([p.parent for p in partials])
            prefixes = [p.tokens for p in partials]
            outputs, totals, state = self._noise.step(self._memory, state, prefixes)
        # Not by the mean: it would rather leave out what is hard to hear of a long sentence.
        ranked = sorted(found, key=lambda s: s.rank, reverse=True)
        return self._count_repeats(prompt, ranked)

    def _count_repeats(self, prompt: Sequence[int], ranked: list[Sentence]) -> list[Sentence]:
        """Order sentences that differ in how often the same words stand there by probability alone.

        What words gain for being rare would otherwise be gained by every repetition.
        """
        if not ranked:
            return ranked
        vocabulary = frozenset(ranked[0].words)
        same = [s for s in ranked[:_COUNTED] if vocabulary == frozenset(s.words)]
        if not any(_runs_in_circles(s.words) for s in same):
            return ranked
        heard = force(self._decoder, self._memory, prompt, [s.tokens for s in same])
        likely = max(heard)
        best = ranked[0].rank
        counted = {
            s.tokens: replace(s, rank=best + nats - likely)
            for s, nats in zip(same, heard, strict=True)
        }
        others = [replace(s, rank=min(s.rank, best - 1e-6)) for s in ranked[_COUNTED:]]
        settled = [counted.get(s.tokens, s) for s in ranked[:_COUNTED]]
        return sorted([*settled, *others], key=lambda s: s.rank, reverse=True)

    def _hopeful(
        self, partials: list[_Partial], found: list[Sentence], spread: float
    ) -> list[_Partial]:
        """Return those that can still become the best sentence, or one that is weighed against it.

        A rank rises only by further words, and of those the time allows no more than so many.
        """
        if not found:
            return partials
        best = max(found, key=lambda sentence: sentence.rank)
        near = reach(len(best.tokens)) * len(best.tokens)
        limits = [near + GOING_ON * self._pace.left(p.position.words) for p in partials]
        return [
            p for p, limit in zip(partials, limits, strict=True)
            if p.rank > best.rank - min(spread, limit)
        ]  # fmt: skip

    def _grow(
        self,
        partials: list[_Partial],
        heard: tuple[Floats, Floats],
        found: list[Sentence],
    ) -> list[_Partial]:
        """Return what follows, the best first, and add the sentences that end here.

        Spellings of the same words at the same place go on as one: the best of them.
        """
        tokens = [self._graph.tokens(p.position) for p in partials]
        scores = self._decoder.relatives(*heard, tokens)
        on_noise = self._noise.scores([p.tokens for p in partials], tokens)
        options: list[_Option] = []
        for number, partial in enumerate(partials):
            fits = scores[number] - PRIOR * on_noise[number]
            ranks = partial.rank + _gains(
                scores[number], fits, self._graph.are_words(tokens[number])
            )
            options += [
                _Option(float(ranks[i]), number, int(tokens[number][i]), fits[i])
                for i in np.argsort(-ranks, kind="stable")[:_FOLLOWED]
            ]
        grown: dict[Position, _Partial] = {}
        for option in sorted(options, key=lambda option: -option.rank):
            partial = partials[option.parent]
            so_far, fit = (*partial.tokens, option.token), partial.fit + float(option.fit)
            position = self._graph.advance(partial.position, option.token)
            if position is None:
                found.append(Sentence(partial.position.words, so_far, fit, option.rank))
            elif not self._says_twice(position.words):
                strain = self._pace.strain(position.words)
                rank = option.rank - strain + self._pace.strain(partial.position.words)
                after = _Partial(position, so_far, fit, rank, option.parent)
                grown.setdefault(position, after)
        return sorted(grown.values(), key=lambda p: -p.rank)

    def _says_twice(self, words: tuple[str, ...]) -> bool:
        once = [word for word in words if word in self._graph.grammar.once]
        if len(once) > len(set(once)):
            return True
        return _runs_in_circles(words) and not self._pace.has_time_for(words)


def _gains(heard: Floats, fits: Floats, words: NDArray[np.bool_]) -> Floats:
    """Return what a sentence's rank gains by each token that may follow.

    Which of several words was said is decided by how well they fit, noise taken off. Whether
    another word was said at all is not: rare words gain so much by it that they would be heard
    again and again in the silence after the last one. That is for their probability as it is.

    Args:
        heard: Log-probabilities.
        fits: The same, less PRIOR of those on mere noise.
        words: Which tokens are of words; the others are marks and the end.
    """
    if not words.any():
        return fits
    gains = heard.copy()
    some = fits[words] - np.logaddexp.reduce(fits[words])
    gains[words] = np.logaddexp.reduce(heard[words]) + some + np.float32(GOING_ON)
    return gains


def _runs_in_circles(words: tuple[str, ...]) -> bool:
    """Whether the last words only repeat those before: Whisper likes that in long lists."""
    if len(words) >= _REPEATS and len(set(words[-_REPEATS:])) == 1:
        return True
    sizes = range(2, min(_CIRCLE, len(words) // 2) + 1)
    return any(words[-size:] == words[-2 * size : -size] for size in sizes)


def reach(tokens: int) -> float:
    """Return how far below the best sentence others are looked for, in nats for each token.

    What was not found lies at least so far below, as far as the search knows.
    """
    return max(RIVAL / tokens, RIVAL_TOKEN)


def force(
    decoder: Decoder, memory: Memory, prompt: Sequence[int], sentences: Sequence[tuple[int, ...]]
) -> list[float]:
    """Return each sentence's sum of log-probabilities on this sound, all in one pass."""
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
