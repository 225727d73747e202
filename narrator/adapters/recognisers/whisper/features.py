"""From samples to what Whisper's encoder takes: a levelled window, and its log-mel bands."""

from __future__ import annotations

import hashlib
from functools import cache
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from narrator.ports.audio import MIC_RATE

Floats: TypeAlias = NDArray[np.float32]

BANDS = 80
HOP = 160
"""Samples from one column to the next: 10 ms."""
_WIDTH = 400
_PEAK = 0.4
_GRAIN = 400
_QUIETEST = 0.0075
_LOUD = 0.1


def window(samples: NDArray[np.int16], seconds: float) -> Floats:
    """Level an utterance and pad it with noise of its own kind to at least `seconds`.

    Digital silence around speech is unlike anything Whisper was trained on; the noise is as loud
    as the utterance's own quietest parts, and the same every time.

    Returns:
        Samples at 16 kHz with a peak of 0.4; all zeros for digital silence.
    """
    sound: Floats = samples.astype(np.float32) / np.float32(32768)
    if len(sound):
        sound -= sound.mean()
    peak = float(np.abs(sound).max(initial=0))
    if peak > 0:
        sound *= _PEAK / peak
    missing = int(seconds * MIC_RATE) - len(sound)
    if missing <= 0:
        return sound
    noise = own_noise(sound, missing)
    before = min(missing // 2, MIC_RATE // 2)
    return np.concatenate([noise[:before], sound, noise[before:]])


def log_mel(sound: Floats) -> Floats:
    """Return Whisper's log-mel bands of samples at 16 kHz, shape (80, len(sound) // 160)."""
    padded = np.pad(sound, _WIDTH // 2, mode="reflect")
    frames = np.lib.stride_tricks.sliding_window_view(padded, _WIDTH)[::HOP][: len(sound) // HOP]
    taper = np.hanning(_WIDTH + 1)[:-1].astype(np.float32)
    power = np.abs(np.fft.rfft(frames * taper, axis=1)) ** 2
    bands = np.log10(np.maximum(_filters() @ power.T.astype(np.float32), 1e-10))
    bands = np.maximum(bands, bands.max() - 8)
    scaled: Floats = ((bands + 4) / 4).astype(np.float32)
    return scaled


def scatter(count: int) -> Floats:
    """Return numbers from 0 to 1 without order, the same ones every time."""
    bits = hashlib.shake_128(b"narrator").digest(2 * count)
    numbers: Floats = np.frombuffer(bits, np.uint16).astype(np.float32)
    numbers /= np.float32(65536)
    return numbers


def own_noise(sound: Floats, length: int) -> Floats:
    """Return `length` samples of even noise as loud as a sound's quietest parts.

    Pieces of the sound itself would do where it has pauses; a clip cut close to a word has none,
    and pieces of a vowel are heard as "oh". Zeros where the sound is too short to have parts.
    """
    grains = sound[: len(sound) // _GRAIN * _GRAIN].reshape(-1, _GRAIN)
    if not len(grains):
        return np.zeros(length, np.float32)
    level = float(np.percentile(np.sqrt((grains * grains).mean(axis=1)), 5))
    level = min(level, _QUIETEST * float(np.abs(sound).max()))
    return (scatter(length) - np.float32(0.5)) * np.float32(level * 12**0.5)


def loud_seconds(samples: NDArray[np.int16]) -> float:
    """Return how long the utterance is loud: its speech, with as little silence as may be."""
    grains = samples[: len(samples) // _GRAIN * _GRAIN].reshape(-1, _GRAIN).astype(np.float32)
    if not len(grains):
        return 0.0
    levels = np.sqrt((grains * grains).mean(axis=1))
    return float((levels > _LOUD * np.percentile(levels, 95)).sum()) * _GRAIN / MIC_RATE


@cache
def _filters() -> Floats:
    """Slaney's mel filters: linear below 1 kHz, logarithmic above, each of equal area."""
    edges = _hertz(np.linspace(0, float(_mel(np.array([8000.0]))[0]), BANDS + 2))
    bins = np.fft.rfftfreq(_WIDTH, 1 / MIC_RATE)
    away = edges[:, None] - bins
    gaps = np.diff(edges)
    rising = -away[:-2] / gaps[:-1, None]
    falling = away[2:] / gaps[1:, None]
    area = 2 / (edges[2:] - edges[:-2])
    triangles = np.maximum(0, np.minimum(rising, falling)) * area[:, None]
    return triangles.astype(np.float32)


_LINEAR = 200 / 3
_STEP = np.log(6.4) / 27


def _mel(hertz: NDArray[np.float64]) -> NDArray[np.float64]:
    above = 15 + np.log(np.maximum(hertz, 1) / 1000) / _STEP
    return np.where(hertz >= 1000, above, hertz / _LINEAR)


def _hertz(mel: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.where(mel >= 15, 1000 * np.exp(_STEP * (mel - 15)), mel * _LINEAR)
