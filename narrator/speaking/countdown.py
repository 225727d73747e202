"""The spoken countdown as one piece: every word's onset lies on its beat, to the sample."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from narrator.ports.audio import SPEAKER_RATE, Pcm

_LEVEL = 0.02
_FADE = 0.03
_GAP = 0.01


def onset(word: Pcm) -> int:
    """Return the first sample that exceeds 2 % of the word's peak; 0 for silence."""
    size = np.abs(word.astype(np.int32))
    if not size.size or not size.max():
        return 0
    return int(np.argmax(size > _LEVEL * size.max()))


def place(words: Sequence[Pcm], beat: float) -> Pcm:
    """Place words one beat apart; one that lasts longer is faded out before the next begins.

    Args:
        words: each word's samples at SPEAKER_RATE.
        beat: seconds from one onset to the next, the first being at sample 0.

    Returns:
        One clip that ends with the last word, which is never cut.

    Raises:
        ValueError: the beat is not longer than 50 ms.
    """
    if beat <= 0.05:
        raise ValueError("A countdown's beat must be longer than 50 ms.")
    starts = [round(index * beat * SPEAKER_RATE) for index in range(len(words))]
    spoken = [word[onset(word) :] for word in words]
    for index in range(len(words) - 1):
        spoken[index] = _fitting(spoken[index], starts[index + 1] - starts[index])
    length = max((start + word.size for start, word in zip(starts, spoken, strict=True)), default=0)
    piece = np.zeros(length, np.int16)
    for start, word in zip(starts, spoken, strict=True):
        piece[start : start + word.size] = word
    return piece


def _fitting(word: Pcm, room: int) -> Pcm:
    room -= round(_GAP * SPEAKER_RATE)
    if word.size <= room:
        return word
    fade = min(room, round(_FADE * SPEAKER_RATE))
    short = word[:room].astype(np.float32)
    short[room - fade :] *= np.linspace(1, 0, fade, dtype=np.float32)
    return np.rint(short).astype(np.int16)
