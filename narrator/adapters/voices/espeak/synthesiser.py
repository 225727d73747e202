"""eSpeak NG, called directly: text goes in, samples come out, on the caller's own thread.

It uses pyttsx3's binding of the library in synchronous mode, where eSpeak has no queue, no thread
and no player of its own, so that none of the ways in which those hang can happen.
"""

from __future__ import annotations

import ctypes
import difflib
import os
import threading
from typing import Any

import numpy as np

from narrator.audio.resampling import resampled
from narrator.ports.audio import SPEAKER_RATE, Pcm
from narrator.ports.errors import SynthesiserError
from narrator.ports.faults import FaultCode
from narrator.ports.speech import Voice, VoiceInfo

_CHUNK_MS = 50
_DONT_EXIT = 0x8000  # Without it eSpeak ends the whole process when its data is missing.
_ONSET_LEVEL = 200
_KEEP_BEFORE_ONSET = 0.004

lock = threading.Lock()
"""Held for every call of the engine."""
_engine: _Engine | None = None


class EspeakSynthesiser:
    """Speaks with eSpeak NG inside this process; may be used from any thread.

    eSpeak has one state a process, so all instances share one engine and one lock.
    """

    name = "espeak"

    def __init__(self) -> None:
        """Load the library. Raises SynthesiserError where it or its data is missing."""
        self._engine = shared_engine()

    def render(self, text: str, voice: Voice) -> Pcm:
        """Return the line at SPEAKER_RATE; its onset is within 4 ms of sample 0.

        Raises SynthesiserError for an unknown voice or when the engine fails.
        """
        with lock:
            self._engine.configure(voice)
            sound = self._engine.speak(text)
        return without_leading_silence(resampled(sound, self._engine.rate, SPEAKER_RATE))

    def voices(self) -> list[VoiceInfo]:
        """List the voices there are, ordered by language."""
        with lock:
            return sorted(self._engine.voices(), key=lambda info: (info.language, info.id))

    def variants(self) -> list[str]:
        """List what may follow a voice's name after `+`, for instance `f3`."""
        with lock:
            return sorted(self._engine.variants())

    def close(self) -> None:
        """Do nothing: the engine belongs to the process; eSpeak crashes when started again."""


def without_leading_silence(sound: Pcm, rate: int = SPEAKER_RATE) -> Pcm:
    """Cut what comes before the first audible sample, but for 4 ms.

    Args:
        sound: samples, shape (n,).
        rate: samples a second.
    """
    loud = np.flatnonzero(np.abs(sound.astype(np.int32)) > _ONSET_LEVEL)
    if not loud.size:
        return sound
    return sound[max(0, int(loud[0]) - int(_KEEP_BEFORE_ONSET * rate)) :]


class _Engine:
    """The one eSpeak of this process. Every call is made under the module's lock."""

    def __init__(self, binding: Any) -> None:
        self._espeak = binding
        self._chunks: list[bytes] = []
        self._voice = ("", "")
        mode = binding.AUDIO_OUTPUT_SYNCHRONOUS
        self.rate = int(binding.Initialize(mode, _CHUNK_MS, None, _DONT_EXIT))
        if self.rate <= 0:
            raise SynthesiserError(FaultCode.ESPEAK_WITHOUT_VOICES)
        binding.SetSynthCallback(self._take)

    def configure(self, voice: Voice) -> None:
        if (voice.name, voice.language) != self._voice:
            self._choose(voice)
            self._voice = (voice.name, voice.language)
        espeak = self._espeak
        espeak.SetParameter(espeak.RATE, min(450, max(80, int(voice.rate))), 0)
        espeak.SetParameter(espeak.VOLUME, round(100 * min(1.0, max(0.0, voice.volume))), 0)
        espeak.SetParameter(espeak.PITCH, min(99, max(0, int(voice.pitch))), 0)

    def speak(self, text: str) -> Pcm:
        if not text.strip():
            return np.zeros(0, np.int16)
        espeak = self._espeak
        self._chunks = []
        speakable = text.replace("\0", " ").encode("utf-8", "replace")
        if espeak.Synth(speakable, flags=espeak.CHARS_UTF8) != espeak.EE_OK:
            raise SynthesiserError(FaultCode.ESPEAK_REFUSED)
        sound, self._chunks = b"".join(self._chunks), []
        return np.frombuffer(sound, np.int16)

    def library(self) -> Any:
        return self._espeak.dll

    def voices(self) -> list[VoiceInfo]:
        return [
            VoiceInfo(_text(v.identifier).lower(), _text(v.languages[1:]).lower(), _text(v.name))
            for v in self._espeak.ListVoices()
        ]

    def _take(self, samples: Any, count: int, _events: Any) -> int:
        if samples and count > 0:
            self._chunks.append(ctypes.string_at(samples, count * 2))
        return 0

    def _choose(self, voice: Voice) -> None:
        espeak = self._espeak
        wanted = voice.name or voice.language
        if self._variant_exists(wanted) and espeak.SetVoiceByName(wanted.encode()) == espeak.EE_OK:
            return
        spec = espeak.VOICE(languages=voice.language.encode())
        if not voice.name and espeak.SetVoiceByProperties(ctypes.byref(spec)) == espeak.EE_OK:
            return
        self._voice = ("", "")  # The engine's voice is uncertain now: choose again next time.
        raise self._unknown(wanted)

    def _variant_exists(self, wanted: str) -> bool:
        """Whether `f3` of `en+f3` exists: eSpeak itself takes any without a word."""
        variant = wanted.partition("+")[2]
        return not variant or variant in self.variants()

    def variants(self) -> list[str]:
        spec = self._espeak.VOICE(languages=b"variant")
        found = self._espeak.ListVoices(ctypes.byref(spec))
        return [_text(v.identifier).rpartition("/")[2] for v in found]

    def _unknown(self, wanted: str) -> SynthesiserError:
        base, _, variant = wanted.lower().partition("+")
        if variant and not self._variant_exists(wanted):
            near = [f"{base}+{v}" for v in difflib.get_close_matches(variant, self.variants())]
        else:
            known = [info.id for info in self.voices()]
            by_ending = {name.rpartition("/")[2]: name for name in known}
            close = difflib.get_close_matches(base.rpartition("/")[2], by_ending, n=3, cutoff=0.5)
            near = [by_ending[c] for c in close]
        if not near:
            return SynthesiserError(FaultCode.VOICE_UNKNOWN, voice=wanted)
        told = ", ".join(near)
        return SynthesiserError(FaultCode.VOICE_UNKNOWN_BUT_NEAR, voice=wanted, near=told)


def shared_engine() -> _Engine:
    """Return the process's one engine. Raises SynthesiserError where it or its data is missing."""
    global _engine
    with lock:
        if _engine is None:
            _engine = _Engine(_load_binding())
        return _engine


def _load_binding() -> Any:
    try:
        ctypes.CDLL("libespeak-ng.so.1")
    except OSError:
        _preload_packaged_library()
    try:
        from pyttsx3.drivers import _espeak
    except (ImportError, RuntimeError, OSError) as error:
        raise SynthesiserError(FaultCode.ESPEAK_MISSING) from error
    return _espeak


def _preload_packaged_library() -> None:
    """Load the library of the package espeakng-loader, so that the binding finds it by its name.

    Its data path must stand in the environment before, or eSpeak looks where the wheel was built.
    """
    try:
        import espeakng_loader as loader

        os.environ["ESPEAK_DATA_PATH"] = loader.get_data_path()
        ctypes.CDLL(loader.get_library_path())
    except (ImportError, OSError):
        return  # The import of the binding fails next, and tells the remedy.


def _text(raw: bytes | None) -> str:
    return (raw or b"").decode("utf-8", "replace")
