"""The sound of one utterance with its levels: what of it is the answer, and how far it stands out.

Among people who talk an utterance often begins with somebody else's words. The answer is the louder
part of it.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from narrator.listening.front_end import QUIET
from narrator.ports.audio import MIC_RATE, Pcm

LOUDER = 4.0
"""Decibels by which the answer is louder than what came before it in the same utterance."""
NOISE = 16.0
"""Decibels below the loudest: less than that is silence, and who pauses is still answering."""
_BEFORE = 0.22
"""Seconds kept before the louder part: levels lag behind, and consonants are soft."""
_BEHIND = 0.19
_LEAST = 0.6
_AROUND = 0.25
_NEARLY = 0.8
_ENOUGH = 3
"""Frames by which a room is known."""


@dataclass(slots=True)
class SoundOf:
    """An utterance as it grows, frame by frame.

    Args:
        frame: Samples in a frame, at 16 kHz.
    """

    frame: int
    frames: list[Pcm] = field(default_factory=list)
    _levels: list[float] = field(default_factory=list)
    _last: int = 0
    """Frames up to the last one of the utterance's own speech."""
    _room: int = 0
    """Frames at the beginning that came before any speech."""
    _before: float | None = None
    """Level of what was heard before it, dB of full scale; None while that is not known."""

    def begin(
        self,
        earlier: list[Pcm],
        levels: list[float],
        speech: float,
        babble: float | None = None,
        after: int | None = None,
    ) -> None:
        """Take what was kept from before the endpointer noticed it.

        Args:
            earlier: Frames, the last of them speech.
            levels: Theirs, dB of full scale.
            speech: Seconds of speech that it took.
            after: Frames since the utterance before it ended; None: there was none.
            babble: Level of what somebody spoke up over, dB of full scale; None: nothing was said
                before.
        """
        self.frames, self._levels = list(earlier), list(levels)
        self._last = len(earlier)
        # The levels are means over eight frames: those that hold some speech do not count.
        self._room = 0 if babble else max(0, len(earlier) - self._count(speech) - 2)
        another = 0 if after is None else max(0, len(earlier) - after)
        known = self._room - another >= _ENOUGH
        self._before = float(np.median(levels[another : self._room])) if known else babble

    def add(self, frame: Pcm, level: float, *, speech: bool) -> None:
        """Take a frame of level (dB of full scale) that belongs to the utterance's speech or not"""
        self.frames.append(frame)
        self._levels.append(level)
        if speech:
            self._last = len(self.frames)

    def louder_part(self) -> list[Pcm] | None:
        """Return the frames from where it gets louder to where speech ends; None: it does not."""
        at = self._split()
        if at is None:
            return None
        return self.frames[max(0, at - self._count(_BEFORE)) : self._last + self._count(_BEHIND)]

    @property
    def loudest(self) -> float:
        """Level of its loudest syllable, dB of full scale."""
        return max(self._levels, default=QUIET)

    def stands_out(self) -> float:
        """Return the decibels from what is around it to its loudest; large where that is unknown.

        Meant for when the silence after it has been heard too.
        """
        if not self._levels:
            return 99.0
        around = [float(np.mean(self._levels[-self._count(_AROUND) :]))]
        if self._before is not None:
            around.append(self._before)
        return self.loudest - max(around)

    def _split(self) -> int | None:
        """Find the frame that parts quiet from loud best: by the contrast, not too near an end."""
        levels = np.array(self._levels[self._room : self._last])
        places = np.arange(self._count(_LEAST), len(levels) - 4)
        if len(places) == 0:
            return None
        sums: NDArray[np.float64] = np.concatenate([[0.0], np.cumsum(levels)])
        before = sums[places] / places
        after = (sums[-1] - sums[places]) / (len(levels) - places)
        rise = after - before
        weight = np.where(rise >= LOUDER, rise * np.sqrt(places * (len(levels) - places)), 0.0)
        # The first place that is nearly the best: a soft first word belongs to the answer.
        best = int(places[int(np.argmax(weight >= _NEARLY * weight.max()))])
        silent = np.quantile(levels[:best], 0.1) < levels.max() - NOISE
        return None if silent or not weight.any() else self._room + best

    def _count(self, seconds: float) -> int:
        return max(1, round(seconds * MIC_RATE / self.frame))
