"""Several engines as one synthesiser: a voice's name and language tell which of them speaks."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from dataclasses import replace

from narrator.adapters.voices.child.process import ChildSynthesiser
from narrator.language.text import with_stops
from narrator.ports.audio import Pcm
from narrator.ports.engines import VoiceEngine
from narrator.ports.errors import SynthesiserError
from narrator.ports.faults import FaultCode
from narrator.ports.speech import Voice, VoiceInfo

_NOT_THERE = (FaultCode.VOICE_UNKNOWN, FaultCode.VOICE_UNKNOWN_BUT_NEAR)
FIRST_WAIT = 1.0
"""Seconds that a line waits for an engine that is still starting, before the usual one says it."""
FAILURES = 5
"""Failures in a row after which an engine is given up: each costs a new process and seconds."""


def engine_of(voice: Voice, engines: Sequence[VoiceEngine], text: str = "") -> VoiceEngine:
    """Return the engine that a voice belongs to; of an unnamed one the best for the language.

    Args:
        voice: Whose engine is wanted.
        engines: The one to be preferred first.
        text: What is to be said; empty: anything.

    Raises:
        SynthesiserError: Nothing here can speak.
    """
    if voice.name:
        fitting = [e for e in engines if e.claims(voice.name)][:1]
    else:
        able = (e for e in engines if e.rank and e.speaks(voice.language))
        fitting = [e for e in able if not e.problem()][:1]
    return next((e for e in fitting if not text or e.can_say(text)), None) or usual_engine(engines)


def usual_engine(engines: Sequence[VoiceEngine]) -> VoiceEngine:
    """Return the engine that speaks all languages. Raises SynthesiserError where there is none."""
    for engine in engines:
        if engine.rank and not engine.languages and not engine.problem():
            return engine
    raise SynthesiserError(FaultCode.NOTHING_SPEAKS)


def _unclaimed(voice: Voice, engines: Sequence[VoiceEngine]) -> Voice:
    """Return the voice without a name that is another engine's."""
    return replace(voice, name="") if any(e.claims(voice.name) for e in engines) else voice


def _styled(engine: VoiceEngine, text: str, voice: Voice) -> tuple[str, Voice]:
    """Return what an engine is given to say a text in the voice's style."""
    manner = engine.styles.get(voice.style)
    if manner is None:
        return text, voice
    rate, pitch = round(voice.rate * manner.rate), voice.pitch + manner.pitch
    spoken = with_stops(text) if manner.stops else text
    return spoken, replace(voice, rate=min(450, max(80, rate)), pitch=min(99, max(0, pitch)))


def _name_of(engine: VoiceEngine) -> str:
    return f"{engine.name} {engine.version()}".strip()


class ChosenSynthesiser:
    """The engines of the registry, each in a process of its own once it is needed.

    May be used from any thread. An engine that every installation has, the usual one, says what
    another engine cannot say, and its usual voice says what a voice that is not there should say.
    """

    def __init__(
        self,
        engines: Sequence[VoiceEngine],
        first: Voice,
        fell_back: Callable[[SynthesiserError], None] | None = None,
        wait: float = FIRST_WAIT,
    ) -> None:
        """Start the engine of the first voice; returns at once.

        Args:
            engines: The one to be preferred first.
            first: The voice that speaks first.
            fell_back: Told once for each engine, and for each missing voice, why the usual one
                speaks in its place; None: a line that its engine cannot say is an error.
            wait: Seconds that the first line waits for an engine that is still starting; also the
                least that any line may take, where that is more than the engine's own patience.
        """
        self._engines = engines
        self._fell_back, self._wait = fell_back, wait
        self._lock = threading.Lock()
        self._made: dict[str, ChildSynthesiser] = {}
        self._closed = False
        self._told: set[str] = set()
        self._unspeakable: set[tuple[str, Voice]] = set()
        """Lines that their engine failed at."""
        self._meanwhile: set[tuple[str, Voice]] = set()
        """Lines that the usual engine said because theirs was still starting."""
        self._failures: dict[str, int] = {}
        """In a row, by engine."""
        self._waited: set[str] = set()
        self._missing: set[str] = set()
        self.name = engine_of(first, engines).name
        self._child(engine_of(first, engines))

    def key(self, text: str, voice: Voice) -> str:
        """Return the engine and version that are to speak a line."""
        engine = self._engine(text, voice)
        if (text, voice) in self._unspeakable:
            engine = usual_engine(self._engines)
        return _name_of(engine)

    def spoken_by(self, text: str, voice: Voice) -> str:
        """Return the engine and version that spoke a line when it was last rendered."""
        if (text, voice) in self._meanwhile:
            return _name_of(usual_engine(self._engines))
        return self.key(text, voice)

    def is_ready(self, text: str, voice: Voice) -> bool:
        """Whether the engine of a line has started, or cannot; never waits."""
        return self._child(self._engine(text, voice)).is_ready(0.0)

    def render(self, text: str, voice: Voice) -> Pcm:
        """Return the line at SPEAKER_RATE; raises SynthesiserError as the voice's engine does."""
        engine, line = self._engine(text, voice), (text, voice)
        self._unspeakable.discard(line)
        self._meanwhile.discard(line)
        if engine is usual_engine(self._engines):
            return self._render_usually(text, voice, _unclaimed(voice, self._engines))
        if self._fell_back is not None and not self._has_started(engine):
            self._meanwhile.add(line)
            return self._render_otherwise(text, voice)
        try:
            sound = self._child(engine).render(*_styled(engine, text, voice))
        except SynthesiserError as error:
            if self._fell_back is None or self._closed:
                raise
            self._failures[engine.name] = self._failures.get(engine.name, 0) + 1
            self._unspeakable.add(line)
            self._report_once(engine.name, error)
            return self._render_otherwise(text, voice)
        self._failures[engine.name] = 0
        return sound

    def _engine(self, text: str, voice: Voice) -> VoiceEngine:
        """Return who is to say a line: the usual engine where the voice's fails at every line."""
        engine = engine_of(voice, self._engines, text)
        failed = self._failures.get(engine.name, 0) >= FAILURES and self._fell_back is not None
        return usual_engine(self._engines) if failed else engine

    def _render_usually(self, text: str, wanted: Voice, voice: Voice) -> Pcm:
        """Render with the usual engine; a voice that it does not have is told once."""
        if voice.name not in self._missing:
            try:
                usual = usual_engine(self._engines)
                return self._child(usual).render(*_styled(usual, text, voice))
            except SynthesiserError as error:
                if self._fell_back is None or not voice.name or error.code not in _NOT_THERE:
                    raise
                self._missing.add(voice.name)
                self._report_once(f"voice {voice.name}", error)
        self._unspeakable.add((text, wanted))
        return self._render_otherwise(text, wanted)

    def _render_otherwise(self, text: str, wanted: Voice) -> Pcm:
        """Render with the usual voice of the language."""
        usual = usual_engine(self._engines)
        return self._child(usual).render(*_styled(usual, text, replace(wanted, name="")))

    def _has_started(self, engine: VoiceEngine) -> bool:
        """Whether an engine can speak now; only the first line waits for one that starts."""
        ready = self._child(engine).is_ready(0.0 if engine.name in self._waited else self._wait)
        self._waited.add(engine.name)
        return ready

    def voices(self) -> list[VoiceInfo]:
        """List the voices that can be named: those of engines with few, then the usual one's.

        Raises SynthesiserError as the usual engine does.
        """
        few = [
            VoiceInfo(name, engine.languages[0] if engine.languages else "", engine.name)
            for engine in self._engines
            if not engine.problem()
            for name in engine.voices
        ]
        return [*few, *self._child(usual_engine(self._engines)).voices()]

    def close(self) -> None:
        """End the processes; returns within two seconds for each."""
        with self._lock:
            self._closed = True
            made = [*self._made.values()]
        for child in made:
            child.close()

    def _child(self, engine: VoiceEngine) -> ChildSynthesiser:
        with self._lock:
            if self._closed:
                raise SynthesiserError(FaultCode.VOICE_CLOSED)
            if engine.name not in self._made:
                given = next((e.pronouncer for e in self._engines if e.pronouncer), "")
                self._made[engine.name] = ChildSynthesiser(
                    engine.target,
                    engine.name,
                    max(engine.patience, self._wait),
                    engine.start,
                    given if engine.pronounces else "",
                )
            return self._made[engine.name]

    def _report_once(self, cause: str, error: SynthesiserError) -> None:
        if cause not in self._told and self._fell_back is not None:
            self._told.add(cause)
            self._fell_back(error)
