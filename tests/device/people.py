"""People at the virtual table: they hear the narrator by ear only, and answer aloud."""

from __future__ import annotations

import re
import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from narrator.adapters.espeak import EspeakSynthesiser
from narrator.language.automaton import Automaton
from narrator.ports import MIC_RATE, SPEAKER_RATE, Pcm, Recogniser, Voice
from tests.virtual_table import portaudio

LOUD = 900
"""Level of the narrator's voice that its masking sound never has."""
PAUSE = 0.9
"""Seconds of silence after which the narrator is taken to wait."""
ONCE_MORE = 7.0
"""Seconds without any reaction after which an answer is said again."""


@dataclass(frozen=True)
class Turn:
    """What is answered to which words of the narrator's."""

    hears: str
    """Regular expression over what a person understands of its last words."""
    says: str
    after: float = 0.0
    """Seconds of silence the person takes."""


@dataclass
class People:
    """Plays all the players' parts, in order.

    Args:
        recogniser: What they hear with; the narrator's own engine, without any grammar.
        turns: What is said when.
        voice: How they sound.
    """

    recogniser: Recogniser
    turns: Sequence[Turn]
    voice: Voice
    heard: list[str] = field(default_factory=list)
    said: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._synthesiser = EspeakSynthesiser()
        self._sound: list[tuple[float, Pcm]] = []
        self._lock = threading.Lock()
        self._loud_at = 0.0
        self._speech_began = 0.0
        sound = portaudio()
        self._mouth: Any = sound.OutputStream(
            SPEAKER_RATE, device="vt_test", channels=1, dtype="int16", latency=0.1
        )
        self._ears: Any = sound.InputStream(
            MIC_RATE, MIC_RATE // 20, "vt_test", 1, "int16", callback=self._hear
        )

    def __enter__(self) -> People:
        self._mouth.start()
        self._ears.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._ears.abort()
        self._mouth.abort()
        self._ears.close()
        self._mouth.close()

    def play(self, over: threading.Event) -> None:
        """Answer until every turn was taken and the game is over."""
        for turn in self.turns:
            self._await_question(turn, over)
            if over.is_set():
                return
            self._answer(turn)
        over.wait(60)

    def _await_question(self, turn: Turn, over: threading.Event) -> None:
        """Wait for the words; where nothing happens, the last answer was not heard: once more."""
        considered, waited = 0.0, time.monotonic()
        while not over.wait(0.05):
            silent, spoke_at = self._silence()
            if silent < max(PAUSE, turn.after):
                continue
            if spoke_at > considered:
                considered, waited = spoke_at, time.monotonic()
                if re.search(turn.hears, self._understood()):
                    return
            elif self.said and time.monotonic() - waited > ONCE_MORE:
                waited = time.monotonic()
                self._say(self.said[-1])

    def _answer(self, turn: Turn) -> None:
        self.said.append(turn.says)
        self._say(turn.says)

    def _say(self, text: str) -> None:
        pcm = self._synthesiser.render(text, self.voice)
        pause = np.zeros(SPEAKER_RATE // 5, np.int16)
        self._mouth.write(np.concatenate([pcm, pause])[:, None])

    def _hear(self, data: Any, _frames: int, _moment: Any, _status: Any) -> None:
        block = data[:, 0].copy()
        now = time.monotonic()
        with self._lock:
            if np.sqrt(np.mean(block.astype(float) ** 2)) > LOUD:
                self._loud_at = now
            self._sound.append((now, block))
            del self._sound[: -20 * 25]

    def _silence(self) -> tuple[float, float]:
        with self._lock:
            return time.monotonic() - self._loud_at, self._loud_at

    def _understood(self) -> str:
        """Give the words of the last five seconds the narrator spoke, as far as they are clear."""
        with self._lock:
            until = self._loud_at
            parts = [block for at, block in self._sound if until - 5.5 < at < until + 0.3]
        self.recogniser.expect(Automaton(((),), frozenset()), free=True)
        self.recogniser.accept(np.concatenate(parts))
        text = self.recogniser.finish().text
        self.heard.append(text)
        return text
