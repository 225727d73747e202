"""The narrator's own voice is taken out of the microphone's sound by knowing what was played.

Loudspeaker and microphone are two devices with clocks of their own. Each one's samples are counted,
the moments at which they came tell when the first of them sounded, and so which of the one belong
to which of the other. The canceller finds the rest of the delay by itself.
"""

from __future__ import annotations

from collections import deque
from typing import Any

import numpy as np
from numpy.typing import NDArray

from narrator.audio.resampling import resampler
from narrator.ports.audio import MIC_RATE, EchoCanceller, Pcm

_WINDOW = 60
"""Blocks whose moments are compared: the promptest tells when a stream began."""
_LOST, _GAP = 0.3, 3.0
"""Seconds by which a stream may come early, and late, before it is another one."""
_STEP, _FOLLOWS = 0.06, 20
"""Seconds by which the streams may move against each other, and blocks for which they have to stay
apart, before that is followed: moments are rough, and a canceller that is moved has to adapt again.
"""
_AHEAD = 0.06
"""Seconds by which what was played is given ahead of its echo, since the moments are estimates."""
_COMPARED = 5
"""Blocks in which the narrator's voice is looked for once more."""
_LAG, _LEAD = 8000, 4000
"""Samples by which it may have come later, and earlier, than it should have."""
_OWN = 0.3
"""Likeness of an echo that came through; of players who speak into a line it is 0.05 to 0.1."""
_RESIDUE = 0.015
"""Power of what is left of an echo; somebody who speaks into a line is louder."""
_REACH = 4000
"""Samples by which an echo may come late for the canceller to find it by itself."""
_KEPT = 4.0
_QUEUE = 400
_KNOWS, _LEARNS = 2.0, 1.0
"""Seconds of sound after which the canceller knows the room, and after it was moved."""
_SOUNDS = 300


def likeness(sound: Pcm, played: Pcm) -> tuple[float, int]:
    """Return how much of a sound is what was played, 0 to 1, and the sample at which it begins.

    Args:
        sound: Some tenths of a second, shape (n,).
        played: From before and after, longer than `sound`.
    """
    own, other = _bright(sound), _bright(played)
    count = len(own)
    size = 1 << (len(other) + count).bit_length()
    spectrum = np.fft.rfft(other, size) * np.conj(np.fft.rfft(own, size))
    products = np.fft.irfft(spectrum, size)[: len(other) - count + 1]
    sums = np.concatenate([[0.0], np.cumsum(other**2)])
    energy = (sums[count:] - sums[: len(sums) - count]) * float(own @ own)
    floor = max(1.0, 0.01 * float(energy.max(initial=0.0)))
    alike = np.abs(products) / np.sqrt(np.maximum(energy, floor))
    at = int(np.argmax(alike))
    return float(alike[at]), at


def _power(sound: Pcm) -> float:
    return float(np.mean(np.square(sound.astype(np.float64))))


def _bright(sound: Pcm) -> NDArray[np.float64]:
    """Lift the high tones, which tell delays apart better than the low ones."""
    wave = sound.astype(np.float64)
    return wave[1:] - 0.95 * wave[:-1]


class Counted:
    """A stream whose samples are counted, with the session second of its first one."""

    def __init__(self) -> None:
        """Begin before its first sample."""
        self.samples = 0
        self._begins: deque[float] = deque(maxlen=_WINDOW)

    @property
    def begin(self) -> float:
        """Session second of the first sample; the promptest block tells it best."""
        return min(self._begins, default=0.0)

    def add(self, moment: float, count: int) -> bool:
        """Count samples, the first of them of this moment; False where a new stream began."""
        begin = moment - self.samples / MIC_RATE
        moved = begin - self.begin if self._begins else 0.0
        follows = -_LOST < moved < _GAP
        if not follows:
            self.samples, begin = 0, moment
            self._begins.clear()
        self._begins.append(begin)
        self.samples += count
        return follows


class FarEnd:
    """What the loudspeaker plays, kept for a few seconds at MIC_RATE.

    One thread may tell what is played while another asks for it.
    """

    def __init__(self) -> None:
        """Begin in silence."""
        self._arrived: deque[tuple[Pcm, int, float]] = deque(maxlen=_QUEUE)
        self._counted = Counted()
        self._kept: Pcm = np.zeros(0, np.int16)
        self._rate = 0
        self._resampler: Any = None

    def played(self, sound: Pcm, rate: int, begin: float) -> None:
        """Note what a device was given, and the session second of its first sample; only queues."""
        self._arrived.append((sound, rate, begin))

    @property
    def begin(self) -> float:
        """Session second of the first sample."""
        return self._counted.begin

    def take_in(self) -> None:
        """Bring what has arrived to MIC_RATE."""
        while self._arrived:
            sound, rate, begin = self._arrived.popleft()
            if rate != self._rate:
                self._rate = rate
                self._resampler = resampler(rate, MIC_RATE)
            more = self._resampler.resample_chunk(sound)
            if not self._counted.add(begin, len(more)):
                self._kept = np.zeros(0, np.int16)
            self._kept = np.concatenate([self._kept, more])[-round(_KEPT * MIC_RATE) :]

    def part(self, at: int, count: int) -> Pcm:
        """Return samples by their number; silence where there were none."""
        first = self._counted.samples - len(self._kept)
        found = np.zeros(count, np.int16)
        begin, end = max(at, first), min(at + count, self._counted.samples)
        if begin < end:
            found[begin - at : end - at] = self._kept[begin - first : end - first]
        return found


class EchoFilter:
    """Cleans the microphone's blocks in order, from one thread."""

    def __init__(self, far: FarEnd, canceller: EchoCanceller) -> None:
        """Join what was played and what takes it out."""
        self._far, self._canceller = far, canceller
        self._near = Counted()
        self._shift, self._bias = 0, 0
        self._apart: list[int] = []
        self._cleaned: deque[Pcm] = deque(maxlen=_COMPARED)
        self._raw: deque[Pcm] = deque(maxlen=_COMPARED)
        self._around: Pcm = np.zeros(0, np.int16)
        self._heard = 0.0

    @property
    def knows_the_room(self) -> bool:
        """Whether enough was played for the echo to be taken out."""
        return self._heard >= _KNOWS

    def clean(self, block: Pcm, moment: float) -> Pcm:
        """Return a block without the echo.

        Args:
            block: At MIC_RATE, a whole number of the canceller's frames.
            moment: Session second at which its last sample came.
        """
        self._far.take_in()
        at = self._near.samples
        if not self._near.add(moment - len(block) / MIC_RATE, len(block)):
            at = 0
        at += self._followed()
        played = self._far.part(at, len(block))
        if np.abs(played.astype(np.int32)).max(initial=0) > _SOUNDS:
            self._heard += len(block) / MIC_RATE
        size = self._canceller.frame
        cleaned = np.concatenate(
            [
                self._canceller.cancel(block[begin : begin + size], played[begin : begin + size])
                for begin in range(0, len(block), size)
            ]
        )
        self._cleaned.append(cleaned)
        self._raw.append(block)
        before = (_COMPARED - 1) * len(block) + _LAG
        self._around = self._far.part(at - before, before + len(block) + _LEAD)
        return cleaned

    def is_own_voice(self) -> bool:
        """Whether the last half second holds nothing but what is left of the narrator.

        Where that is loud the room has changed, and has to be learnt again.
        """
        cleaned = np.concatenate(self._cleaned)
        if _power(cleaned) < _RESIDUE * _power(np.concatenate(self._raw)):
            return True
        alike, at = likeness(cleaned, self._around)
        if alike < _OWN:
            return False
        self._moved(_LAG - at)
        return True

    def _moved(self, behind: int) -> None:
        """Follow an echo that was found so many samples behind what the canceller was given."""
        if not 0 < behind < _REACH:
            self._bias += round(_AHEAD * MIC_RATE) - behind
            self._shift += round(_AHEAD * MIC_RATE) - behind
        self._heard = min(self._heard, _KNOWS - _LEARNS)

    def _followed(self) -> int:
        """Return the number of samples between the streams; small moves are the canceller's own."""
        exact = round((self._near.begin - self._far.begin + _AHEAD) * MIC_RATE) + self._bias
        if not self._heard:  # before the first word every move is free
            self._shift = exact
        if abs(exact - self._shift) <= _STEP * MIC_RATE:
            self._apart.clear()
            return self._shift
        self._apart.append(exact)
        if len(self._apart) >= _FOLLOWS:
            self._shift = sorted(self._apart)[len(self._apart) // 2]
            self._apart.clear()
            self._heard = min(self._heard, _KNOWS - _LEARNS)
        return self._shift
