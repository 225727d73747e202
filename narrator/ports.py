"""The Protocols between the core and the world. Adapters implement them; the host calls them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

from narrator.core.effects import Effect
from narrator.core.events import Event
from narrator.core.values import Value
from narrator.language.automaton import Automaton

Pcm: TypeAlias = NDArray[np.int16]
"""Mono samples, shape (n,), full scale 32767."""

MIC_RATE = 16_000
"""Samples a second at which everything is heard."""
BLOCK = 1_600
"""Samples in one microphone block: 100 ms."""
SPEAKER_RATE = 22_050
"""Samples a second at which the mixer works."""


class NarratorError(Exception):
    """A fault a person can meet: one plain sentence, and the remedy."""

    code: str = "narrator"
    exit_code: int = 1

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint

    def __str__(self) -> str:
        return f"{self.message} {self.hint}".strip()


class RecogniserError(NarratorError):
    """The recogniser or its model cannot be used."""

    code = "recogniser"
    exit_code = 3


class SynthesiserError(NarratorError):
    """A line could not be turned into sound."""

    code = "synthesiser"
    exit_code = 4


class SoundError(NarratorError):
    """A sound device cannot be used."""

    code = "sound"
    exit_code = 5


class JournalError(NarratorError):
    """The evening cannot be stored."""

    code = "journal"
    exit_code = 6


class Clock(Protocol):
    """Session seconds: they start at 0, never jump, and stand still under a virtual clock until
    moved.
    """

    def now(self) -> float:
        """Give the seconds since the session began."""
        ...


class Inbox(Protocol):
    """The one queue into the thread that thinks. Any thread may post; one thread takes."""

    def post(self, event: Event) -> None:
        """Queue an event in its class: operator and stop, port failure, timer, transcript."""
        ...

    def take(self, timeout: float | None) -> Event | None:
        """Wait at most so many seconds for the next event; None when none came."""
        ...


@dataclass(frozen=True, slots=True)
class Hypothesis:
    """What an engine made of one utterance."""

    text: str
    """Lower-case words; empty where nothing was recognised.

    Words outside the grammar are `[unk]`.
    """
    score: float = 0.0
    """How well the sound fits the text: engine-specific, higher is better, comparable within an
    engine.
    """
    margin: float = 99.0
    """Score above the best different sentence of the grammar; large where there is no other."""
    seconds: float = 0.0
    """Length of the speech it was made from."""
    words: tuple[tuple[str, float], ...] = ()
    """Each word with its confidence, where the engine has one."""
    rivals: tuple[tuple[str, float], ...] = ()
    """Different sentences that were weighed, each with how far below it lies, the nearest first:
    one of them may mean the same."""
    stands_out: float = 99.0
    """Decibels from the sound around the utterance to its loudest, told by the ear."""
    is_part: bool = False
    """Whether it was made from the louder part of the utterance only."""


class Recogniser(Protocol):
    """Turns the sound of one utterance into words along a grammar. Used from one thread only.

    The host finds where an utterance begins and ends; the engine is given only what lies between.
    """

    name: str
    """`whisper` or `vosk`: what thresholds are kept by."""
    language: str
    knows_unknown: bool
    """Whether words outside the grammar can be noticed at all (`[unk]`, or an absolute score)."""

    def expect(self, grammar: Automaton, *, free: bool = False) -> None:
        """Listen along this grammar from the next utterance on; never disturbs one that has begun.

        Where the answer is free speech, what fits no sentence of the grammar is written down.
        """
        ...

    def accept(self, block: Pcm) -> str:
        """Take the next sound of the utterance (16 kHz mono); give the partial text, or ""."""
        ...

    def guess(self) -> Hypothesis | None:
        """Decide on the sound so far without ending the utterance.

        None where the engine decides as the sound comes in, and `finish` takes no time.
        """
        ...

    def finish(self) -> Hypothesis:
        """End the utterance and decide.

        Called exactly once an utterance; silence gives an empty text.
        """
        ...

    def reset(self) -> None:
        """Forget the utterance that has begun, if any."""
        ...

    def knows_word(self, word: str) -> bool:
        """Tell whether this word can ever be heard."""
        ...

    def close(self) -> None:
        """Give everything back."""
        ...


class VoiceDetector(Protocol):
    """Tells speech from everything else, frame by frame."""

    frame: int
    """Samples it takes at a time."""

    def probability(self, frame: Pcm) -> float:
        """Give the probability, 0 to 1, that this frame holds speech."""
        ...

    def reset(self) -> None:
        """Forget what came before."""
        ...


@dataclass(frozen=True, slots=True)
class Voice:
    """How a line is to sound."""

    name: str = ""
    """The engine's own id, for instance `gmw/en-us+f3`; empty: the default for the language."""
    language: str = "en"
    rate: int = 165
    """Words a minute, 80 to 450."""
    volume: float = 1.0
    """0 to 1."""
    pitch: int = 50
    """0 to 99."""


@dataclass(frozen=True, slots=True)
class VoiceInfo:
    """A voice that can be chosen."""

    id: str
    """What `Voice.name` takes."""
    language: str
    """Its language tag in lower case, for instance `en-us`; empty where the engine does not say."""
    name: str
    """As people call it."""


class Synthesiser(Protocol):
    """Turns text into sound; never plays it."""

    name: str

    def render(self, text: str, voice: Voice) -> Pcm:
        """Give the line at SPEAKER_RATE, without leading silence. Raises SynthesiserError."""
        ...

    def close(self) -> None:
        """End the engine and any process of its own."""
        ...


class Pronouncer(Protocol):
    """Knows how a language is pronounced."""

    def phonemes(self, text: str, language: str) -> str:
        """Give a text's sounds in the phonetic alphabet, `_` between sounds, a space between words.

        Raises SynthesiserError where it does not know the language.
        """
        ...


Bus: TypeAlias = Literal["voice", "cues", "cover"]


@dataclass(frozen=True, slots=True)
class Clip:
    """Sound to be played, with the number that its end is reported under (0: not reported)."""

    utterance: int
    pcm: Pcm
    bus: Bus = "voice"
    at: int | None = None
    """Sample of the player's clock to begin at; None: as soon as what is queued on its bus is over.
    """
    heard_at: float | None = None
    """Session seconds at which its first sample is to be heard, in place of `at`, where the player
    knows when its samples are heard; one that is late begins at once."""


@dataclass(frozen=True, slots=True)
class Played:
    """A clip's end: played to the last sample, or cut."""

    utterance: int
    seconds: float
    """Of the clip, as far as it was heard."""
    complete: bool
    over: float | None = field(default=None, compare=False)
    """Session seconds at which its last sample was heard, where the player knows."""


class Player(Protocol):
    """The loudspeaker: one stream that is always open, several buses, every end reported."""

    def play(self, clip: Clip) -> None:
        """Queue a clip; returns at once."""
        ...

    def hush(self) -> None:
        """Fade the voice bus out within 100 ms, drop its queue, report each clip as cut."""
        ...

    def hold(self, on: bool) -> None:
        """Fade the voice bus out within 100 ms and let it wait where it is; off: go on, a moment
        before where it was, so that no word is lost.
        """
        ...

    def cover(self, on: bool) -> None:
        """Fade the masking sound in or out."""
        ...

    def volume(self, bus: Bus, gain: float) -> None:
        """Set a bus's gain, 0 to 2."""
        ...

    def position(self) -> int:
        """Give the player's clock: samples handed to the device so far, at SPEAKER_RATE."""
        ...

    def close(self) -> None:
        """Stop at once and give the device back; never hangs."""
        ...


PlayedCallback: TypeAlias = Callable[[Played], None]
"""Called from the player's own thread with each clip's end; must only queue."""
BlockCallback: TypeAlias = Callable[[Pcm], None]
"""Called with each microphone block, BLOCK samples at MIC_RATE; must only queue."""
FaultCallback: TypeAlias = Callable[[str, bool], None]
"""Called with one plain sentence, and whether it tells of a recovery."""


class EchoCanceller(Protocol):
    """Takes out of the microphone's sound what the loudspeaker put into it."""

    frame: int
    """Samples it takes at a time, at MIC_RATE."""

    def cancel(self, near: Pcm, far: Pcm) -> Pcm:
        """Give the microphone's frame without the echo.

        Args:
            near: What the microphone gave, one frame.
            far: What was played, one frame, no later than its echo comes in.
        """
        ...


class Microphone(Protocol):
    """The microphone: blocks arrive by callback until it is closed."""

    def close(self) -> None:
        """Stop at once and give the device back; never hangs."""
        ...


@dataclass(frozen=True, slots=True)
class Entry:
    """One line of the journal."""

    number: int
    now: float
    """Session seconds."""
    event: Event
    effects: tuple[Effect, ...] = field(default_factory=tuple)


class Journal(Protocol):
    """Where an evening is kept; one writer."""

    def append(self, now: float, event: Event, effects: Iterable[Effect]) -> None:
        """Store an event and what it caused, before the effects are heard."""
        ...

    def keep(self, now: float, state: Mapping[str, Any]) -> None:
        """Store a saved state, so that resuming need not begin with the first event."""
        ...

    def beat(self, now: float) -> None:
        """Note that so many session seconds were played, though nothing happened."""
        ...

    def finish(
        self, now: float, ended: str, result: Mapping[str, Value], totals: Mapping[str, Value]
    ) -> None:
        """Note how the game ended; an evening without this can be gone on with."""
        ...

    def entries(self) -> list[Entry]:
        """Give everything stored so far, in order."""
        ...

    def close(self) -> None:
        """Finish writing."""
        ...


class Screen(Protocol):
    """Plain lines for people who read."""

    def line(self, text: str) -> None:
        """Show one line."""
        ...


Settings: TypeAlias = Mapping[str, Value]
"""Options of a game as the table chose them."""
