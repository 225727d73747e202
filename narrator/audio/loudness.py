"""Loudness as ITU-R BS.1770 measures it, and the one level that every voice is brought to."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from narrator.ports.audio import SPEAKER_RATE, Pcm

SPEECH = -20.0
"""LUFS that every line is brought to, whatever its voice, rate and engine."""
CEILING = -1.0
"""dBTP that nothing exceeds, measured four times oversampled."""
SILENT = -70.0
"""LUFS below which there is nothing to be heard, and nothing to be made louder."""

_OFFSET = -0.691
_BLOCK, _HOP = 0.4, 0.1
_RELATIVE = 10.0
_MOST = 30.0
"""Decibels a line is raised at most: what is fainter still is noise."""
_PASSES, _NEAR = 4, 0.3
"""Turning peaks down makes a line fainter, so it is raised again until it is as near as this."""
_FULL = 32768.0
_OVER, _TAPS = 4, 12
_MARGIN = 0.15
_LOOK = round(0.002 * SPEAKER_RATE)

_Wave = NDArray[np.float64]
_Single = NDArray[np.float32]


def loudness(pcm: Pcm | _Wave | _Single, rate: int = SPEAKER_RATE) -> float:
    """Return the gated loudness in LUFS; what is shorter than a block of 0.4 s counts as one block.

    Args:
        pcm: samples, shape (n,), full scale 32768.
        rate: samples a second.

    Returns:
        LUFS of one loudspeaker; SILENT where nothing is heard.
    """
    powers = _block_powers(_weighted(np.asarray(pcm, np.float64) / _FULL, rate) ** 2, rate)
    powers = powers[_lufs(powers) > SILENT]
    if not powers.size:
        return SILENT
    gate = float(_lufs(powers.mean())) - _RELATIVE
    return float(_lufs(powers[_lufs(powers) > gate].mean()))


def true_peak(pcm: Pcm) -> float:
    """Return the highest value between the samples too, in dBTP; -inf for silence."""
    with np.errstate(divide="ignore"):
        return float(20 * np.log10(_peaks(pcm / _FULL).max(initial=0.0)))


def levelled(pcm: Pcm, volume: float = 1.0, target: float = SPEECH) -> Pcm:
    """Bring a line to the target, and peaks that this lifts beyond the ceiling under it.

    Args:
        pcm: samples at SPEAKER_RATE, shape (n,).
        volume: 0 to 1, taken from the target.
        target: LUFS.
    """
    now = loudness(pcm)
    if now <= SILENT:
        return pcm
    gain, wave = 0.0, pcm / _FULL
    for _ in range(_PASSES):
        gain = min(_MOST, gain + target - now)
        wave = limited(pcm / _FULL * 10 ** (gain / 20))
        now = loudness(wave * _FULL)
        if abs(target - now) < _NEAR or gain >= _MOST:
            break
    return np.rint(np.clip(wave * volume * _FULL, -32767, 32767)).astype(np.int16)


def limited(wave: _Wave) -> _Wave:
    """Turn a wave down around each peak that exceeds the ceiling, by a few ms on either side.

    Args:
        wave: samples at SPEAKER_RATE, 1.0 being full scale.
    """
    around = np.pad(wave, AHEAD)
    return wave * gains(wanted_gains(around)) if wave.size else wave


AHEAD = 2 * _LOOK
"""Samples that have to be known before and after those that are limited."""


def wanted_gains(wave: _Wave) -> _Wave:
    """Return what each sample is to be turned down by alone, 1.0 where it is low enough."""
    top = 10 ** ((CEILING - _MARGIN) / 20)
    wanted: _Wave = np.minimum(1.0, top / np.maximum(_peaks(wave), 1e-9))
    return wanted


def gains(wanted: _Wave) -> _Wave:
    """Smooth wanted gains so that they neither click nor miss; gives AHEAD less at both ends."""
    if wanted.min(initial=1.0) >= 1.0:
        return np.ones(wanted.size - 2 * AHEAD)
    lowest = np.lib.stride_tricks.sliding_window_view(wanted, 2 * _LOOK + 1).min(axis=1)
    bell = np.hanning(2 * _LOOK + 3)[1:-1]
    smooth: _Wave = np.convolve(lowest, bell / bell.sum(), "valid")
    return smooth


def _block_powers(squares: _Wave, rate: int) -> _Wave:
    block, hop = round(_BLOCK * rate), round(_HOP * rate)
    if squares.size <= block:
        return np.array([squares.mean()]) if squares.size else np.zeros(0)
    total = np.concatenate([[0.0], np.cumsum(squares)])
    starts = np.arange(0, squares.size - block + 1, hop)
    powers: _Wave = (total[starts + block] - total[starts]) / block
    return powers


def _lufs(power: _Wave | float) -> _Wave:
    return _OFFSET + 10 * np.log10(np.maximum(power, 1e-12))


def _weighted(wave: _Wave, rate: int) -> _Wave:
    """Filter by what the ear takes for loud; without phase, which power knows nothing of."""
    size = _fast(wave.size + rate // 4)
    weighted: _Wave = np.fft.irfft(np.fft.rfft(wave, size) * _weights(size, rate), size)
    return weighted[: wave.size]


@lru_cache(maxsize=16)
def _weights(size: int, rate: int) -> _Wave:
    """Return the two filters of BS.1770 as gains by frequency, as it defines them for 48 kHz."""
    turn = np.exp(-2j * np.pi * np.fft.rfftfreq(size, 1 / rate) / 48_000)
    shelf = (1.53512485958697 - 2.69169618940638 * turn + 1.19839281085285 * turn**2) / (
        1 - 1.69065929318241 * turn + 0.73248077421585 * turn**2
    )
    high_pass = (1 - turn) ** 2 / (1 - 1.99004745483398 * turn + 0.99007225036621 * turn**2)
    weights: _Wave = np.abs(shelf * high_pass)
    return weights


def _peaks(wave: _Wave) -> _Wave:
    """Return the highest of the four values from each sample on, as a converter would draw them."""
    highest = np.abs(wave)
    for filter_ in _BETWEEN:
        between = np.abs(np.convolve(wave, filter_, "same"))
        np.maximum(highest, between, out=highest)
    return highest


def _interpolators() -> list[_Wave]:
    places = np.arange(-_TAPS, _TAPS + 1)
    shifts = [quarter / _OVER for quarter in range(1, _OVER)]
    window = [np.cos(np.pi * (places - s) / (2 * _TAPS + 2)) ** 2 for s in shifts]
    return [np.sinc(places - s) * w for s, w in zip(shifts, window, strict=True)]


_BETWEEN = _interpolators()


def _fast(least: int) -> int:
    """Return a size that is transformed quickly: an odd prime would take seconds."""
    power = 1 << max(8, (least - 1).bit_length())
    return next(s for s in (power * 5 // 8, power * 3 // 4, power) if s >= least)
