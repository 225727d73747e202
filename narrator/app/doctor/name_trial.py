"""Everybody says their name once, and is told what was understood."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from narrator.adapters.sound.speaker import Speaker
from narrator.adapters.system.clock import SessionClock
from narrator.app.doctor.live_ear import Sound, drop, heard, microphone
from narrator.app.telling import told
from narrator.app.wiring.engines import make_ear, make_recogniser, make_synthesiser
from narrator.app.wiring.play import NoLoudspeaker
from narrator.app.wiring.table_devices import TableDevices
from narrator.audio.loudness import levelled
from narrator.audio.mixer import Mixer, MixerSettings
from narrator.config.settings import Settings
from narrator.core.effects import Listen
from narrator.core.expect import Expectation
from narrator.core.values import Seat
from narrator.language.locale import Locale
from narrator.language.messages import Messages
from narrator.language.names.forms import number_forms
from narrator.listening.interpreter import Interpreter
from narrator.listening.utterance_detector import Utterance, UtteranceDetector
from narrator.ports.audio import Clip, Played
from narrator.ports.errors import PlayError, SoundError, SynthesiserError
from narrator.ports.recognition import Recogniser
from narrator.ports.session import Screen
from narrator.ports.speech import Synthesiser
from narrator.script.files.locales import load_locale
from narrator.speaking.respelling import Speakable

TRIES = 2
LISTENS = 6.0
"""Seconds that somebody has to begin, and to say their name."""
_PATIENCE = 3.0


@dataclass(frozen=True, slots=True)
class Tried:
    """How it went with one name."""

    name: str
    heard: tuple[str, ...]
    """What was heard at each try; empty texts where nobody spoke, or nothing fitted."""
    understood: bool


class Voice:
    """Says a line and waits for its last sample; only shows it where there is no voice."""

    def __init__(
        self, settings: Settings, seats: Sequence[Seat], devices: TableDevices, messages: Messages
    ) -> None:
        self._settings = settings
        self._speakable = Speakable(seats, settings.pronunciations)
        self._ended = threading.Event()
        self._synthesiser: Synthesiser | None = None
        if settings.speech:
            self._synthesiser = make_synthesiser(settings.as_voice())
        self._clock = SessionClock()
        self._faults: list[SoundError] = []
        self._messages = messages
        self._speaker = Speaker(
            Mixer(MixerSettings(lead_in=settings.lead_in)),
            devices if settings.speech else NoLoudspeaker(),
            self._clock,
            self._played,
            lambda fault, _recovered: self._faults.append(fault),
            settings.speaker or None,
        )

    def say(self, text: str, screen: Screen) -> bool:
        """Show a line and say it; tells, when its last sample was played, whether it was said."""
        screen.line(text)
        if self._synthesiser is None:
            return False
        try:
            pcm = self._synthesiser.render(self._speakable(text), self._settings.as_voice())
        except SynthesiserError as fault:
            screen.line(str(told(fault, self._messages)))
            self._synthesiser = None
            return False
        self._ended.clear()
        begun = self._clock.now()
        self._speaker.volume("voice", self._settings.volume)
        self._speaker.play(Clip(1, levelled(pcm)))
        while not self._ended.wait(0.1) and self._clock.now() - begun < _PATIENCE + len(pcm) / 8000:
            pass
        while self._faults:
            screen.line(str(told(self._faults.pop(0), self._messages)))
        return self._ended.is_set()

    def close(self) -> None:
        """Return the loudspeaker and the voice back."""
        self._speaker.close()
        if self._synthesiser is not None:
            self._synthesiser.close()

    def _played(self, _end: Played) -> None:
        self._ended.set()


def try_names(
    seats: Sequence[Seat], locale: Locale, settings: Settings, screen: Screen
) -> Iterator[Tried]:
    """Ask everybody in turn to say their name; return how it went with each.

    Args:
        seats: Everybody, clockwise.
        locale: The language of the table.
        settings: Voice, devices and engine.
        screen: Shows every line that is said.

    Raises:
        SoundError: There is no microphone.
        RecogniserError: Nothing can hear this language.
    """
    settings = settings.model_copy(update={"language": locale.language})
    devices = TableDevices()
    devices.pick(settings.microphone or None, "input")
    recogniser = make_recogniser(settings.engine, settings.model, locale.language)
    voice = Voice(settings, seats, devices, locale.messages)

    def show(fault: PlayError) -> None:
        screen.line(str(told(fault, locale.messages)))

    try:
        clock = SessionClock()
        with microphone(devices, clock, settings.microphone, show) as blocks:
            listener = _Listener(recogniser, seats, locale, blocks, clock, settings.guard_time)
            for seat in seats:
                yield _one(seat, listener, voice, screen, locale)
    finally:
        voice.close()
        recogniser.close()


class _Listener:
    """Hears one answer at a time to the question who somebody is."""

    def __init__(
        self,
        recogniser: Recogniser,
        seats: Sequence[Seat],
        locale: Locale,
        blocks: Sound,
        clock: SessionClock,
        guard: float,
    ) -> None:
        self._ear: UtteranceDetector = make_ear(recogniser)
        self._understanding = Interpreter(seats, locale, recogniser.traits)
        self._listen = Listen(1, (Expectation("answer", "seat"),), "names")
        self._blocks, self._clock, self._guard = blocks, clock, guard
        self._ear.expect(self._understanding.grammar(self._listen).automaton, "seat")

    def answer(self) -> tuple[str, object]:
        """Wait for an answer; return its text, and the seat's name where it was sure enough.

        What would be ignored at the table is given only if nothing better comes.
        """
        drop(self._blocks)
        self._ear.close()
        for _ in heard(self._blocks, self._clock, self._guard):
            continue
        self._ear.open()
        unlikely = ""
        for block in heard(self._blocks, self._clock, LISTENS):
            for utterance in self._ear.hear(block):
                found = self._meant(utterance)
                if found is not None:
                    return found
                unlikely = utterance.hypothesis.text or unlikely
        return unlikely, None

    def _meant(self, utterance: Utterance) -> tuple[str, object] | None:
        transcript = self._understanding.heard(self._listen, utterance.hypothesis)
        if transcript is None:
            return None
        return transcript.text, transcript.meaning.value if transcript.meaning else None


def _one(seat: Seat, listener: _Listener, voice: Voice, screen: Screen, locale: Locale) -> Tried:
    texts: list[str] = []
    lines = {**load_locale("en").trying, **locale.trying}
    while len(texts) < TRIES:
        voice.say(lines["ask again" if texts else "ask"].format(name=seat.name), screen)
        text, value = listener.answer()
        texts.append(text)
        if value == seat.name:
            voice.say(lines["understood"].format(name=seat.name), screen)
            return Tried(seat.name, tuple(texts), True)
        line = lines["nothing" if not text else "other" if value else "unsure"]
        voice.say(line.format(heard=value or text), screen)
    number = next(iter(number_forms(seat.number, locale)), str(seat.number))
    voice.say(lines["instead"].format(name=seat.name, seat=number), screen)
    return Tried(seat.name, tuple(texts), False)
