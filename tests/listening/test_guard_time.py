"""What is kept of the guard time: speech that still goes on at its end, from its beginning."""

from __future__ import annotations

import numpy as np
import pytest

from narrator.listening.guard_time import GuardTime
from narrator.ports.audio import BLOCK, MIC_RATE, Pcm

pytestmark = pytest.mark.unit
LOUD = (3000 * np.sin(np.arange(BLOCK) / 9)).astype(np.int16)
ROOM = np.full(BLOCK, 3, np.int16)


class LevelDetector:
    frame = 512

    def probability(self, frame: Pcm) -> float:
        return float(np.abs(frame).max() > 500)

    def reset(self) -> None:
        """Keeps nothing."""


def kept(*blocks: Pcm) -> float:
    guard = GuardTime()
    for block in blocks:
        guard.add(block)
    taken = guard.take(LevelDetector())
    assert guard.take(LevelDetector()).size == 0
    return len(taken) / MIC_RATE


@pytest.mark.parametrize(
    ("blocks", "seconds"),
    [
        ([], 0.0),
        ([ROOM] * 5, 0.0),
        # An echo that has died away.
        ([LOUD, LOUD, ROOM, ROOM, ROOM], 0.0),
        # Speech that goes on, with a little before it.
        ([ROOM, ROOM, ROOM, LOUD, LOUD], 0.3),
        # The echo before it is another matter.
        ([LOUD, ROOM, ROOM, LOUD, LOUD], 0.3),
        # A stop consonant is no gap.
        ([ROOM, ROOM, LOUD, ROOM, LOUD], 0.4),
        # The narrator is silent at once, and so is nobody else.
        ([ROOM, LOUD, LOUD, LOUD, LOUD], 0.5),
        # Where somebody speaks all the time, the beginning may be the narrator.
        ([LOUD] * 5, 0.3),
    ],
)
def test_speech_that_goes_on_is_kept_from_its_beginning(blocks: list[Pcm], seconds: float) -> None:
    assert kept(*blocks) == pytest.approx(seconds, abs=0.07)


def test_it_is_bounded() -> None:
    assert kept(*[LOUD] * 100) <= 3.1
