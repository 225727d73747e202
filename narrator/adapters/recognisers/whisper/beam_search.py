"""Beam search for the sentence of a grammar that fits a sound best."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from narrator.adapters.recognisers.whisper.decoder import CrossAttention, Decoder, Floats
from narrator.adapters.recognisers.whisper.internal_language_model import InternalLanguageModel
from narrator.adapters.recognisers.whisper.token_graph import Position, TokenGraph
from narrator.language.names.syllables import count

WIDTH = 6
"""Hypotheses kept after each token; twice as many after the first, where all answers part."""
PRIOR_WEIGHT = 0.6
"""Weight of internal language model subtraction: this much of a token's log-probability on mere
noise is subtracted. Fitted on real voices."""
INSERTION_BONUS = 2.2
"""Nats added for each token of a word, so that long sentences are not at a disadvantage."""
FAST = 6.0
"""Syllables a second that are rarely said."""
CALM = 4.0
"""Syllables a second of somebody who says a list: words that repeat themselves count as heard again
by mistake where there was no time for them at this rate."""
DRAWLED = 1.8
"""Syllables a second of somebody who takes their time: of 64 synthetic lists none had fewer than
2.1, and "kim nine" for three players' points had 0.8."""
HURRIED = 2.0
"""Nats for each syllable beyond."""
RIVAL, RIVAL_TOKEN = 6.0, 1.2
"""Nats below the best sentence, at least and for each of its tokens, where no margin that is asked
for anywhere lies."""
_SPELT = 6
"""Tokens of single letters, two to a letter, from which on letters are what is chosen from: fewer
are articles and pronouns."""
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
    """Sum of its tokens' log-probabilities, the end too, less PRIOR_WEIGHT of those on noise."""
    rank: float
    """What sentences are ordered by; see `_gains`."""

    @property
    def mean(self) -> float:
        """Fit of a token on average."""
        return self.fit / len(self.tokens)


@dataclass(frozen=True, slots=True)
class PartialHypothesis:
    """The beginning of a sentence and how well it fits so far."""

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
        """Return the nats by which this many words are less likely."""
        return HURRIED * max(0.0, -self._left(words))

    def left(self, words: Sequence[str]) -> float:
        """Return the syllables that there is still time for."""
        return max(0.0, self._left(words))

    def has_time_for(self, words: Sequence[str]) -> bool:
        """Whether this many words can be said without hurry."""
        return count(words) <= CALM * self.seconds + 1

    def leaves_out(self, words: Sequence[str]) -> bool:
        """Whether even who drawls says more in this time."""
        return bool(words) and count(words) < DRAWLED * self.seconds - 1

    def _left(self, words: Sequence[str]) -> float:
        return FAST * self.seconds + 1 - count(words)


class _Option(NamedTuple):
    """A token that may follow a hypothesis."""

    rank: float
    parent: int
    token: int
    fit: np.float32


class Search:
    """Searches one utterance."""

    def __init__(
        self,
        decoder: Decoder,
        sound: CrossAttention,
        graph: TokenGraph,
        noise: InternalLanguageModel,
        pace: Pace,
    ) -> None:
        """Prepare a search.

        Args:
            decoder: Scores tokens.
            sound: The utterance.
            graph: What may be said.
            noise: The internal language model, subtracted because words that are likely
                whatever was said would otherwise crowd the others out.
            pace: How much can be said in the time.
        """
        self._decoder = decoder
        self._noise = noise
        self._sound = sound
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
        first, cache = self._decoder.step(self._sound, self._decoder.start(), np.array([prompt]))
        rows = [0] * len(starts)
        outputs, cache = first[rows, -1], cache.reorder(rows)
        log_partitions = self._decoder.log_partitions(outputs)
        hypotheses = [PartialHypothesis(position, (), 0.0, -nats, 0) for position, nats in starts]
        found: list[Sentence] = []
        for _ in range(longest):
            grown = self._grow(hypotheses, (outputs, log_partitions), found)
            kept = width if hypotheses[0].tokens else 2 * width
            hypotheses = self._hopeful(grown[:kept], found, spread)
            if not hypotheses:
                break
            cache = cache.reorder([p.parent for p in hypotheses])
            prefixes = [p.tokens for p in hypotheses]
            outputs, log_partitions, cache = self._noise.step(self._sound, cache, prefixes)
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
        heard = force(self._decoder, self._sound, prompt, [s.tokens for s in same])
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
        self, hypotheses: list[PartialHypothesis], found: list[Sentence], spread: float
    ) -> list[PartialHypothesis]:
        """Return those that can still become the best sentence, or one that is weighed against it.

        A rank rises only by further words, and of those the time allows no more than so many.
        """
        if not found:
            return hypotheses
        best = max(found, key=lambda sentence: sentence.rank)
        near = reach(len(best.tokens)) * len(best.tokens)
        limits = [near + INSERTION_BONUS * self._pace.left(p.position.words) for p in hypotheses]
        return [
            p for p, limit in zip(hypotheses, limits, strict=True)
            if p.rank > best.rank - min(spread, limit)
        ]  # fmt: skip

    def _grow(
        self,
        hypotheses: list[PartialHypothesis],
        heard: tuple[Floats, Floats],
        found: list[Sentence],
    ) -> list[PartialHypothesis]:
        """Return what follows, the best first, and add the sentences that end here.

        Spellings of the same words at the same place go on as one: the best of them.
        """
        tokens = [self._graph.tokens(p.position) for p in hypotheses]
        scores = self._decoder.relatives(*heard, tokens)
        on_noise = self._on_noise(hypotheses, tokens)
        options: list[_Option] = []
        for number, hypothesis in enumerate(hypotheses):
            fits = scores[number] - PRIOR_WEIGHT * on_noise[number]
            ranks = hypothesis.rank + _gains(
                scores[number], fits, self._graph.are_words(tokens[number])
            )
            options += [
                _Option(float(ranks[i]), number, int(tokens[number][i]), fits[i])
                for i in np.argsort(-ranks, kind="stable")[:_FOLLOWED]
            ]
        grown: dict[Position, PartialHypothesis] = {}
        for option in sorted(options, key=lambda option: -option.rank):
            hypothesis = hypotheses[option.parent]
            so_far, fit = (*hypothesis.tokens, option.token), hypothesis.fit + float(option.fit)
            position = self._graph.advance(hypothesis.position, option.token)
            if position is None:
                found.append(Sentence(hypothesis.position.words, so_far, fit, option.rank))
            elif not self._says_twice(position.words):
                strain = self._pace.strain(position.words)
                rank = option.rank - strain + self._pace.strain(hypothesis.position.words)
                after = PartialHypothesis(position, so_far, fit, rank, option.parent)
                grown.setdefault(position, after)
        return sorted(grown.values(), key=lambda p: -p.rank)

    def _on_noise(
        self, hypotheses: list[PartialHypothesis], tokens: list[NDArray[np.int64]]
    ) -> list[Floats]:
        """Return log-probabilities on noise, where letters are chosen from one for all of them.

        On noise "a" is an article that something must follow, many times as likely as any other
        letter and never the end. As an answer no letter is likelier than another.
        """
        scores = self._noise.scores([p.tokens for p in hypotheses], tokens)
        for number, (hypothesis, wanted) in enumerate(zip(hypotheses, tokens, strict=True)):
            letters, words = self._graph.are_letters(wanted), self._graph.are_words(wanted)
            levelled = scores[number].copy()
            if letters.sum() >= _SPELT:
                levelled[letters] = levelled[letters].mean()
            last = np.array(hypothesis.tokens[-1:], np.int64)
            if self._graph.are_letters(last).any() and not words.any():
                levelled[:] = 0
            scores[number] = levelled
        return scores

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
        fits: The same, less PRIOR_WEIGHT of those on mere noise.
        words: Which tokens are of words; the others are marks and the end.
    """
    if not words.any():
        return fits
    gains = heard.copy()
    some = fits[words] - np.logaddexp.reduce(fits[words])
    gains[words] = np.logaddexp.reduce(heard[words]) + some + np.float32(INSERTION_BONUS)
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
    decoder: Decoder,
    sound: CrossAttention,
    prompt: Sequence[int],
    sentences: Sequence[tuple[int, ...]],
) -> list[float]:
    """Return each sentence's sum of log-probabilities on this sound, all in one pass."""
    longest = max(len(tokens) for tokens in sentences)
    padded = np.array([[*prompt, *t[:-1], *[0] * (longest - len(t))] for t in sentences])
    cache = decoder.start().reorder([0] * len(sentences))
    outputs, _ = decoder.step(sound, cache, padded)
    begin = len(prompt) - 1
    flat = [
        output[begin + n]
        for output, t in zip(outputs, sentences, strict=True)
        for n in range(len(t))
    ]
    scores = decoder.scores(np.array(flat), [np.array([token]) for t in sentences for token in t])
    ends = np.cumsum([len(tokens) for tokens in sentences])
    return [float(part.sum()) for part in np.split(np.concatenate(scores), ends[:-1])]
