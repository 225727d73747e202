"""A table with sound: real speech, real recognition, virtual time. The samples are the clock."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import TypeAlias

import numpy as np

from narrator.audio.gate import Gate
from narrator.audio.mixer import Mixer, MixerSettings
from narrator.config.settings import Settings
from narrator.core.effects import Listen
from narrator.core.values import Seat
from narrator.listening.barge_in_policy import BargeInPolicy
from narrator.listening.interpreter import Interpreter
from narrator.listening.listener import Cleaner, Listener
from narrator.listening.utterance_detector import UtteranceDetector
from narrator.ports.audio import (
    BLOCK,
    MIC_RATE,
    SPEAKER_RATE,
    Bus,
    Clip,
    Pcm,
    Played,
    PlayedCallback,
)
from narrator.ports.speech import KeyedSynthesiser, Voice
from narrator.session.watch import Watch
from narrator.simulation.clock import VirtualClock
from narrator.simulation.report import Uttered
from narrator.simulation.room import Room
from narrator.simulation.virtual_inbox import VirtualInbox
from narrator.speaking.cache import SpeechCache
from narrator.speaking.from_settings import make_speech

TICK = BLOCK / MIC_RATE
"""Seconds by which the world moves at a time."""
_PER_TICK = round(TICK * SPEAKER_RATE)
_ROUNDING = 1e-9
"""Seconds by which sums of moments differ."""
_AFTER = 0.5
"""Seconds of silence that are recorded after the last line."""

Tap: TypeAlias = Callable[[Pcm, int, float], None]
"""Takes what is played, its rate, and the session second of its first sample."""


class SampleClock(VirtualClock):
    """A clock that is moved by whole blocks of sound."""

    def __init__(self, start: float = 0.0) -> None:
        super().__init__(start)
        self.begun, self.ticks = start, 0

    def tick(self) -> None:
        """Move on by one block."""
        self.ticks += 1
        self.advance_to(self.begun + self.ticks * TICK)


class SampleInbox(VirtualInbox):
    """An inbox that moves time block by block.

    Args:
        block: Plays and hears the next block, and moves the clock on by it.
    """

    def __init__(self, clock: SampleClock, block: Callable[[], None]) -> None:
        super().__init__(clock)
        self._block = block

    def _move(self, end: float) -> bool:
        if self._clock.now() >= end - _ROUNDING:
            # What is due at `end` is due now: else it would be waited for without an end.
            self._clock.advance_to(end)
            return False
        self._block()
        for mover in self.movers:
            mover.tick()
        return True


class RoomSpeaker:
    """The Player of a room: the real mixer, read block by block."""

    def __init__(self, mixer: Mixer, clock: SampleClock, played: PlayedCallback) -> None:
        self._mixer, self._clock, self._played = mixer, clock, played
        self._ended: list[Played] = []
        mixer.on_played(self._ended.append)

    def play(self, clip: Clip) -> None:
        """Queue a clip, placed by when it is to be heard if that is known."""
        if clip.heard_at is not None:
            at = round((clip.heard_at - self._clock.begun) * SPEAKER_RATE)
            clip = replace(clip, at=max(0, at))
        self._mixer.play(clip)

    def hush(self) -> None:
        """Fade speech out and drop what waits."""
        self._mixer.hush()

    def hold(self, on: bool) -> None:
        """Hold speech; off: continue."""
        self._mixer.hold(on)

    def cover(self, on: bool) -> None:
        """Fade the masking sound in or out."""
        self._mixer.cover(on)

    def volume(self, bus: Bus, gain: float) -> None:
        """Set a bus's gain."""
        self._mixer.volume(bus, gain)

    def position(self) -> int:
        """Return the samples played so far."""
        return self._mixer.position()

    def close(self) -> None:
        """Report what plays as cut."""
        self._mixer.close()
        self.report()

    def read(self) -> Pcm:
        """Return the next block."""
        return self._mixer.read(_PER_TICK)

    def report(self) -> None:
        """Report the clips that ended in the last block, once its time is over."""
        ended, self._ended[:] = self._ended[:], []
        for end in ended:
            self._played(end)


class RoomEars:
    """The Input of a room: the real detector and recogniser, in the thread that thinks."""

    def __init__(
        self,
        ear: UtteranceDetector,
        understanding: Interpreter,
        listener: Listener,
        clock: VirtualClock,
    ) -> None:
        self._ear, self._understanding = ear, understanding
        self._listener, self._clock = listener, clock

    def expect(self, listen: Listen) -> None:
        """Change what may be said, from the next utterance on."""
        self._listener.expect(listen)

    def is_able(self) -> bool:
        """Whether it hears: always."""
        return True

    def talk(self) -> None:
        """Listen to the next utterance, from any speaker."""
        self._listener.press(self._clock.now())

    def close(self) -> None:
        """Do nothing: it holds no resources."""

    def hear(self, block: Pcm) -> None:
        """Take the block that ends now."""
        self._listener.hear(self._ear, self._understanding, self._clock.now(), block)


class SoundWorld:
    """Renders every line and every player, mixes them, and lets the ear hear what the room holds.

    Args:
        seats: Everybody, clockwise.
        settings: Of the program, in force here as at a real table.
        synthesiser: Speaks for the narrator and for the players.
        ear: Hears.
        understanding: Turns what was heard into transcripts.
        room: What the microphone hears.
        voices: Of the players, by seat.
        begun: Session seconds at which it begins.
        slow: Tells of a voice's name whether it takes its time.
        echo: Takes the narrator's voice out of what is heard.
        tap: Given all that is played.
    """

    def __init__(
        self,
        seats: tuple[Seat, ...],
        settings: Settings,
        synthesiser: KeyedSynthesiser,
        ear: UtteranceDetector,
        understanding: Interpreter,
        room: Room,
        voices: Mapping[str, Voice],
        *,
        begun: float = 0.0,
        slow: Callable[[str], bool] = lambda _voice: False,
        echo: Cleaner | None = None,
        tap: Tap | None = None,
    ) -> None:
        self.settings, self.understanding = settings, understanding
        self._room, self._voices, self._synthesiser = room, voices, synthesiser
        self._tap = tap
        self.clock = clock = SampleClock(begun)
        self.watch = Watch(())
        self.inbox = SampleInbox(clock, self._block)
        self.gate = Gate(settings.guard_time)
        cover = None if settings.cover == "off" else settings.cover
        mixer = Mixer(MixerSettings(settings.lead_in, cover=cover))
        self._speaker = RoomSpeaker(mixer, clock, lambda end: self.speech.played(end))
        cache = SpeechCache(synthesiser, inline=True) if settings.speech else None
        self.speech = make_speech(
            settings, seats, cache, self._speaker, self.gate, self.inbox, clock,
            self.watch.tell, slow=slow,
        )  # fmt: skip
        floor = BargeInPolicy(
            self.speech,
            barge_in=settings.barge_in in ("headset", "echo"),
            push_to_talk=settings.push_to_talk,
        )
        listener = Listener(self.gate, self.inbox, floor, echo)
        self.ears = RoomEars(ear, understanding, listener, clock)
        self.spoken: list[Uttered] = []
        """What players said."""
        self.record: list[Pcm] = []
        """The evening at SPEAKER_RATE, tick by tick."""
        self._said: dict[tuple[str, str], Pcm] = {}

    def speak(self, seat: str, text: str) -> float:
        """Say something as a player now, pressing the key first where that is needed."""
        if self.settings.push_to_talk:
            self.ears.talk()
        if (seat, text) not in self._said:
            self._said[seat, text] = self._synthesiser.render(text, self._voices[seat])
        now, seconds = self.clock.now(), self._room.speak(self._said[seat, text])
        self.spoken.append(Uttered(seat, now, now + seconds, text))
        return seconds

    def quiet_since(self) -> float | None:
        """Return from when on a player may speak; None while somebody speaks.

        What the ear takes for an utterance meanwhile nobody can see: babble may be one.
        """
        return None if self._room.is_speaking() else self.gate.opens()

    def close(self) -> None:
        """Record half a second of silence after the last line."""
        for _ in range(round(_AFTER / TICK)):
            self._block()

    def _block(self) -> None:
        begin = self.clock.begun + self.clock.ticks * TICK
        loudspeaker = self._speaker.read()
        if self._tap is not None:
            self._tap(loudspeaker, SPEAKER_RATE, begin)
        block = self._room.hear(BLOCK, loudspeaker)
        mixed = loudspeaker.astype(np.float32) + self._room.recorded(_PER_TICK)
        self.record.append(np.clip(mixed, -32767, 32767).astype(np.int16))
        self.clock.tick()
        self._speaker.report()
        self.ears.hear(block)
