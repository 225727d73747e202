"""People at the virtual table: they hear the narrator by ear only, and answer aloud."""

from __future__ import annotations

import re
import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from narrator.language.grammar.automaton import Automaton
from narrator.ports.audio import MIC_RATE, SPEAKER_RATE, Pcm
from narrator.ports.recognition import Recogniser
from narrator.ports.speech import Voice
from tests.virtual_table import portaudio
from tools.hearing.afresh import EspeakAfresh

LOUD = 2200
"""Level of the narrator's voice that its masking sound never has."""
BLOCK = 0.05
"""Seconds of sound that are looked at together."""
AGAIN = r"again|one other|another player|other player"
"""By what the narrator asks for the same answer again."""
ROOM = 20
"""Level of the room's own noise."""
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
    longest: float = 60.0
    """Seconds that what is heard may last: somebody's name alone is short."""


@dataclass
class SimulatedPlayers:
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
        self._synthesiser = EspeakAfresh()
        self._sound: list[tuple[float, Pcm]] = []
        self._lock = threading.Lock()
        self._loud_at = 0.0
        self._began = 0.0
        """When the narrator began to speak without a pause."""
        self._considered = 0.0
        self.first_word = 0.0
        self.reactions: list[float] = []
        """Seconds from the end of what they said to the narrator's next sound, in order."""
        self._said_until = 0.0
        sound = portaudio()
        self._words = np.zeros(0, np.int16)
        self._chance = np.random.default_rng(1)
        self._mouth: Any = sound.OutputStream(
            SPEAKER_RATE, 0, "vt_test", 1, "int16", 0.2, callback=self._speak
        )
        self._ears: Any = sound.InputStream(
            MIC_RATE, int(BLOCK * MIC_RATE), "vt_test", 1, "int16", callback=self._hear
        )

    def __enter__(self) -> SimulatedPlayers:
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
        """Wait for the words; where others or none come, the last answer is said once more.

        Who still does not understand then takes it that the question was asked.
        """
        waited, repeated = time.monotonic(), 0
        while repeated < 3 and not over.wait(0.05):
            silent, length, spoke_at = self._silence()
            if silent < max(PAUSE, turn.after):
                continue
            if spoke_at > self._considered:
                self._considered, waited = spoke_at, time.monotonic()
                words = self._understood() if length <= turn.longest else ""
                if self.said and re.search(AGAIN, words):
                    repeated += 1
                    self._say(self.said[-1])
                elif length <= turn.longest and re.search(turn.hears, words):
                    return
            elif self.said and time.monotonic() - waited > ONCE_MORE:
                waited, repeated = time.monotonic(), repeated + 1
                self._say(self.said[-1])

    def _answer(self, turn: Turn) -> None:
        self.said.append(turn.says)
        self._say(turn.says)

    def _say(self, text: str) -> None:
        self._words = self._synthesiser.render(text, self.voice)

    def _speak(self, out: Any, frames: int, moment: Any, _status: Any) -> None:
        """Play what is being said over the faint noise that every room has."""
        if self._words.size:
            delay = moment.outputBufferDacTime - moment.currentTime
            end = min(frames, self._words.size) / SPEAKER_RATE
            self._said_until = time.monotonic() + delay + end
        now, self._words = self._words[:frames], self._words[frames:]
        air = self._chance.normal(0, ROOM, frames)
        air[: now.size] += now
        out[:, 0] = np.clip(air, -32767, 32767).astype(np.int16)

    def _hear(self, data: Any, _frames: int, _moment: Any, _status: Any) -> None:
        block = data[:, 0].copy()
        now = time.monotonic()
        with self._lock:
            if np.sqrt(np.mean(block.astype(float) ** 2)) > LOUD:
                self.first_word = self.first_word or now
                if now - self._loud_at > PAUSE:
                    self._begins(now)
                self._loud_at = now
            self._sound.append((now, block))
            del self._sound[: -round(25 / BLOCK)]

    def _begins(self, now: float) -> None:
        self._began = now
        if self._said_until:
            self.reactions.append(round(now - BLOCK - self._said_until, 2))
            self._said_until = 0.0

    def _silence(self) -> tuple[float, float, float]:
        """Return the seconds since the narrator last spoke, how long it did, and until when."""
        with self._lock:
            return (
                time.monotonic() - self._loud_at,
                self._loud_at - self._began,
                self._loud_at,
            )

    def _understood(self) -> str:
        """Return what the narrator said last, a few seconds at most, as far as it is clear."""
        with self._lock:
            since, until = max(self._began - 0.3, self._loud_at - 3.5), self._loud_at + 0.3
            parts = [block for at, block in self._sound if since < at < until]
        self.recogniser.expect(Automaton(((),), frozenset()), free=True)
        self.recogniser.accept(np.concatenate(parts))
        text = self.recogniser.finish().text
        self.heard.append(text)
        return text
