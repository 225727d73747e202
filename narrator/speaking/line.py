"""A line on its way to the player: what is to be rendered of it, what is there, what is missing."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

import numpy as np

from narrator.audio import cues
from narrator.core.effects import CountDown
from narrator.ports.audio import SPEAKER_RATE, Pcm
from narrator.ports.speech import Voice
from narrator.speaking.countdown import place

PER_CHARACTER = 0.06
"""Seconds a character of a line lasts at the normal rate."""
NORMAL_RATE = 165
SHORTEST = 0.4
PAUSE = 0.25
"""Seconds between two sentences that are rendered apart."""
LEAST = 12
"""Characters of a sentence that is worth being rendered by itself."""
_END = re.compile(r"(?<=[.!?…。])[\"'\u201d\u2019)]*\s+")


@dataclass(slots=True)
class Line:
    """A line, its sentences or the words of a countdown, each rendered by itself."""

    number: int
    parts: list[tuple[str, Voice]]
    limit: float
    """Session seconds at which the voice has had its time."""
    beat: float = 0.0
    """Of a countdown; 0: no countdown."""
    begins: float | None = None
    """Session seconds at which its first word is to be heard, if its words belong to moments."""
    at_once: bool = False
    """Whether silence in its place lasts no time: nobody waits for it."""
    _got: dict[int, Pcm] = field(default_factory=dict)
    _sent: int = 0
    _given_up: bool = False

    def take(self, index: int, sound: Pcm | None, limit: float) -> bool:
        """Take what was rendered of a part, or None: there will be nothing of it.

        It says whether it was still waited for. The limit is when the voice has had its time for
        the next one.
        """
        if self._given_up or index in self._got:
            return False
        self._got[index] = self._instead(index) if sound is None else sound
        self.limit = max(self.limit, limit)
        return True

    def give_up(self) -> None:
        """Wait no longer for what is missing."""
        self._given_up = True
        for index in range(len(self.parts)):
            if index not in self._got:
                self._got[index] = self._instead(index)

    def show_only(self) -> None:
        """Wait for no voice at all; a countdown's beats stay, in silence."""
        self._given_up = True
        for index, (text, voice) in enumerate(self.parts):
            self._got[index] = _silence(self._length(text, voice))

    def next(self, free: float) -> Pcm | None:
        """Return the next piece to be played, and count it as played; None where it is not there.

        Args:
            free: session seconds at which what is before it is over.
        """
        if self.beat:
            return self._countdown(free)
        if self._sent not in self._got:
            return None
        sound, self._got[self._sent] = self._got[self._sent], _silence(0.0)
        self._sent += 1
        pause = _silence(0.0 if self.is_over() else PAUSE)
        return np.concatenate([sound, pause]) if pause.size else sound

    def is_over(self) -> bool:
        """Whether every piece was given."""
        return self._sent >= len(self.parts)

    def _countdown(self, free: float) -> Pcm | None:
        if len(self._got) < len(self.parts):
            return None
        self._sent = len(self.parts)
        words = tuple(text for text, _ in self.parts)
        left, begin = CountDown(self.number, words, self.beat, begins=self.begins).following(free)
        if self.begins is not None:
            self.begins = begin
        late = len(words) - len(left)
        return place([self._got[index] for index in range(late, self._sent)], self.beat)

    def _instead(self, index: int) -> Pcm:
        """Return what is heard in the place of a part: silence of its length; a countdown ticks."""
        if self.beat:
            return cues.cue("time" if index == len(self.parts) - 1 else "tick")
        return _silence(self._length(*self.parts[index]))

    def _length(self, text: str, voice: Voice) -> float:
        if self.at_once:
            return 1 / SPEAKER_RATE
        return self.beat or length_of(text, voice)


def length_of(text: str, voice: Voice) -> float:
    """Estimate the seconds a line lasts."""
    return max(SHORTEST, len(text) * PER_CHARACTER * NORMAL_RATE / voice.rate)


def sentences(text: str) -> list[str]:
    """Divide a text where a sentence ends; what is too short stays with what follows."""
    found: list[str] = []
    begin = 0
    for end in _END.finditer(text):
        if end.start() - begin >= LEAST and len(text) - end.end() >= LEAST:
            found.append(text[begin : end.end()].strip())
            begin = end.end()
    return [*found, text[begin:].strip()]


def _silence(seconds: float) -> Pcm:
    return np.zeros(round(seconds * SPEAKER_RATE), np.int16)
