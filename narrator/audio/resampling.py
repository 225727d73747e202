"""From one sample rate to another; the only module that knows the library for it."""

from __future__ import annotations

from typing import Any, Literal, Protocol

import numpy as np
from numpy.typing import NDArray

from narrator.ports.audio import Pcm


class Resampler(Protocol):
    """Takes a stream piece by piece and remembers what the next piece needs."""

    def resample_chunk(self, sound: NDArray[Any], last: bool = False) -> NDArray[Any]:
        """Return what can be given of the stream so far, at the new rate; at last all of it."""
        ...


def resampler(rate: int, wanted: int, kind: Literal["int16", "float64"] = "int16") -> Resampler:
    """Return what brings a mono stream of samples of this type from one rate to another."""
    import soxr

    stream: Resampler = soxr.ResampleStream(rate, wanted, 1, dtype=kind)
    return stream


def resample(pcm: Pcm, rate: int, wanted: int) -> Pcm:
    """Return mono samples that have one rate at another."""
    return as_pcm(resampled(pcm.astype(np.float32) / 32768, rate, wanted))


def resampled(mono: NDArray[Any], rate: int, wanted: int) -> NDArray[Any]:
    """Return mono samples of any type at another rate, in their own scale and type."""
    if rate == wanted or not mono.size:
        return mono
    import soxr

    changed: NDArray[Any] = soxr.resample(mono, rate, wanted)
    return changed


def as_pcm(mono: NDArray[Any]) -> Pcm:
    """Return samples between -1 and 1 as 16-bit samples, what is louder clipped.

    The scale is that of a file's own 16 bits, so that what is read is what was written.
    """
    pcm: Pcm = np.rint(np.clip(mono * 32768, -32768, 32767)).astype(np.int16)
    return pcm
