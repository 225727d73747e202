"""hibari in its child process: sentence by sentence, trimmed, one text always one sound."""

from __future__ import annotations

import gc
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from narrator.adapters.voices.hibari.sounds import from_ipa
from narrator.adapters.voices.hibari.text import pieces, readable, sentences, with_sounds
from narrator.adapters.voices.hibari.weights import model_file, problem
from narrator.audio.resampling import resampled
from narrator.ports.audio import SPEAKER_RATE, Pcm
from narrator.ports.errors import SynthesiserError
from narrator.ports.faults import FaultCode
from narrator.ports.speech import Voice, VoiceInfo

NORMAL_RATE = 165
"""Words a minute at which it speaks as it was made."""
SLOWEST, FASTEST = 0.5, 3.0
"""Of its own speed: beyond, words run into one another."""
BETWEEN = 0.28
"""Seconds from one sentence to the next: its own 0.74 make a line a third longer than it was."""
_GAIN = 1.5  # it speaks at a peak of 0.2 to 0.6 of full scale; the mixer levels it exactly
_AUDIBLE = 0.004
"""Of full scale: what is below at either end of a sentence is silence, by ear and by picture."""
_BEFORE, _AFTER = 0.004, 0.06
"""Seconds kept around a sentence, so that no first or last sound is cut."""
_RISE, _RISE_SECONDS = 1.15, 0.3
"""Of the tone at the end of a question, and over how long: heard as asking, not as surprise."""
_OCTAVES = 0.5
"""Octaves up for the highest pitch (99), down for the lowest: it still sounds like a person."""


class HibariSynthesiser:
    """Speaks English with hibari's one voice; one thread only."""

    name = "hibari"

    def __init__(self, ipa: Callable[[str, str], str] | None = None) -> None:
        """Load the model. Raises SynthesiserError where it is missing or not the tried one.

        Args:
            ipa: Gives the sounds of a text in a language, for words that it does not know.
        """
        if problem():
            raise SynthesiserError(FaultCode.HIBARI_MISSING)
        self._ipa = ipa
        try:
            from hibari import Hibari, dsp
            from hibari.g2p import G2P

            self._dsp: Any = dsp
            with _no_collection():
                reader = G2P(oov=self._sounds_of)
            self._hibari: Any = Hibari(model=str(model_file()), threads=1, g2p=reader)
            self._hibari.phonemize("Ready.")  # reads its lexicon: the first line need not wait
        except Exception as error:  # a library that does not start fails in its own way
            raise SynthesiserError(FaultCode.HIBARI_UNUSABLE, kind=type(error).__name__) from error

    def render(self, text: str, voice: Voice) -> Pcm:
        """Return the line at SPEAKER_RATE; its onset is within 4 ms of sample 0."""
        speed = min(FASTEST, max(SLOWEST, min(450, max(80, voice.rate)) / NORMAL_RATE))
        pitch = 2.0 ** (_OCTAVES * (min(99, max(0, voice.pitch)) - 50) / 50)
        silence = np.zeros(round(BETWEEN * SPEAKER_RATE), np.float32)
        parts: list[Any] = []
        for sentence in sentences(text):
            rises = voice.style == "question" and sentence.endswith("?")
            for piece in self._phonemes(sentence):
                sound = _trimmed(self._sound(piece, speed, pitch, rises=rises))
                if sound.size:
                    parts += [silence, sound] if parts else [sound]
        whole = np.concatenate(parts) if parts else np.zeros(0, np.float32)
        loud = np.clip(whole * (_GAIN * min(1.0, max(0.0, voice.volume))), -1.0, 1.0)
        pcm: Pcm = np.rint(loud * 32767).astype(np.int16)
        return pcm

    def voices(self) -> list[VoiceInfo]:
        """List the one voice."""
        return [VoiceInfo("heart", "en-us", "Heart (hibari)")]

    def close(self) -> None:
        """Do nothing: the process ends it."""

    def _phonemes(self, sentence: str) -> list[str]:
        text = with_sounds(readable(sentence))
        return [piece for part in self._hibari.phonemize(text) for piece in pieces(part)]

    def _sound(self, phonemes: str, speed: float, pitch: float, *, rises: bool = False) -> Any:
        """Return a piece's samples at SPEAKER_RATE; its noise is drawn from the piece itself."""
        ids = self._hibari.ids(phonemes)
        if len(ids) < 3:
            return np.zeros(0, np.float32)
        chance = np.random.default_rng(zlib.crc32(phonemes.encode()))  # noqa: TID251 - seeded by the text
        wanted = {"ids": np.asarray([ids], np.int64), "speed": np.asarray([speed], np.float32)}
        *spectrum, f0 = (part[0] for part in self._hibari.sess.run(None, wanted))
        tone = f0 * np.float32(pitch)
        if rises:
            tone = _rising(tone, self._hibari.sample_rate / self._dsp.HOP)
        sound = self._dsp.synth(*spectrum, tone, chance)
        return resampled(sound, self._hibari.sample_rate, SPEAKER_RATE)

    def _sounds_of(self, word: str) -> str:
        """Return the sounds of a word that is not in its lexicon: of names by eSpeak's rules."""
        if self._ipa is not None and word[:1].isupper():
            with suppress(SynthesiserError):
                if sounds := from_ipa(self._ipa(word, "en-us")):
                    return sounds
        return str(self._unknown(word) or "")

    @cached_property
    def _unknown(self) -> Any:
        """Its own guess at words that it does not know; loaded by the first of them."""
        from hibari.g2p import ASSETS
        from hibari.g2p.oov import OOV

        return OOV(str(Path(ASSETS) / "oov.onnx"))


@contextmanager
def _no_collection() -> Iterator[None]:
    """Collect no garbage: a lexicon of 200,000 words is all new objects, and none of them is."""
    gc.disable()
    try:
        yield
    finally:
        gc.enable()


def _rising(tone: Any, frames: float) -> Any:
    """Let a question's tone rise at its end; so many frames are a second."""
    voiced = np.flatnonzero(tone > 0)
    count = min(voiced.size, round(_RISE_SECONDS * frames))
    if not count:
        return tone
    risen = tone.copy()
    risen[voiced[-count:]] *= np.linspace(1.0, _RISE, count, dtype=np.float32)
    return risen


def _trimmed(sound: Any) -> Any:
    loud = np.flatnonzero(np.abs(sound) > _AUDIBLE)
    if not loud.size:
        return sound[:0]
    begin = max(0, int(loud[0]) - round(_BEFORE * SPEAKER_RATE))
    return sound[begin : int(loud[-1]) + round(_AFTER * SPEAKER_RATE)]
