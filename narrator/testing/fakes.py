"""Ports without hardware, for tests of the loop; they keep their promises on any clock."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence

import numpy as np

from narrator.language.grammar.automaton import Automaton
from narrator.ports.audio import SPEAKER_RATE, Pcm
from narrator.ports.errors import SynthesiserError
from narrator.ports.faults import FaultCode
from narrator.ports.recognition import BELIEVED, Hypothesis
from narrator.ports.session import LineBegun, Shown, Update
from narrator.ports.speech import Voice


class ListScreen:
    """A Screen that keeps its lines."""

    def __init__(self) -> None:
        """Begin empty."""
        self.lines: list[str] = []

    def line(self, text: str) -> None:
        """Keep one line."""
        self.lines.append(text)

    def observe(self, update: Update) -> None:
        """Keep what is said or shown."""
        if isinstance(update, (LineBegun, Shown)):
            self.line(update.text)


class ToneSynthesiser:
    """A Synthesiser that hums: a line is as long as its letters; some lines fail, or never end."""

    name = "tone"

    def __init__(self, per_character: float = 0.06) -> None:
        """Hum this many seconds a character."""
        self._per_character = per_character
        self.rendered: list[tuple[str, Voice]] = []
        self.fails: Callable[[str], bool] = _never
        self.hang: Callable[[str], None] = _pass
        """Called with each line; one that waits there is a synthesiser that hangs."""
        self.closed = False

    def render(self, text: str, voice: Voice) -> Pcm:
        """Return a tone of the line's length. Raises SynthesiserError where it is told to."""
        self.rendered.append((text, voice))
        self.hang(text)
        if self.fails(text):
            raise SynthesiserError(FaultCode.VOICE_WITHOUT_SOUND)
        count = max(1, round(len(text) * self._per_character * SPEAKER_RATE))
        wave = 6000 * np.sin(2 * np.pi * 220 * np.arange(count) / SPEAKER_RATE)
        return wave.astype(np.int16)

    def key(self, text: str, voice: Voice) -> str:
        """Return the name: there is one engine."""
        return self.name

    def spoken_by(self, text: str, voice: Voice) -> str:
        """Return the name."""
        return self.name

    def is_ready(self, text: str, voice: Voice) -> bool:
        """Whether it has started: at once."""
        return True

    def close(self) -> None:
        """Note the end."""
        self.closed = True


class ScriptedRecogniser:
    """A Recogniser that hears what it is told to, whatever it is given."""

    name = "scripted"
    language = "en"
    traits = BELIEVED

    def __init__(self, texts: Sequence[str] = ()) -> None:
        """Hear these texts, one an utterance, the last one for ever."""
        self.texts = deque(texts)
        self.expected: list[Automaton] = []
        self.fails = False

    def expect(self, grammar: Automaton, *, free: bool = False) -> None:
        """Note the grammar."""
        self.expected.append(grammar)

    def accept(self, block: Pcm) -> str:
        """Return no partial text."""
        return ""

    def guess(self) -> None:
        """Never decide ahead."""
        return None

    def finish(self) -> Hypothesis:
        """Return the next text. Raises RuntimeError where it is told to."""
        if self.fails:
            raise RuntimeError("the decoder fell over")
        text = self.texts.popleft() if len(self.texts) > 1 else self.texts[0] if self.texts else ""
        return Hypothesis(text, seconds=1.0)

    def reset(self) -> None:
        """Do nothing: nothing is remembered."""

    def knows_word(self, word: str) -> bool:
        """Return True: every word is known."""
        return True

    def close(self) -> None:
        """Do nothing: it holds no resources."""


def _never(_text: str) -> bool:
    return False


def _pass(_text: str) -> None:
    """Hang not at all."""
