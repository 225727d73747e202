"""What a microphone gives, second by second, in plain words: level, noise, speech, faults."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from narrator.listening.front_end import QUIET, decibels
from narrator.ports.audio import MIC_RATE, Pcm

EVERY = 5
"""Seconds after which a line comes though nothing has changed."""
_CHANGED = 6.0
_FULL = 32_700
_CLIPPED = 8
"""Samples at full scale in a second that are more than chance."""
_TAIL = 7
"""Blocks in a second that may hold only the silence after speech."""
_BEHIND = 0.5
_WEAK, _NEAR_NOISE = -42.0, 10.0
ZEROS = (
    "the microphone gives nothing at all: it is muted, its switch is off, or this program may "
    "not use it"
)
TOO_LOUD = "too loud, the sound is clipped: turn the input down or move away"
TOO_SLOW = "this computer hears slower than people speak: close other programs"
LATE = 2.0
"""Seconds behind at which that is so."""
TOO_SOFT = "soft: come nearer or turn the input up"


@dataclass(frozen=True, slots=True)
class Second:
    """One second of sound from a microphone."""

    number: int
    """Seconds since the begin, from 1."""
    level: float
    """Loudest tenth of a second, dB of full scale."""
    noise: float
    """Of the room, dB of full scale; QUIET while nothing is known."""
    speech: bool
    tail: bool
    """Whether that may be nothing but the silence by which the end of speech is noticed."""
    clipped: bool
    zeros: bool
    """Whether every sample was zero: no real room is so still."""
    behind: float = 0.0
    """Seconds of sound that wait to be listened to."""

    @property
    def advice(self) -> str:
        """What is wrong, with the likely cause; empty where all is well."""
        if self.behind >= LATE:
            return TOO_SLOW
        if self.zeros:
            return ZEROS
        if self.clipped:
            return TOO_LOUD
        near = self.noise > QUIET and self.level < self.noise + _NEAR_NOISE
        is_speech = self.speech and not self.tail
        return TOO_SOFT if is_speech and (self.level < _WEAK or near) else ""

    def __str__(self) -> str:
        """Return it in one line."""
        parts = [f"level {self.level:.0f} dB"]
        if self.noise > QUIET:
            parts.append(f"noise {self.noise:.0f} dB")
        parts.append("speech" if self.speech else "no speech")
        if self.behind >= _BEHIND:
            parts.append(f"{self.behind:.1f} s behind")
        told = ", ".join(parts)
        return f"{self.number} s: {told}{f'; {self.advice}' if self.advice else ''}."


class LevelReport:
    """Gathers blocks into seconds."""

    def __init__(self) -> None:
        """Begin with the first second."""
        self._samples = 0
        self._now = _empty(1)
        self._clipped = 0
        self._speaking = 0
        self._told: Second | None = None
        self.loudest = QUIET
        """Level of the loudest speech so far, dB of full scale."""

    def feed(self, block: Pcm, *, speech: bool, noise: float, behind: float = 0.0) -> Second | None:
        """Take a block as it came from the device; return a second that has ended with it.

        Args:
            block: At 16 kHz, at most a second.
            speech: Whether somebody speaks.
            noise: Level of the room, dB of full scale.
            behind: Seconds of sound that wait behind this block.
        """
        level = decibels(block)
        self._clipped += int(np.count_nonzero(np.abs(block.astype(np.int32)) >= _FULL))
        self._speaking += speech
        now = self._now
        self._now = replace(
            now,
            level=max(now.level, level),
            noise=noise,
            speech=now.speech or speech,
            tail=self._speaking <= _TAIL,
            clipped=self._clipped >= _CLIPPED,
            zeros=now.zeros and not block.any(),
            behind=max(now.behind, behind),
        )
        if speech:
            self.loudest = max(self.loudest, level)
        self._samples += len(block)
        return self._ended() if self._samples >= now.number * MIC_RATE else None

    def news(self, second: Second) -> bool:
        """Whether a second is worth a line: something changed, or long nothing was told."""
        told = self._told
        new = (
            told is None
            or second.number - told.number >= EVERY
            or (second.speech, second.advice) != (told.speech, told.advice)
            or abs(second.level - told.level) >= _CHANGED
        )
        if new:
            self._told = second
        return new

    def summary(self) -> str:
        """Return one line on how speech was received; the noise is the last second's."""
        if self.loudest <= QUIET:
            return "Nobody was heard speaking."
        told = f"Speech came at {self.loudest:.0f} dB"
        return f"{told}, {self.loudest - self._now.noise:.0f} dB above the noise."

    def _ended(self) -> Second:
        ended, self._clipped, self._speaking = self._now, 0, 0
        self._now = replace(_empty(ended.number + 1), noise=ended.noise)
        return ended


def _empty(number: int) -> Second:
    return Second(number, QUIET, QUIET, speech=False, tail=True, clipped=False, zeros=True)
