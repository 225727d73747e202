"""Several engines as one synthesiser: a voice's name tells which of them speaks."""

from __future__ import annotations

import threading
from collections.abc import Callable

from narrator.adapters.voices.child.process import ChildSynthesiser
from narrator.ports.audio import Pcm
from narrator.ports.errors import SynthesiserError
from narrator.ports.speech import Voice, VoiceInfo


class ChosenSynthesiser:
    """The usual engine and a special one, each in a process of its own once it is needed.

    May be used from any thread.
    """

    def __init__(
        self,
        usual: Callable[[], ChildSynthesiser],
        special: Callable[[], ChildSynthesiser],
        is_special: Callable[[str], bool],
        first: str = "",
    ) -> None:
        """Start the engine of the first voice; returns at once.

        Args:
            usual: makes the engine of most voices.
            special: makes the other one.
            is_special: tells by a voice's name whether it is the other one's.
            first: name of the voice that speaks first; what the cache keeps lines by is its
                engine's name.
        """
        self._make = {False: usual, True: special}
        self._is_special = is_special
        self._lock = threading.Lock()
        self._made: dict[bool, ChildSynthesiser] = {}
        self._closed = False
        self.name = self._engine(first).name

    def render(self, text: str, voice: Voice) -> Pcm:
        """Return the line at SPEAKER_RATE; raises SynthesiserError as the voice's engine does."""
        return self._engine(voice.name).render(text, voice)

    def voices(self) -> list[VoiceInfo]:
        """List the usual engine's voices. Raises SynthesiserError as it does."""
        return self._engine("").voices()

    def close(self) -> None:
        """End the processes; returns within two seconds for each."""
        with self._lock:
            self._closed = True
            made = [*self._made.values()]
        for engine in made:
            engine.close()

    def _engine(self, voice: str) -> ChildSynthesiser:
        special = self._is_special(voice)
        with self._lock:
            if self._closed:
                raise SynthesiserError("The voice has been closed.")
            if special not in self._made:
                self._made[special] = self._make[special]()
            return self._made[special]
