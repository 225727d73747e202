"""eSpeak as it speaks its first line: the same samples for a line, whatever was said before it.

Within one process eSpeak's noise and its vibrato go on from the line before, so that a test's sound
would depend on which tests ran before it. Here every line is spoken by a copy of a process that has
never spoken. Lines are kept, for a recording is asked for again and again.
"""

from __future__ import annotations

import atexit
import os
import pickle
from functools import cache, lru_cache

from narrator.adapters.voices.child.process import ChildSynthesiser
from narrator.adapters.voices.espeak.synthesiser import EspeakSynthesiser
from narrator.ports.audio import Pcm
from narrator.ports.errors import SynthesiserError
from narrator.ports.speech import Voice, VoiceInfo

_KEPT = 4000
"""Lines: those of the largest comparison, about 300 MB."""
_PATIENCE = 60.0
"""Seconds for one line, which takes 0.02: other programs may want the machine, too."""
TARGET = f"{__name__}:ForkingEspeak"


class EspeakAfresh:
    """Speaks like `EspeakSynthesiser`, each line as if it were the first; from any thread."""

    name = "espeak"

    def __init__(self) -> None:
        """Start the process. Raises SynthesiserError where eSpeak or its data is missing."""
        _child()

    def render(self, text: str, voice: Voice) -> Pcm:
        """Return the line at SPEAKER_RATE. Raises SynthesiserError as eSpeak does."""
        return _rendered(text, voice).copy()

    def voices(self) -> list[VoiceInfo]:
        """List the voices there are."""
        return _child().voices()


class ForkingEspeak(EspeakSynthesiser):
    """Runs in the child: it stays as it was made, and copies of its process speak."""

    def render(self, text: str, voice: Voice) -> Pcm:
        """Return the line of a copy. Raises SynthesiserError for whatever ended it."""
        reader, writer = os.pipe()
        copy = os.fork()
        if copy == 0:
            try:
                os.close(reader)
                with os.fdopen(writer, "wb") as pipe:
                    pipe.write(pickle.dumps(self._outcome(text, voice)))
            finally:
                os._exit(0)
        os.close(writer)
        with os.fdopen(reader, "rb") as pipe:
            told = pipe.read()
        os.waitpid(copy, 0)
        outcome: Pcm | SynthesiserError = pickle.loads(told)
        if isinstance(outcome, SynthesiserError):
            raise outcome
        return outcome

    def _outcome(self, text: str, voice: Voice) -> Pcm | SynthesiserError:
        try:
            return super().render(text, voice)
        except SynthesiserError as fault:
            return fault


@cache
def _child() -> ChildSynthesiser:
    """Return the one child of this process; it ends with us. Raises SynthesiserError."""
    made = ChildSynthesiser(TARGET, "espeak", _PATIENCE, _PATIENCE)
    atexit.register(made.close)
    try:
        made.voices()
    except SynthesiserError:
        made.close()
        raise
    return made


@lru_cache(maxsize=_KEPT)
def _rendered(text: str, voice: Voice) -> Pcm:
    return _child().render(text, voice)
