"""The operating system's own voice, through pyttsx3: SAPI, NSSpeech, or eSpeak.

pyttsx3 only writes a file here: its own playback blocks and cannot be stopped. It may still hang,
so it is meant to run in a child process, whose main thread owns it.
"""

from __future__ import annotations

import difflib
import os
import tempfile
import threading
from pathlib import Path
from typing import Any

import numpy as np

from narrator.audio.resampling import resampled
from narrator.ports.audio import SPEAKER_RATE, Pcm
from narrator.ports.errors import SynthesiserError
from narrator.ports.faults import FaultCode
from narrator.ports.speech import Voice, VoiceInfo

_SETTLE = 0.05
_POLL = 0.005
_TRIES = 20
_ONSET_LEVEL = 200
_KEEP_BEFORE_ONSET = round(0.004 * SPEAKER_RATE)


class StockSynthesiser:
    """Speaks with pyttsx3's driver for this system; one thread only."""

    name = "system"

    def __init__(self, driver: str | None = None) -> None:
        """Start pyttsx3. Raises SynthesiserError where the system has no voice.

        Args:
            driver: a driver of pyttsx3; None is the system's own.
        """
        try:
            import pyttsx3

            self._engine: Any = pyttsx3.init(driver)
        except Exception as error:  # each driver fails in its own way
            raise SynthesiserError(FaultCode.SYSTEM_VOICE_MISSING) from error
        self._espeak = str(self._engine) == "espeak"
        # The first run returns without waiting: an empty one takes that on itself.
        self._engine.runAndWait()

    def render(self, text: str, voice: Voice) -> Pcm:
        """Return the line at SPEAKER_RATE; an unknown voice or no sound raises SynthesiserError."""
        if not text.strip():
            return np.zeros(0, np.int16)
        self._configure(voice)
        handle, name = tempfile.mkstemp(suffix=".wav", prefix="narrator-")
        os.close(handle)
        path = Path(name)
        try:
            self._engine.save_to_file(_speakable(text), name)
            self._engine.runAndWait()
            return _without_leading_silence(_read(_written(path)))
        finally:
            path.unlink(missing_ok=True)

    def voices(self) -> list[VoiceInfo]:
        """List the voices of the system, ordered by language."""
        infos = [
            VoiceInfo(str(voice.id), _language(voice.languages), str(voice.name))
            for voice in self._engine.getProperty("voices")
        ]
        return sorted(infos, key=lambda info: (info.language, info.id))

    def close(self) -> None:
        """Stop the engine."""
        self._engine.stop()

    def _configure(self, voice: Voice) -> None:
        """Set what differs: pyttsx3 forgets a property that is set right before speaking."""
        wanted: dict[str, Any] = {
            "voice": self._id_of(voice),
            "rate": min(450, max(80, int(voice.rate))),
            "volume": min(1.0, max(0.0, voice.volume)),
        }
        if self._espeak:
            wanted["pitch"] = min(99, max(0, int(voice.pitch)))
        for name, value in wanted.items():
            if value != "":
                self._set(name, value)

    def _set(self, name: str, value: Any) -> None:
        for _ in range(_TRIES):
            if self._holds(name, value):
                return
            self._engine.setProperty(name, value)
            threading.Event().wait(_SETTLE)

    def _holds(self, name: str, value: Any) -> bool:
        current = self._engine.getProperty(name)
        if isinstance(value, float):
            return abs(float(current) - value) < 0.006
        if isinstance(value, str):
            return str(current).lower() == value.lower()
        return bool(current == value)

    def _id_of(self, voice: Voice) -> str:
        """Find the voice; the empty name is the first of the language, or the system's own."""
        infos = self.voices()
        if voice.name:
            return self._known(voice.name, infos)
        language = voice.language.lower().replace("_", "-")
        ranked = [info.id for info in infos if info.language == language]
        ranked += [info.id for info in infos if info.language.startswith(language + "-")]
        return ranked[0] if ranked else ""

    def _known(self, name: str, infos: list[VoiceInfo]) -> str:
        base, plus, variant = name.partition("+") if self._espeak else (name, "", "")
        for info in infos:
            names = (info.id, info.id.rpartition("/")[2], info.name)
            if base.lower() in (n.lower() for n in names):
                return f"{info.id}{plus}{variant}"
        close = difflib.get_close_matches(name, [i.id for i in infos] + [i.name for i in infos])
        if not close:
            raise SynthesiserError(FaultCode.VOICE_UNKNOWN, voice=name)
        near = ", ".join(close)
        raise SynthesiserError(FaultCode.VOICE_UNKNOWN_BUT_NEAR, voice=name, near=near)


def _speakable(text: str) -> str:
    """Leave out what no system can take: half characters and the zero byte."""
    return text.replace("\0", " ").encode("utf-8", "replace").decode("utf-8")


def _language(languages: Any) -> str:
    first = languages[0] if languages else ""
    text = first.decode("utf-8", "ignore") if isinstance(first, bytes) else str(first or "")
    return text.strip("\x00\x05").lower().replace("_", "-")


def _written(path: Path) -> Path:
    """Wait until the file is there and does not grow any more: not every driver waits for it."""
    size = 0
    for _ in range(200):
        before, size = size, path.stat().st_size
        if size and size == before:
            return path
        threading.Event().wait(_POLL)
    raise SynthesiserError(FaultCode.SYSTEM_VOICE_SILENT)


def _read(path: Path) -> Pcm:
    """Read whatever the system wrote (macOS writes AIFF whatever the name says)."""
    import soundfile

    try:
        wave, rate = soundfile.read(path, dtype="float32", always_2d=True)
    except soundfile.LibsndfileError as error:
        raise SynthesiserError(FaultCode.SYSTEM_VOICE_NO_SOUND_FILE) from error
    mono = resampled(wave.mean(axis=1), rate, SPEAKER_RATE)
    pcm: Pcm = np.rint(np.clip(mono, -1, 1) * 32767).astype(np.int16)
    return pcm


def _without_leading_silence(sound: Pcm) -> Pcm:
    loud = np.flatnonzero(np.abs(sound.astype(np.int32)) > _ONSET_LEVEL)
    return sound[max(0, int(loud[0]) - _KEEP_BEFORE_ONSET) :] if loud.size else sound
