"""A narrator that can be interrupted, at the virtual table, with everything real but the game."""

from __future__ import annotations

import importlib
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from narrator.adapters.sound.microphone import Mic
from narrator.adapters.sound.portaudio import Devices
from narrator.adapters.sound.speaker import Speaker
from narrator.adapters.system.clock import SessionClock
from narrator.adapters.system.inbox import ThreadInbox
from narrator.app.wiring.barge_in import Interrupting
from narrator.app.wiring.engines import make_ear, make_recogniser, make_synthesiser
from narrator.audio.gate import Gate
from narrator.audio.mixer import Mixer
from narrator.config.settings import Settings
from narrator.core.effects import Listen, Say
from narrator.core.events import Event
from narrator.core.expect import Expectation
from narrator.core.values import Seat
from narrator.listening.barge_in_policy import BargeInPolicy
from narrator.listening.interpreter import Interpreter
from narrator.listening.listening_thread import ListeningThread
from narrator.ports.audio import MIC_RATE, SPEAKER_RATE, Pcm
from narrator.ports.errors import SoundError
from narrator.ports.session import Heard, Update
from narrator.ports.speech import Voice
from narrator.script.files.locales import load_locale
from narrator.speaking.cache import SpeechCache
from narrator.speaking.speech_queue import Speech
from narrator.speaking.store import SpeechStore
from tests.told import english
from tests.virtual_table import portaudio
from tools.hearing.afresh import EspeakAfresh

SEATS = (Seat(1, "Robert"), Seat(2, "Julia"), Seat(3, "Oliver"))
COMMANDS = ("stop", "pause", "repeat", "skip", "undo", "louder", "help")
LOUD = 400
"""Level of the voice at the loudspeaker, far above the silence between lines."""


class Lines:
    """A screen that nobody reads."""

    def observe(self, update: Update) -> None:
        pass


class Watched(BargeInPolicy):
    """A floor that remembers how often it silenced the voice, and when it last did."""

    def __init__(self, *args: Any, **more: Any) -> None:
        super().__init__(*args, **more)
        self.times = 0
        self.held_at = 0.0

    def _hold(self) -> None:
        if not self._holds:
            self.times += 1
            self.held_at = time.monotonic()
        super()._hold()


class Scene:
    """The narrator's mouth and ear as `play` wires them, and somebody's mouth in the room."""

    def __init__(self, folder: Path, barge_in: str = "echo", **settings: Any) -> None:
        wanted = Settings(
            voice="en", speaker="vt_app", microphone="vt_app", barge_in=barge_in, **settings
        )
        self.told: list[str] = []
        devices, clock, inbox = Devices(), SessionClock(), ThreadInbox()
        interrupting = Interrupting(wanted, devices, lambda fault: self.told.append(english(fault)))
        gate = Gate(wanted.guard_time)
        ends: list[Callable[[Any], None]] = []
        tap = interrupting.far.played if interrupting.far else None
        self._played: list[tuple[float, Pcm]] = []

        def noted(sound: Pcm, rate: int, begin: float) -> None:
            self._played.append((time.monotonic(), sound.copy()))
            if tap:
                tap(sound, rate, begin)

        speaker = Speaker(
            Mixer(), devices, clock, lambda end: ends[0](end), self._fault, "vt_app", noted
        )
        cache = SpeechCache(make_synthesiser(Voice("en")), SpeechStore(folder))
        self.speech = Speech(cache, speaker, gate, inbox, clock, Lines().observe, wanted.as_voice())
        ends.append(self.speech.played)
        self.floor = Watched(
            self.speech,
            barge_in=barge_in != "off",
            push_to_talk=wanted.push_to_talk,
        )
        recogniser = make_recogniser("whisper", "", "en")
        self.hearing = ListeningThread(
            lambda: (
                make_ear(recogniser),
                Interpreter(SEATS, load_locale("en"), recogniser.traits),
            ),
            lambda blocks, fault: Mic(devices, clock, blocks, fault, "vt_app"),
            gate,
            inbox,
            clock,
            floor=self.floor,
            echo=interrupting.echo,
        )
        self.inbox = inbox
        self._voice = EspeakAfresh()
        self._words: Pcm = np.zeros(0, np.int16)
        self._chance = np.random.default_rng(1)
        self._mouth: Any = portaudio().OutputStream(
            SPEAKER_RATE, 0, "vt_test", 1, "int16", 0.1, callback=self._speak
        )
        self._mouth.start()
        self.said_at = 0.0
        self.lines = 0

    def _fault(self, fault: SoundError, back: bool) -> None:
        self.told.append(english(fault))

    def listen(self, number: int = 1) -> None:
        commands = tuple(Expectation(f"command:{c}", "command") for c in COMMANDS)
        self.hearing.expect(Listen(number, commands, "day/talk"))

    def say(self, number: int, text: str) -> None:
        self.speech.say(Say(number, text))

    def player(self, text: str, voice: str = "gmw/en-us+f3") -> float:
        """Let somebody say this; return its length in seconds."""
        sound = self._voice.render(text, Voice(voice))
        self._words = (sound * (6000 / max(1, int(np.abs(sound).max())))).astype(np.int16)
        self.said_at = time.monotonic()
        return sound.size / SPEAKER_RATE

    def _speak(self, out: Any, frames: int, _moment: Any, _status: Any) -> None:
        now, self._words = self._words[:frames], self._words[frames:]
        air = self._chance.normal(0, 15, frames)
        air[: now.size] += now
        out[:, 0] = np.clip(air, -32767, 32767).astype(np.int16)

    def events(self, seconds: float) -> list[Event]:
        """Return what happens within so many seconds."""
        found: list[Event] = []
        end = time.monotonic() + seconds
        while (left := end - time.monotonic()) > 0:
            event = self.inbox.take(min(left, 0.05))
            self.speech.check()
            if isinstance(event, Heard):
                event = event.transcript
            if event is not None:
                found.append(event)
        return found

    def events_until(self, kind: type[Event], seconds: float) -> list[Event]:
        """Return what happens until something of this kind does; a busy machine takes its time."""
        found: list[Event] = []
        end = time.monotonic() + seconds
        while time.monotonic() < end and not any(isinstance(event, kind) for event in found):
            found += self.events(0.2)
        return found

    def loud_after(self, moment: float) -> list[float]:
        """Return the seconds after a moment at which the voice was given to the device."""
        return [
            at - moment
            for at, sound in self._played
            if at >= moment and np.abs(sound.astype(np.int32)).max(initial=0) > LOUD
        ]

    def close(self) -> None:
        self._mouth.abort()
        self._mouth.close()
        self.hearing.close()
        self.speech.close()


def has_canceller() -> bool:
    """Whether the optional echo canceller is installed."""
    try:
        importlib.import_module("livekit.rtc")
    except (ImportError, OSError):
        return False
    return True


__all__ = ["MIC_RATE", "SEATS", "Scene", "has_canceller"]
