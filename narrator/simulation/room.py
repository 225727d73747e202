"""The air between the players and the microphone: voices, noise, and the loudspeaker's leak."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from narrator.ports.audio import MIC_RATE, SPEAKER_RATE, Pcm

Resample: TypeAlias = Callable[[Pcm, int, int], Pcm]
"""Returns the same sound at another rate: samples, their rate, the new rate."""
NoiseKind: TypeAlias = Literal["pink", "babble"]

SPEECH = 0.1
"""Root mean square of a player's speech at the microphone, of full scale."""
QUIET = 0.0004
"""The same of a quiet room, which no real microphone is without."""
LOOP = 10
"""Seconds after which the noise repeats, without a seam."""
_FULL = 32767.0
_Sound: TypeAlias = NDArray[np.float32]


def level(pcm: Pcm) -> float:
    """Return the root mean square of those parts of a sound that are not silence, of full scale."""
    sound = pcm.astype(np.float32) / _FULL
    loud = sound[np.abs(sound) > 0.02 * (np.abs(sound).max(initial=0.0) or 1.0)]
    return float(np.sqrt(np.mean(loud**2))) if loud.size else 0.0


def at_level(pcm: Pcm, wanted: float) -> Pcm:
    """Return a sound at this root mean square, without clipping."""
    now = level(pcm)
    if not now:
        return pcm
    sound = pcm.astype(np.float32) * (wanted / now)
    clipped: Pcm = np.clip(np.rint(sound), -_FULL, _FULL).astype(np.int16)
    return clipped


def pink(seconds: float, rate: int, seed: int) -> _Sound:
    """Make noise that falls by 3 dB an octave, seamless when repeated, at root mean square 1."""
    count = round(seconds * rate)
    chance = np.random.default_rng(seed)
    spectrum = np.fft.rfft(chance.standard_normal(count))
    frequency = np.maximum(np.fft.rfftfreq(count, 1 / rate), 20.0)
    shaped = np.fft.irfft(spectrum / np.sqrt(frequency), count)
    noise: _Sound = (shaped / np.sqrt(np.mean(shaped**2))).astype(np.float32)
    return noise


def babble(voices: Sequence[Pcm], seconds: float, rate: int, seed: int) -> _Sound:
    """Mix voices into the babble of a table, seamless when repeated, at root mean square 1.

    Args:
        voices: Sentences at `rate`, at least one that is not silent.
        seconds: Length.
        rate: Samples a second.
        seed: Where in the loop each sentence begins.
    """
    count = round(seconds * rate)
    chance = np.random.default_rng(seed)
    total = np.zeros(count, np.float32)
    for voice in voices:
        sound = at_level(voice, SPEECH).astype(np.float32)
        place = (int(chance.integers(count)) + np.arange(sound.size)) % count
        np.add.at(total, place, sound)
    noise: _Sound = total / np.float32(np.sqrt(np.mean(total**2)) or 1.0)
    return noise


@dataclass(slots=True)
class Room:
    """What the microphone hears, block by block, and the same at the recording's rate.

    Args:
        resample: Changes a sound's rate.
        noise: At MIC_RATE, root mean square 1, repeated for ever; None: a quiet room.
        snr: Speech over noise in dB.
        leak: Gain of the loudspeaker at the microphone in dB; None: none.
    """

    resample: Resample
    noise: _Sound | None = None
    snr: float = 99.0
    leak: float | None = None
    seed: int = 0
    _speech: _Sound = field(init=False)
    _record: _Sound = field(init=False)
    _hiss: _Sound = field(init=False)
    _at: int = 0

    def __post_init__(self) -> None:
        """Begin with nobody speaking."""
        self._speech = np.zeros(0, np.float32)
        self._record = np.zeros(0, np.float32)
        gain = QUIET
        noise = self.noise
        if noise is not None:
            gain = SPEECH * 10 ** (-self.snr / 20)
        else:
            noise = pink(LOOP, MIC_RATE, self.seed)
        self._hiss = noise * gain * _FULL

    def speak(self, pcm: Pcm) -> float:
        """Play a player's speech now (at SPEAKER_RATE); return its length in seconds."""
        voice = at_level(pcm, SPEECH)
        heard = self.resample(voice, SPEAKER_RATE, MIC_RATE).astype(np.float32)
        self._speech = _added(self._speech, heard)
        self._record = _added(self._record, voice.astype(np.float32))
        return voice.size / SPEAKER_RATE

    def is_speaking(self) -> bool:
        """Whether a player's words are still under way."""
        return bool(self._speech.size)

    def hear(self, count: int, loudspeaker: Pcm) -> Pcm:
        """Return the next samples at MIC_RATE; the loudspeaker's cover the same time."""
        heard, self._speech = _taken(self._speech, count)
        places = np.arange(self._at, self._at + count) % self._hiss.size
        self._at += count
        heard = heard + self._hiss[places]
        if self.leak is not None and loudspeaker.any():
            echo = self.resample(loudspeaker, SPEAKER_RATE, MIC_RATE)[:count].astype(np.float32)
            heard[: echo.size] += echo * 10 ** (self.leak / 20)
        block: Pcm = np.clip(np.rint(heard), -_FULL, _FULL).astype(np.int16)
        return block

    def recorded(self, count: int) -> _Sound:
        """Return the players' part of the next samples at SPEAKER_RATE, for the recording."""
        sound, self._record = _taken(self._record, count)
        return sound


def _added(under: _Sound, over: _Sound) -> _Sound:
    total = np.zeros(max(under.size, over.size), np.float32)
    total[: under.size] += under
    total[: over.size] += over
    return total


def _taken(sound: _Sound, count: int) -> tuple[_Sound, _Sound]:
    part = np.zeros(count, np.float32)
    part[: min(count, sound.size)] = sound[:count]
    return part, sound[count:]
