"""A table to test at: the app's loudspeaker and microphone, and the test's own ears and mouth."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import cast

import numpy as np

from narrator.adapters.sound.microphone import Mic
from narrator.adapters.sound.portaudio import Devices
from narrator.adapters.sound.speaker import Speaker
from narrator.adapters.system.clock import SessionClock
from narrator.audio.mixer import Mixer, MixerSettings
from narrator.ports.audio import MIC_RATE, Pcm, Played
from narrator.ports.errors import SoundError
from tests.patience import limit
from tests.told import english
from tests.virtual_table import VirtualTable


class Desk:
    """A table with the app's loudspeaker and microphone, and the test's own ears and mouth."""

    def __init__(self, table: VirtualTable) -> None:
        self.table = table
        self.devices = Devices()
        self.clock = SessionClock()
        self.ends: list[Played] = []
        self.faults: list[tuple[SoundError, bool]] = []
        self._open: list[Speaker | Mic] = []

    def speaker(self, device: str | int | None = "vt_app", mixer: Mixer | None = None) -> Speaker:
        mixer = mixer or Mixer(MixerSettings(lead_in=0.0))
        made = Speaker(mixer, self.devices, self.clock, self.ends.append, self._fault, device)
        self._open.append(made)
        return made

    def mic(self, blocks: list[Pcm], device: str | int | None = "vt_app") -> Mic:
        made = Mic(self.devices, self.clock, blocks.append, self._fault, device)
        self._open.append(made)
        return made

    def ears(self) -> list[Pcm]:
        """Record what the loudspeaker plays, from now on."""
        heard: list[Pcm] = []
        made = Mic(Devices(), self.clock, heard.append, lambda _text, _back: None, "vt_test")
        self._open.append(made)
        until(lambda: len(heard) > 2)
        return heard

    def ended(self, utterance: int) -> Callable[[], bool]:
        return lambda: any(end.utterance == utterance for end in self.ends)

    def told(self, words: str, back: bool = False) -> bool:
        return any(
            words in english(fault) and recovered == back for fault, recovered in self.faults
        )

    def _fault(self, fault: SoundError, back: bool) -> None:
        self.faults.append((fault, back))

    def close(self) -> None:
        for one in self._open:
            one.close()


def until(true: Callable[[], bool], seconds: float = 15.0) -> None:
    """Wait for something that comes from another thread; fail when it does not come."""
    end = time.monotonic() + limit(seconds)
    while not true():
        assert time.monotonic() < end, "it did not happen"
        time.sleep(0.01)


def together(blocks: list[Pcm]) -> Pcm:
    return np.concatenate([*blocks, np.zeros(0, np.int16)])


def loud_seconds(sound: Pcm, level: int = 500) -> float:
    """Return the time between the first and the last loud sample."""
    loud = np.flatnonzero(np.abs(sound.astype(int)) > level)
    return float(loud[-1] - loud[0]) / MIC_RATE if loud.size else 0.0


def lasts(seconds: float, sound: Pcm) -> bool:
    """Whether all of it was heard; a busy machine may run dry, which adds silence only."""
    return seconds - 0.02 < loud_seconds(sound) < seconds + 0.5


def tone(seconds: float, rate: int, hertz: float = 500.0, level: int = 8000) -> Pcm:
    moments = np.arange(round(seconds * rate)) / rate
    return cast(Pcm, np.rint(level * np.sin(2 * np.pi * hertz * moments)).astype(np.int16))
