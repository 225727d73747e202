"""Speech that began in the guard time after the narrator's voice, and goes on when that is over.

Nothing is listened to in that time because of the narrator's own echo. An echo has died away at its
end; who speaks then is a player who answered at once, and the beginning of the answer is here.
"""

from __future__ import annotations

from collections import deque

import numpy as np

from narrator.ports.audio import MIC_RATE, Pcm, VoiceDetector

SPEECH = 0.5
"""Probability of the detector from which a frame is speech."""
_GAP = 0.13
"""Seconds without speech that part the narrator's echo from a player's answer: the rests between
sounds of a word are shorter."""
_ECHO = 0.2
"""Seconds at the beginning of the guard time that are the narrator's own where it begins with
speech: the last sound comes so late through a wireless loudspeaker, and fades in a room."""
_QUIET = 0.09
"""Seconds without speech at the beginning after which the narrator is known to be silent: three
frames of the detector, which may miss the first by itself."""
_BEFORE = 0.1
"""Seconds kept before the first speech: soft consonants."""
_LONGEST = 3.0
"""Seconds kept at most, the longest guard time there is."""


class GuardTime:
    """Keeps the sound of a guard time."""

    def __init__(self) -> None:
        self._blocks: deque[Pcm] = deque()
        self._samples = 0

    def add(self, block: Pcm) -> None:
        """Keep a block."""
        self._blocks.append(block)
        self._samples += len(block)
        while self._samples > _LONGEST * MIC_RATE:
            self._samples -= len(self._blocks.popleft())

    def clear(self) -> None:
        """Forget what was kept."""
        self._blocks.clear()
        self._samples = 0

    def take(self, detector: VoiceDetector) -> Pcm:
        """Forget what was kept, and return the speech that still goes on at its end, from its
        beginning; empty where nobody speaks.
        """
        sound = np.concatenate([np.zeros(0, np.int16), *self._blocks])
        self.clear()
        size = detector.frame
        frames = [sound[at : at + size] for at in range(0, len(sound) - size + 1, size)]
        speech = [bool(f.any()) and detector.probability(f) >= SPEECH for f in frames]
        detector.reset()
        is_quiet = not any(speech[: round(_QUIET * MIC_RATE / size)])
        first = 0 if is_quiet else min(len(frames), round(_ECHO * MIC_RATE / size))
        allowed = max(1, round(_GAP * MIC_RATE / size))
        begin, silent = len(frames), 0
        for number in reversed(range(first, len(frames))):
            silent = 0 if speech[number] else silent + 1
            if silent >= allowed:
                break
            begin = number if speech[number] else begin
        if begin == len(frames):
            return sound[:0]
        return sound[max(first * size, begin * size - round(_BEFORE * MIC_RATE)) :]
