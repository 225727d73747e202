"""eSpeak NG through its library."""

from __future__ import annotations

import ctypes
import platform
from functools import cache

from narrator.ports.engines import VoiceEngine


def _problem() -> str:
    if platform.system() == "Linux":
        return ""
    return "On this system eSpeak NG speaks through the system's voice."


@cache
def _version() -> str:
    """Return the library's own version; empty where it is not there."""
    try:
        told = ctypes.CDLL("libespeak-ng.so.1").espeak_Info
        told.restype = ctypes.c_char_p
        return str((told(None) or b"").decode("ascii", "replace"))
    except (OSError, AttributeError):
        return ""


ENGINE = VoiceEngine(
    name="espeak",
    languages=(),
    licence="GPL-3.0-or-later",
    changes=frozenset({"rate", "pitch", "volume", "variant"}),
    rank=20,  # above the system's voice, which on Linux is the same library with a queue before it
    target="narrator.adapters.voices.espeak.synthesiser:EspeakSynthesiser",
    problem=_problem,
    pronouncer="narrator.adapters.voices.espeak.phonemes:phonemes",
    version=_version,
)
