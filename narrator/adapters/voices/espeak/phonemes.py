"""How a text sounds, by eSpeak NG's own rules of pronunciation."""

from __future__ import annotations

import ctypes
from typing import Any

from narrator.adapters.voices.espeak.synthesiser import lock, shared_engine
from narrator.ports.errors import SynthesiserError
from narrator.ports.faults import FaultCode
from narrator.ports.speech import Voice

_UTF8 = 1
_IPA = 0x02
_APART = ord("_") << 8
"""The sign between sounds, as eSpeak takes it."""


class EspeakPronouncer:
    """Returns the phonemes of a text; may be used from any thread."""

    def __init__(self) -> None:
        """Load the library. Raises SynthesiserError where it or its data is missing or too old."""
        self._engine = shared_engine()
        self._call = _function(self._engine.library())

    def phonemes(self, text: str, language: str) -> str:
        """Return a text's sounds in the phonetic alphabet, `_` between sounds, a space between
        words.

        Raises SynthesiserError where it does not know the language.
        """
        raw = ctypes.c_char_p(text.replace("\0", " ").encode("utf-8", "replace"))
        found: list[str] = []
        with lock:
            self._engine.configure(Voice(language=language))
            while raw.value is not None:
                clause = self._call(ctypes.byref(raw), _UTF8, _IPA | _APART)
                found.append((clause or b"").decode("utf-8", "replace"))
        return " ".join(" ".join(found).split())


def phonemes(text: str, language: str) -> str:
    """Return a text's sounds; see `EspeakPronouncer`. Raises SynthesiserError."""
    return EspeakPronouncer().phonemes(text, language)


def _function(library: Any) -> Any:
    try:
        call = library.espeak_TextToPhonemes
    except AttributeError as error:
        raise SynthesiserError(FaultCode.ESPEAK_TOO_OLD) from error
    call.restype = ctypes.c_char_p
    call.argtypes = [ctypes.POINTER(ctypes.c_char_p), ctypes.c_int, ctypes.c_int]
    return call
