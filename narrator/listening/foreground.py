"""Whose speech it is: somebody's near the microphone, or the babble of a room that never stops."""

from __future__ import annotations

from collections import deque

import numpy as np

from narrator.listening.front_end import QUIET, decibels
from narrator.ports.audio import MIC_RATE, Pcm

SMOOTH = 0.256
"""Seconds over which a level is taken: about a syllable."""
KEPT = 4.0
"""Seconds of the room that are remembered."""
LEARNT = 0.8
"""Seconds after which it is known."""
SHARE = 0.7
"""Of the time it is quieter than what counts as its level."""
LOUDER = 5.0
"""Decibels by which somebody who speaks up stands out from all that was going on."""
FALLEN = 15.0
"""Decibels below the loudest of an utterance where it is over, whatever the room."""
LEAST = 6.0
"""The same among others: nobody's own voice is cut off for falling less."""
CEASELESS = 0.9
"""Share of speech in babble: who speaks alone stops to breathe, or was silent before."""
_BABBLE = 2.0
_SETTLED = 0.6
_ONSET = 3


class Foreground:
    """Follows levels, frame by frame.

    A voice detector hears other people's talk as well as an answer, so that with babble in the
    room no utterance would ever end. An answer is louder: it is over when the level has fallen half
    way back to that of the room before it.

    Args:
        frame: Samples in a frame, at 16 kHz.
    """

    def __init__(self, frame: int) -> None:
        self._seconds = frame / MIC_RATE
        self._recent: deque[float] = deque(maxlen=max(1, round(SMOOTH / self._seconds)))
        self._levels: deque[float] = deque(maxlen=round(KEPT / self._seconds))
        self._speech: deque[bool] = deque(maxlen=self._levels.maxlen)
        self._answers: deque[bool] = deque(maxlen=self._levels.maxlen)
        """Which of the levels belong to an utterance."""
        self.reset()

    def reset(self) -> None:
        """Forget the room."""
        self._recent.clear()
        self._levels.clear()
        self._speech.clear()
        self._answers.clear()
        self.level = QUIET
        """Of the last syllable's length, dB of full scale."""
        self._inside = 0
        self.room = QUIET
        """Of what came before the utterance, dB of full scale; QUIET while that is not known."""
        self.end()

    def pause(self) -> None:
        """Stop listening for a while: the room is the same afterwards, who spoke in it is not."""
        heard = zip(self._levels, self._speech, self._answers, strict=True)
        around = [(level, speech) for level, speech, is_answer in heard if not is_answer]
        self.reset()
        self._levels.extend(level for level, _ in around)
        self._speech.extend(speech for _, speech in around)
        self._answers.extend([False] * len(around))

    def feed(self, frame: Pcm, *, speech: bool) -> None:
        """Take a frame, which the detector takes for speech or not."""
        self._recent.append(10 ** (decibels(frame) / 10))
        self.level = 10 * float(np.log10(np.mean(self._recent)))
        self._levels.append(self.level)
        self._speech.append(speech)
        self._answers.append(self._is_answer)
        self._inside += 1

    def begin(self) -> None:
        """Take what came before for the room: an utterance begins."""
        self.room = self._before()
        self._peak = QUIET
        self._inside = 0
        self._is_answer = True
        for _ in range(min(_ONSET, len(self._answers))):
            self._answers.pop()
        self._answers.extend([True] * (len(self._levels) - len(self._answers)))

    def end(self) -> None:
        """Outside an utterance everything counts."""
        self.room = self._peak = QUIET
        self._is_answer = False

    def levels(self, count: int) -> list[float]:
        """Return the last levels, at most so many, dB of full scale."""
        return list(self._levels)[-count:] if count else []

    @property
    def is_near(self) -> bool:
        """Whether the last frame is loud enough to belong to the utterance."""
        self._peak = max(self._peak, self.level)
        half = min((self.room + self._peak) / 2, self._peak - LEAST)
        return self.level >= max(self._peak - FALLEN, half)

    def speaks_up(self) -> bool:
        """Whether somebody begins to speak over babble that began the utterance.

        The room is known better then, and where it never stopped, what was kept is not theirs.
        """
        inside = min(self._inside, len(self._levels)) - _ONSET
        if inside * self._seconds < _SETTLED:
            return False
        going_on = list(self._levels)[-inside - _ONSET : -_ONSET]
        if self.level <= float(np.quantile(going_on, 0.8)) + LOUDER:
            return False
        over_babble = self.is_babble
        self.begin()
        self._peak = self.level
        return over_babble

    @property
    def is_babble(self) -> bool:
        """Whether there has hardly been any silence for a while."""
        long = len(self._speech) * self._seconds >= _BABBLE
        return long and sum(self._speech) >= CEASELESS * len(self._speech)

    def give_up(self) -> None:
        """Take all that was loud for the room where it never stops: nobody talks like that."""
        if self.is_babble:
            self.room = self._before()
            self._peak = self.room + 2 * LEAST

    def _before(self) -> float:
        earlier = list(self._levels)[:-_ONSET]
        if len(earlier) * self._seconds < LEARNT:
            return QUIET
        return float(np.quantile(earlier, SHARE))
