"""Whisper's text decoder in numpy: what CTranslate2 computes, with a KV cache kept between steps.

`ctranslate2.models.Whisper.generate()` starts every call from scratch: it projects the sound again
for every hypothesis and scores the whole prefix again, 5 to 9 ms a token. A search that may only
follow a grammar asks for the next token many times, so the KV cache is kept here and a step costs
the same for a sentence's first word and its last. A test compares the figures with CTranslate2's.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from narrator.adapters.recognisers.whisper.weights import read_variables

Floats: TypeAlias = NDArray[np.float32]

_HEADS = 6
_FREQUENT = 16_384  # tokens are numbered roughly by how frequent they are
END = 50_256
"""The token that ends a text."""
_ERF = (1.061405429, -1.453152027, 1.421413741, -0.284496736, 0.254829592)


_Sound: TypeAlias = tuple[Floats, Floats, int]
"""Keys and values of a sound in one layer, and how many hypotheses are of it."""


@dataclass(frozen=True, slots=True)
class CrossAttention:
    """Cross-attention keys and values of an utterance, by layer, for every hypothesis."""

    keys: tuple[Floats, ...]
    """Shape (heads, width, frames)."""
    values: tuple[Floats, ...]
    """Shape (heads, frames, width)."""


@dataclass(frozen=True, slots=True)
class KVCache:
    """Self-attention keys and values of a batch of hypotheses' tokens so far, by layer."""

    keys: tuple[Floats, ...]
    """Shape (hypotheses, heads, tokens, width)."""
    values: tuple[Floats, ...]
    """Shape (hypotheses, heads, tokens, width)."""

    @property
    def length(self) -> int:
        """Tokens so far."""
        return int(self.keys[0].shape[2])

    def reorder(self, rows: Sequence[int]) -> KVCache:
        """Return the cache of these hypotheses, in this order; a row may occur repeatedly."""
        index = list(rows)
        return KVCache(tuple(k[index] for k in self.keys), tuple(v[index] for v in self.values))

    def beside(self, other: KVCache) -> KVCache:
        """Return both, one after the other; they have the same number of tokens."""
        return KVCache(
            tuple(np.concatenate(pair) for pair in zip(self.keys, other.keys, strict=True)),
            tuple(np.concatenate(pair) for pair in zip(self.values, other.values, strict=True)),
        )


class Decoder:
    """The decoder of one model file."""

    def __init__(self, model: Path) -> None:
        raw = read_variables(model, "decoder/")
        weights = {
            name: array.astype(np.float32)
            for name, array in raw.items()
            if "embeddings" not in name
        }
        self._embeddings = raw["embeddings/weight"].astype(np.float16)
        frequent = [*range(_FREQUENT), END]
        self._frequent = np.ascontiguousarray(self._embeddings[frequent].astype(np.float32).T)
        self._positions = weights["position_encodings/encodings"]
        self._norm = _Norm.of(weights, "layer_norm")
        count = sum(name.endswith("ffn/linear_0/weight") for name in weights)
        self._layers = [_Layer.of(weights, f"layer_{n}/") for n in range(count)]

    def listen(self, encoded: Floats) -> CrossAttention:
        """Project the encoder's output, shape (frames, 384), for every later step."""
        pairs = [_split(layer.cross_in(encoded), 2) for layer in self._layers]
        return CrossAttention(
            tuple(np.ascontiguousarray(keys.swapaxes(1, 2)) for keys, _ in pairs),
            tuple(values for _, values in pairs),
        )

    def start(self) -> KVCache:
        """Return the cache of one hypothesis that has no token yet."""
        empty = np.zeros((1, _HEADS, 0, 64), np.float32)
        layers = len(self._layers)
        return KVCache((empty,) * layers, (empty,) * layers)

    def step(
        self, sound: CrossAttention, cache: KVCache, tokens: NDArray[np.int64]
    ) -> tuple[Floats, KVCache]:
        """Append tokens, shape (hypotheses, n); return the outputs after each, and the new cache.

        Returns:
            The outputs, shape (hypotheses, n, 384), which `scores` takes, and the cache.
        """
        return self.step_beside([(sound, len(tokens))], cache, tokens)

    def step_beside(
        self, heard: Sequence[tuple[CrossAttention, int]], cache: KVCache, tokens: NDArray[np.int64]
    ) -> tuple[Floats, KVCache]:
        """Append tokens to hypotheses of several sounds at once.

        A step's time goes into reading the weights: a second sound costs little beside the first.

        Args:
            heard: Each sound, and how many of the hypotheses are of it.
            cache: That of the hypotheses, in this order and of one length.
            tokens: Shape (hypotheses, n).
        """
        begin = cache.length
        x = (
            self._embeddings[tokens].astype(np.float32)
            + self._positions[begin : begin + tokens.shape[1]]
        )
        keys, values = [], []
        for number, layer in enumerate(self._layers):
            past = (cache.keys[number], cache.values[number])
            sounds = [(m.keys[number], m.values[number], rows) for m, rows in heard]
            x, key, value = layer.run(x, past, sounds)
            keys.append(key)
            values.append(value)
        return self._norm(x), KVCache(tuple(keys), tuple(values))

    def all_scores(self, output: Floats) -> Floats:
        """Return the next token's log-probabilities, (vocabulary,), for one output (384,)."""
        logits = self._embeddings.astype(np.float32) @ output
        peak = logits.max()
        scores: Floats = logits - (peak + np.log(np.exp(logits - peak).sum()))
        return scores

    def scores(self, outputs: Floats, wanted: Sequence[NDArray[np.int64]]) -> list[Floats]:
        """Return, for each output (n, 384), the log-probabilities of the tokens wanted there.

        The sum they are relative to runs over the frequent tokens and the wanted ones, not over all
        51,864: that takes a third of the time and moves a figure by 0.03 (median).
        """
        return self.relatives(outputs, self.log_partitions(outputs), wanted)

    def relatives(
        self, outputs: Floats, log_partitions: Floats, wanted: Sequence[NDArray[np.int64]]
    ) -> list[Floats]:
        """Return the same as `scores` where the log-partitions are known."""
        return [
            self.relative(output, float(log_partition), tokens)
            for output, log_partition, tokens in zip(outputs, log_partitions, wanted, strict=True)
        ]

    def log_partitions(self, outputs: Floats) -> Floats:
        """Return, for each output (n, 384), the log-partition over the frequent tokens."""
        logits = outputs @ self._frequent
        peaks = logits.max(axis=1)
        log_partitions: Floats = np.log(np.exp(logits - peaks[:, None]).sum(axis=1)) + peaks
        return log_partitions

    def relative(self, output: Floats, log_partition: float, tokens: NDArray[np.int64]) -> Floats:
        """Return log-probabilities of tokens after one output (384,) of known log-partition."""
        scores = self._embeddings[tokens].astype(np.float32) @ output
        rare = scores[(tokens >= _FREQUENT) & (tokens != END)]
        relative: Floats = scores - np.logaddexp.reduce(np.append(rare, np.float32(log_partition)))
        return relative


@dataclass(frozen=True, slots=True)
class _Linear:
    weight: Floats
    bias: Floats

    @classmethod
    def of(cls, weights: dict[str, Floats], name: str) -> _Linear:
        return cls(np.ascontiguousarray(weights[f"{name}/weight"].T), weights[f"{name}/bias"])

    def __call__(self, x: Floats) -> Floats:
        flat = x.reshape(-1, x.shape[-1]) @ self.weight + self.bias
        return flat.reshape(*x.shape[:-1], -1)


@dataclass(frozen=True, slots=True)
class _Norm:
    gamma: Floats
    beta: Floats

    @classmethod
    def of(cls, weights: dict[str, Floats], name: str) -> _Norm:
        return cls(weights[f"{name}/gamma"], weights[f"{name}/beta"])

    def __call__(self, x: Floats) -> Floats:
        centred = x - x.mean(axis=-1, keepdims=True)
        spread = np.sqrt((centred * centred).mean(axis=-1, keepdims=True) + np.float32(1e-5))
        normal: Floats = centred / spread * self.gamma + self.beta
        return normal


@dataclass(frozen=True, slots=True)
class _Layer:
    self_norm: _Norm
    self_in: _Linear
    self_out: _Linear
    cross_norm: _Norm
    cross_query: _Linear
    cross_in: _Linear
    cross_out: _Linear
    feed_norm: _Norm
    feed_in: _Linear
    feed_out: _Linear

    @classmethod
    def of(cls, weights: dict[str, Floats], at: str) -> _Layer:
        self_at, cross_at, feed_at = at + "self_attention/", at + "attention/", at + "ffn/"
        return cls(
            _Norm.of(weights, self_at + "layer_norm"),
            _Linear.of(weights, self_at + "linear_0"),
            _Linear.of(weights, self_at + "linear_1"),
            _Norm.of(weights, cross_at + "layer_norm"),
            _Linear.of(weights, cross_at + "linear_0"),
            _Linear.of(weights, cross_at + "linear_1"),
            _Linear.of(weights, cross_at + "linear_2"),
            _Norm.of(weights, feed_at + "layer_norm"),
            _Linear.of(weights, feed_at + "linear_0"),
            _Linear.of(weights, feed_at + "linear_1"),
        )

    def run(
        self, x: Floats, past: tuple[Floats, Floats], sounds: Sequence[_Sound]
    ) -> tuple[Floats, Floats, Floats]:
        batch, length, _ = x.shape
        query, key, value = (
            part.reshape(_HEADS, batch, length, -1).swapaxes(0, 1)
            for part in _split(self.self_in(self.self_norm(x)).reshape(batch * length, -1), 3)
        )
        key = np.concatenate([past[0], key], axis=2)
        value = np.concatenate([past[1], value], axis=2)
        x = x + self.self_out(_merge(_attend(query, key.swapaxes(2, 3), value, causal=True)))
        (query,) = _split(self.cross_query(self.cross_norm(x)).reshape(batch * length, -1), 1)
        heard = _listen(query, sounds, length).swapaxes(0, 1)
        x = x + self.cross_out(heard.reshape(batch, length, -1))
        return x + self.feed_out(_gelu(self.feed_in(self.feed_norm(x)))), key, value


def _split(x: Floats, parts: int) -> list[Floats]:
    """(n, parts * 384) -> `parts` arrays of shape (heads, n, width)."""
    shaped = x.reshape(len(x), parts, _HEADS, -1)
    return [np.ascontiguousarray(shaped[:, part].swapaxes(0, 1)) for part in range(parts)]


def _listen(query: Floats, sounds: Sequence[_Sound], length: int) -> Floats:
    """Return what each query, (heads, hypotheses * length, width), attends to in its sound."""
    ends = np.cumsum([rows * length for _, _, rows in sounds])
    parts = [
        _attend(part, keys, values, causal=False)
        for part, (keys, values, _) in zip(np.split(query, ends[:-1], axis=1), sounds, strict=True)
    ]
    return parts[0] if len(parts) == 1 else np.concatenate(parts, axis=1)


def _merge(x: Floats) -> Floats:
    """(batch, heads, n, width) -> (batch, n, 384)."""
    batch, _, length, _ = x.shape
    return x.swapaxes(1, 2).reshape(batch, length, -1)


def _attend(query: Floats, keys: Floats, values: Floats, *, causal: bool) -> Floats:
    weights = (query * np.float32(query.shape[-1] ** -0.5)) @ keys
    rows, columns = weights.shape[-2:]
    if causal and rows > 1:
        weights = weights + np.triu(np.full((rows, columns), -1e9, np.float32), columns - rows + 1)
    weights = np.exp(weights - weights.max(axis=-1, keepdims=True))
    attended: Floats = (weights / weights.sum(axis=-1, keepdims=True)) @ values
    return attended


def _gelu(x: Floats) -> Floats:
    # A polynomial for erf (Abramowitz and Stegun 7.1.26, error below 2e-7): numpy has none.
    z = np.abs(x) * np.float32(0.70710678)
    t = 1 / (1 + np.float32(0.3275911) * z)
    series = np.zeros_like(t)
    for factor in _ERF:
        series = (series + np.float32(factor)) * t
    erf = np.sign(x) * (1 - series * np.exp(-z * z))
    gated: Floats = 0.5 * x * (1 + erf)
    return gated
