"""What sentences are worth on mere noise: the same for every utterance, so it is kept."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from narrator.adapters.recognisers.whisper.decoder import Decoder, Floats, Memory, State

Prefix: TypeAlias = tuple[int, ...]
KEPT_BYTES = 24_000_000
"""Beginnings of sentences that are kept, the latest used: one takes 6 kB for each of its tokens, so
these are four thousand tokens. Long orders come back to few of them, short answers to all."""


class _Entry(NamedTuple):
    state: State
    output: Floats
    total: float

    @property
    def bytes(self) -> int:
        """What it takes of memory."""
        kept = (*self.state.keys, *self.state.values, self.output)
        return sum(array.nbytes for array in kept)


class NoisePrior:
    """Scores tokens as if nothing but noise had been heard.

    Args:
        decoder: Scores tokens.
        noise: The noise.
        prompt: Whisper's own tokens that begin every text.
    """

    def __init__(self, decoder: Decoder, noise: Memory, prompt: Sequence[int]) -> None:
        self._decoder, self._noise = decoder, noise
        outputs, state = decoder.step(noise, decoder.start(), np.array([prompt]))
        last = outputs[:, -1]
        self._root = _Entry(_halved(state), last[0], float(decoder.totals(last)[0]))
        self._kept: OrderedDict[Prefix, _Entry] = OrderedDict()
        self.bytes = 0
        """What is kept takes so much memory."""

    def step(
        self, memory: Memory, state: State, prefixes: Sequence[Prefix]
    ) -> tuple[Floats, Floats, State]:
        """Take the last token of each prefix as heard, and work out what is not known here of them.

        Both are done in one go, which takes hardly longer than one of them.

        Args:
            memory: The utterance.
            state: Of the utterance's hypotheses, before these tokens.
            prefixes: Theirs, at least one, all of one length.

        Returns:
            The outputs, shape (hypotheses, 384), the totals of `Decoder.totals`, and the state.
        """
        missing = [p for p in dict.fromkeys(prefixes) if p not in self._kept]
        count = len(prefixes)
        last = np.array([[prefix[-1]] for prefix in (*prefixes, *missing)])
        heard = [(memory, count)]
        if missing:
            heard.append((self._noise, len(missing)))
            state = state.beside(self._before(missing))
        outputs, state = self._decoder.step_beside(heard, state, last)
        ends = outputs[:, -1]
        totals = self._decoder.totals(ends)
        for number, prefix in enumerate(missing, count):
            self._keep(prefix, _entry(ends, totals, state, number))
        return ends[:count], totals[:count], state.pick(range(count)) if missing else state

    def scores(
        self, prefixes: Sequence[Prefix], wanted: Sequence[NDArray[np.int64]]
    ) -> list[Floats]:
        """Give, after each of these beginnings, all of one length, the log-probabilities there."""
        entries = self._entries(prefixes)
        return [
            self._decoder.relative(entry.output, entry.total, tokens)
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
        """Keep one as the latest used."""
        if prefix not in self._kept:
            self.bytes += entry.bytes
        self._kept[prefix] = entry
        self._kept.move_to_end(prefix)

    def _work_out(self, prefixes: Sequence[Prefix]) -> list[_Entry]:
        tokens = np.array([[prefix[-1]] for prefix in prefixes])
        outputs, state = self._decoder.step(self._noise, self._before(prefixes), tokens)
        ends = outputs[:, -1]
        totals = self._decoder.totals(ends)
        return [_entry(ends, totals, state, n) for n in range(len(prefixes))]

    def _before(self, prefixes: Sequence[Prefix]) -> State:
        """Return the states without each prefix's last token."""
        parents = self._entries([prefix[:-1] for prefix in prefixes])
        layers = range(len(self._root.state.keys))
        return State(
            tuple(_joined([p.state.keys[n] for p in parents]) for n in layers),
            tuple(_joined([p.state.values[n] for p in parents]) for n in layers),
        )


def _entry(outputs: Floats, totals: Floats, state: State, row: int) -> _Entry:
    return _Entry(_halved(state.pick([row])), outputs[row].copy(), float(totals[row]))


def _halved(state: State) -> State:
    return State(
        tuple(keys.astype(np.float16) for keys in state.keys),
        tuple(values.astype(np.float16) for values in state.values),
    )


def _joined(parts: Sequence[NDArray[np.generic]]) -> Floats:
    joined: Floats = np.concatenate(parts).astype(np.float32)
    return joined
