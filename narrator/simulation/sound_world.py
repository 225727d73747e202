"""A stage with sound: real speech, real recognition, virtual time. The samples are the clock."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from narrator.audio.cues import cue as cue_sound
from narrator.audio.loudness import levelled
from narrator.audio.mixer import Mixer
from narrator.core.effects import CountDown, Listen, Say
from narrator.core.events import Event, SpeechCut, SpeechFinished
from narrator.language.grammar.grammar import Grammar
from narrator.listening.interpreter import Interpreter
from narrator.listening.utterance_detector import Utterance, UtteranceDetector
from narrator.ports.audio import BLOCK, MIC_RATE, SPEAKER_RATE, Clip, Pcm, Played
from narrator.ports.speech import Synthesiser, Voice
from narrator.simulation.room import Room
from narrator.simulation.world import GUARD, Heard, Outcome, Uttered
from narrator.speaking.countdown import place
from narrator.speaking.volumes import DUCKED

TICK = BLOCK / MIC_RATE
"""Seconds by which the world moves at a time."""
_PER_TICK = round(TICK * SPEAKER_RATE)
CUES, COVER = 0.6, 0.35
"""Gains of these buses, as the configuration has them."""


@dataclass(slots=True)
class SoundWorld:
    """Renders every line and every player, mixes them, and lets the ear hear what the room holds.

    Args:
        synthesiser: Speaks for the narrator and for the players.
        ear: Hears.
        understanding: Turns what was heard into transcripts.
        room: What the microphone hears.
        voice: The narrator's.
        voices: By seat.
        speakable: Respells a line for the voice.
    """

    synthesiser: Synthesiser
    ear: UtteranceDetector
    understanding: Interpreter
    room: Room
    voice: Voice
    voices: Mapping[str, Voice]
    speakable: Callable[[str], str]
    """Respells a line for the voice."""
    spoken: list[Uttered] = field(default_factory=list)
    heard: list[Heard] = field(default_factory=list)
    record: list[Pcm] = field(default_factory=list)
    """The evening at SPEAKER_RATE, tick by tick."""
    covered: list[tuple[float, bool]] = field(default_factory=list)
    _rendered: dict[tuple[str, Voice], Pcm] = field(default_factory=dict)
    _mixer: Mixer = field(default_factory=Mixer)
    _ticks: int = 0
    _texts: dict[int, str] = field(default_factory=dict)
    _events: list[Event] = field(default_factory=list)
    _silent_since: float = 0.0
    _free: float = 0.0
    """Session seconds at which what is queued should be over."""
    _cue_over: float = 0.0
    """Session seconds at which the last cue is over."""
    _awaits: bool = False
    """Whether an answer is listened for as soon as all is silent."""

    def __post_init__(self) -> None:
        """Learn of every line's end, and mix as at a table."""
        self._mixer.on_played(self._played)
        self._mixer.volume("cues", CUES)
        self._mixer.volume("cover", COVER)

    def now(self) -> float:
        """Return the session seconds."""
        return self._ticks * TICK

    def say(self, line: Say) -> None:
        """Render a line and queue it."""
        voice = _at_rate(self.voice, line.rate)
        self._play(line.utterance, line.text, levelled(self._render(line.text, voice)))

    def count(self, line: CountDown) -> None:
        """Place the words on their beats and queue the piece."""
        words, begin = line.following(max(self.now(), self._free))
        sounds = [levelled(self._render(word, self.voice)) for word in words]
        at = None if line.begins is None else round(begin * SPEAKER_RATE)
        self._play(line.utterance, ", ".join(words), place(sounds, line.beat), at)

    def _play(self, utterance: int, text: str, pcm: Pcm, at: int | None = None) -> None:
        self._texts[utterance] = text
        begin = max(self.now(), self._free) if at is None else at / SPEAKER_RATE
        if at is None and begin < self._cue_over:  # as at a table: no word falls into a signal
            begin, at = self._cue_over, round(self._cue_over * SPEAKER_RATE)
        self._free = begin + pcm.size / SPEAKER_RATE
        self._mixer.play(Clip(utterance, pcm, at=at))

    def _render(self, text: str, voice: Voice) -> Pcm:
        key = (self.speakable(text), voice)
        if key not in self._rendered:
            self._rendered[key] = self.synthesiser.render(*key)
        return self._rendered[key]

    def hush(self) -> None:
        """Fade out and drop what is queued."""
        self._free = 0.0
        self._mixer.hush()

    def cover(self, on: bool) -> None:
        """Fade the masking sound in or out."""
        self._mixer.cover(on)
        self.covered.append((self.now(), on))

    def cue(self, name: str) -> None:
        """Play a cue."""
        sound = cue_sound(name)
        self._cue_over = self.now() + sound.size / SPEAKER_RATE
        self._mixer.play(Clip(0, sound, "cues"))

    def listen(self, listen: Listen, grammar: Grammar | None) -> None:
        """Change what may be said, from the next utterance on."""
        self._awaits = any(e.kind != "command" for e in listen.expectations)
        if grammar is not None:
            expected = listen.expectations[0]
            self.ear.expect(
                grammar.automaton,
                expected.kind,
                free=grammar.is_free,
                undoable=all(e.undoable for e in listen.expectations if e.kind != "command"),
                tag=listen,
            )

    def utter(self, seat: str, text: str) -> float:
        """Let a player say something now; return its seconds."""
        seconds = self.room.speak(self._render(text, self.voices[seat]))
        self.spoken.append(Uttered(seat, self.now(), self.now() + seconds, text))
        return seconds

    def is_open(self) -> bool:
        """Whether the gate is open and no player speaks.

        What the ear takes for an utterance meanwhile nobody can see: a murmur may be one.
        """
        return self._gate_is_open() and not self.room.is_speaking()

    def _gate_is_open(self) -> bool:
        return not self._texts and self.now() >= self._silent_since + GUARD - 1e-9

    def advance(self, until: float) -> Sequence[Event]:
        """Move on tick by tick to the first event, to when a player may speak, or to `until`."""
        was_open = self.is_open()
        while not self._events:
            self._tick()
            opened, was_open = self.is_open() and not was_open, self.is_open()
            if opened or self.now() >= until - 1e-9:
                break
        events, self._events = self._events, []
        return events

    def _tick(self) -> None:
        self._mixer.volume("cover", COVER * (DUCKED if self._awaits and not self._texts else 1.0))
        loudspeaker = self._mixer.read(_PER_TICK)
        block = self.room.hear(BLOCK, loudspeaker)
        mixed = loudspeaker.astype(np.float32) + self.room.recorded(_PER_TICK)
        self.record.append(np.clip(mixed, -32767, 32767).astype(np.int16))
        self._ticks += 1
        if self._gate_is_open():
            self.ear.open()
        else:
            self.ear.close()
        for utterance in self.ear.hear(block):
            self._understand(utterance)

    def _understand(self, utterance: Utterance) -> None:
        listen = utterance.expected.tag
        if not isinstance(listen, Listen):
            return
        transcript = self.understanding.heard(listen, utterance.hypothesis)
        outcome: Outcome = "ignored"
        if transcript is not None:
            outcome = "unclear" if transcript.unclear else "understood"
            self._events.append(transcript)
        # The ear counts the same samples as this clock does.
        begin = utterance.start
        self.heard.append(
            Heard(
                begin,
                begin + utterance.hypothesis.seconds,
                utterance.hypothesis.text,
                outcome,
                transcript,
                utterance.decode,
                utterance.hypothesis.score,
                utterance.hypothesis.margin,
            )
        )

    def _played(self, played: Played) -> None:
        now = (self._ticks + 1) * TICK
        text = self._texts.pop(played.utterance, "")
        self.spoken.append(Uttered("narrator", now - played.seconds, now, text))
        self._silent_since = now
        if played.complete:
            self._events.append(SpeechFinished(played.utterance))
        else:
            self._events.append(SpeechCut(played.utterance, played.seconds))

    def drain(self) -> None:
        """Let what is queued be said, and half a second of silence after it."""
        while self._texts:
            self._tick()
        for _ in range(5):
            self._tick()


def _at_rate(voice: Voice, rate: float) -> Voice:
    return Voice(voice.name, voice.language, round(voice.rate * rate), voice.volume, voice.pitch)
