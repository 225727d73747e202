"""Internal language model subtraction: how likely sentences are whatever was said.

The decoder prefers some sentences even where it hears nothing but noise. That preference is its
internal language model, and the search subtracts it. It is the same for every utterance, so it is
cached.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from narrator.adapters.recognisers.whisper.decoder import CrossAttention, Decoder, Floats, KVCache

Prefix: TypeAlias = tuple[int, ...]
KEPT_BYTES = 24_000_000
"""Prefixes are cached up to this size, the least recently used dropped first. One takes 6 kB for
each of its tokens, so these are four thousand tokens. Long orders reuse few of them, short answers
all."""


class _Entry(NamedTuple):
    cache: KVCache
    output: Floats
    log_partition: float

    @property
    def bytes(self) -> int:
        """Size in memory."""
        kept = (*self.cache.keys, *self.cache.values, self.output)
        return sum(array.nbytes for array in kept)


class InternalLanguageModel:
    """Scores tokens as if nothing but noise had been heard.

    Args:
        decoder: Scores tokens.
        noise: The noise.
        prompt: Whisper's own tokens that begin every text.
    """

    def __init__(self, decoder: Decoder, noise: CrossAttention, prompt: Sequence[int]) -> None:
        self._decoder, self._noise = decoder, noise
        outputs, cache = decoder.step(noise, decoder.start(), np.array([prompt]))
        last = outputs[:, -1]
        self._root = _Entry(_halved(cache), last[0], float(decoder.log_partitions(last)[0]))
        self._kept: OrderedDict[Prefix, _Entry] = OrderedDict()
        self.bytes = 0
        """Size of the cached entries in memory."""

    def step(
        self, sound: CrossAttention, cache: KVCache, prefixes: Sequence[Prefix]
    ) -> tuple[Floats, Floats, KVCache]:
        """Step the utterance by the last token of each prefix, and cache what is missing here.

        Doing both in one step takes hardly longer than either.

        Args:
            sound: The utterance.
            cache: That of the utterance's hypotheses, before these tokens.
            prefixes: Those of the hypotheses, at least one, all of one length.

        Returns:
            The outputs, shape (hypotheses, 384), their log-partitions, and the cache.
        """
        missing = [p for p in dict.fromkeys(prefixes) if p not in self._kept]
        count = len(prefixes)
        last = np.array([[prefix[-1]] for prefix in (*prefixes, *missing)])
        heard = [(sound, count)]
        if missing:
            heard.append((self._noise, len(missing)))
            cache = cache.beside(self._before(missing))
        outputs, cache = self._decoder.step_beside(heard, cache, last)
        ends = outputs[:, -1]
        log_partitions = self._decoder.log_partitions(ends)
        for number, prefix in enumerate(missing, count):
            self._keep(prefix, _entry(ends, log_partitions, cache, number))
        return (
            ends[:count],
            log_partitions[:count],
            cache.reorder(range(count)) if missing else cache,
        )

    def scores(
        self, prefixes: Sequence[Prefix], wanted: Sequence[NDArray[np.int64]]
    ) -> list[Floats]:
        """Return the log-probabilities after each of these prefixes, all of one length."""
        entries = self._entries(prefixes)
        return [
            self._decoder.relative(entry.output, entry.log_partition, tokens)
            for entry, tokens in zip(entries, wanted, strict=True)
        ]

    def _entries(self, prefixes: Sequence[Prefix]) -> list[_Entry]:
        if not prefixes[0]:
            return [self._root] * len(prefixes)
        missing = [p for p in dict.fromkeys(prefixes) if p not in self._kept]
        found = {p: self._kept[p] for p in prefixes if p in self._kept}
        if missing:
            found |= dict(zip(missing, self._work_out(missing), strict=True))
        for prefix, entry in found.items():
            self._keep(prefix, entry)
        while self.bytes > KEPT_BYTES:
            self.bytes -= self._kept.popitem(last=False)[1].bytes
        return [found[p] for p in prefixes]

    def _keep(self, prefix: Prefix, entry: _Entry) -> None:
        """Cache an entry as the most recently used."""
        if prefix not in self._kept:
            self.bytes += entry.bytes
        self._kept[prefix] = entry
        self._kept.move_to_end(prefix)

    def _work_out(self, prefixes: Sequence[Prefix]) -> list[_Entry]:
        tokens = np.array([[prefix[-1]] for prefix in prefixes])
        outputs, cache = self._decoder.step(self._noise, self._before(prefixes), tokens)
        ends = outputs[:, -1]
        log_partitions = self._decoder.log_partitions(ends)
        return [_entry(ends, log_partitions, cache, n) for n in range(len(prefixes))]

    def _before(self, prefixes: Sequence[Prefix]) -> KVCache:
        """Return the cache without each prefix's last token."""
        parents = self._entries([prefix[:-1] for prefix in prefixes])
        layers = range(len(self._root.cache.keys))
        return KVCache(
            tuple(_joined([p.cache.keys[n] for p in parents]) for n in layers),
            tuple(_joined([p.cache.values[n] for p in parents]) for n in layers),
        )


def _entry(outputs: Floats, log_partitions: Floats, cache: KVCache, row: int) -> _Entry:
    return _Entry(_halved(cache.reorder([row])), outputs[row].copy(), float(log_partitions[row]))


def _halved(cache: KVCache) -> KVCache:
    return KVCache(
        tuple(keys.astype(np.float16) for keys in cache.keys),
        tuple(values.astype(np.float16) for values in cache.values),
    )


def _joined(parts: Sequence[NDArray[np.generic]]) -> Floats:
    joined: Floats = np.concatenate(parts).astype(np.float32)
    return joined
