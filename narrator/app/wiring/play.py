"""An evening at a real table: devices, keyboard, voice, ear and the session that joins them."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from narrator.adapters.sound.microphone import Mic
from narrator.adapters.sound.speaker import Speaker
from narrator.adapters.system.clock import SessionClock, local_moment
from narrator.adapters.system.inbox import ThreadInbox
from narrator.adapters.terminal.keyboard import Keyboard
from narrator.adapters.terminal.terminal_screen import TerminalScreen
from narrator.app.games import Loaded
from narrator.app.names import examine_names, unheard, unheard_prefix
from narrator.app.records.recordings import Recording
from narrator.app.wiring.adjust import KeptSpeech
from narrator.app.wiring.barge_in import Interrupting
from narrator.app.wiring.closing import closing, one_after_another
from narrator.app.wiring.engines import (
    advice,
    is_slow,
    make_ear,
    make_synthesiser,
    recogniser_loader,
)
from narrator.app.wiring.page import PORT as PAGE
from narrator.app.wiring.page import Table, show_page
from narrator.app.wiring.table_devices import TableDevices
from narrator.app.wiring.watchers import PORT, watchers
from narrator.audio.gate import Gate
from narrator.audio.masking import CoverKind, make_cover
from narrator.audio.mixer import Mixer, MixerSettings
from narrator.config.settings import Settings
from narrator.config.sources import data_folder
from narrator.core.engine import Engine
from narrator.core.events import Event, Resumed, Start
from narrator.core.lobby import Lobby
from narrator.core.record import Past
from narrator.core.values import Seat, Value
from narrator.language.messages import Messages
from narrator.listening.interpreter import Interpreter
from narrator.listening.listening_thread import ListeningThread
from narrator.listening.utterance_detector import UtteranceDetector
from narrator.ports.audio import FaultCallback, Pcm
from narrator.ports.errors import PlayError, RecogniserError, SoundError
from narrator.ports.faults import FaultCode, Then
from narrator.ports.recognition import Recogniser
from narrator.ports.session import Fault, Inbox, LineBegun, Observer, Screen, Shown
from narrator.ports.storage import Journal
from narrator.session.endpoints import Endpoints
from narrator.session.keyboard_input import KeyboardInput
from narrator.session.look_ahead import LookAhead
from narrator.session.outcome import Following, Outcome
from narrator.session.session import Session
from narrator.session.watch import ScreenObserver, Watch
from narrator.speaking.cache import SpeechCache
from narrator.speaking.from_settings import make_speech
from narrator.speaking.speech_queue import Speech
from narrator.speaking.store import SpeechStore


@dataclass(frozen=True, slots=True)
class Evening:
    """What is to be played, by whom, and how."""

    loaded: Loaded
    seats: Sequence[Seat]
    settings: Settings
    options: Mapping[str, Value] = field(default_factory=dict)
    """Of the game."""
    seed: int = 0
    words: Mapping[str, str] = field(default_factory=dict)
    """Respellings for the voice."""
    begun: str = field(default_factory=local_moment)
    """Local time in ISO 8601."""
    is_asked_for: bool = False
    """Whether it is still being asked what is played and by whom: no names are examined yet."""


@dataclass(frozen=True, slots=True)
class Sitting:
    """What is played next, where it is stored, and what happened in it so far."""

    evening: Evening
    journal: Journal
    past: Past | None = None
    lobby: Engine | Lobby | None = None
    """What is asked instead of a game, at this evening's table."""


class NoLoudspeaker:
    """Outputs that never open: the mixer is read in time, and nothing sounds."""

    live = False

    def output(
        self,
        wanted: str | int | None,
        rate: int,
        fill: Callable[[int, int, float], Pcm],
        fault: FaultCallback,
    ) -> NoLoudspeaker:
        """Return a stream that is never live."""
        return self

    def close(self) -> None:
        """Do nothing: there is nothing to end."""


def play(
    evening: Evening,
    journal: Journal,
    screen: Screen,
    *,
    keyboard: int = 0,
    past: Past | None = None,
    follow: Callable[[Outcome], Sitting | None] | None = None,
    lobby: Engine | Lobby | None = None,
    observers: Sequence[Observer] = (),
    ends: Endpoints | None = None,
) -> Outcome:
    """Play a game to its end.

    Args:
        evening: what and how.
        journal: gets every event; closed at the end.
        screen: shows every line.
        keyboard: file descriptor that answers may be typed on.
        past: what happened in it so far; None: it is a new one.
        follow: tells what comes behind what has ended; None: nothing.
        lobby: what is asked before the first game.
        observers: told of all that happens, beside the screen.
        ends: other ends than devices and keyboard, such as those of a virtual table.
    """
    chairs = [*evening.seats]
    evening = replace(evening, seats=chairs)
    understanding = Interpreter(chairs, evening.loaded.locale)
    messages = understanding.messages
    with closing() as closers:
        recording = Recording(evening.settings, screen, messages)
        at = ends or table_ends(evening, screen, keyboard, observers, recording, closers)

        def following(sitting: Sitting) -> Following:
            """Return how a game, or what is asked before it, is begun at these ends."""
            chairs[:] = sitting.evening.seats  # ears, keyboard and voice know these from now on
            if sitting.lobby is not None:
                return Following(sitting.lobby, sitting.journal)
            closers.append(sitting.journal.close)
            game, hears = sitting.evening, at.input is not None
            recording.begin(game.loaded, game.begun, at.output.tell, hears=hears)
            engine = _engine(game, sitting.past)
            first = _first(engine, at, sitting.past)
            return Following(engine, sitting.journal, LookAhead(engine.game, chairs), first)

        def followed(outcome: Outcome) -> Following | None:
            """Play what the table has chosen, or what comes behind a game."""
            sitting = None if follow is None else follow(outcome)
            return None if sitting is None else following(sitting)

        begun = following(Sitting(evening, journal, past, lobby))
        session = Session(
            begun.engine, at, begun.journal, understanding,
            foresight=begun.foresight, follow=followed,
        )  # fmt: skip
        return session.run(begun.first)


def _first(engine: Engine, ends: Endpoints, past: Past | None) -> Event:
    beyond = 0.0 if past is None else ends.clock.go_on_at(past.now)
    return Start() if engine.is_ready else Resumed(beyond)


def table_ends(
    evening: Evening,
    screen: Screen,
    keyboard: int,
    observers: Sequence[Observer],
    recording: Recording,
    closers: list[Callable[[], None]],
) -> Endpoints:
    """Return the ends of a real table, as the settings have them.

    Args:
        evening: what is played, and how.
        screen: shows every line.
        keyboard: file descriptor that answers may be typed on.
        observers: told of all that happens, beside the screen.
        recording: of what the microphone hears.
        closers: gets what gives everything back.
    """
    clock, inbox, gate = SessionClock(), ThreadInbox(), Gate(evening.settings.guard_time)
    devices = TableDevices()
    understanding = Interpreter(evening.seats, evening.loaded.locale)
    others = watchers(evening.settings.observers, _reported(PORT, inbox))
    closers.extend(other.close for other in others)
    watching = Watch((ScreenObserver(screen), *observers, *others))
    messages = understanding.messages
    unheard = _shown(watching, messages, "microphone", Then.UNHEARD_WHILE_SPEAKING)
    interrupting = Interrupting(evening.settings, devices, unheard)
    speech = _speech(evening, devices, clock, inbox, gate, watching.tell, interrupting)
    closers.append(speech.close)
    seated = Table(evening.seats, evening.loaded.locale.language, understanding)
    typed = KeyboardInput(understanding, piped=not _is_terminal(keyboard))
    untold = _shown(watching, messages, PAGE, Then.GO_ON)
    closers.append(
        show_page(evening.settings, seated, typed, clock, inbox, screen, watching, untold)
    )
    closers.append(_keyboard(typed, inbox, keyboard, screen).close)
    missing = _shown(watching, messages, "microphone", Then.TYPE_MEANWHILE)
    ears = _ears(
        evening, devices, clock, inbox, gate, screen, interrupting, speech, recording, missing
    )
    # What the microphone has taken is written before the file is finished and told of.
    closers.append(one_after_another(*([ears.close] if ears else []), recording.close))
    return Endpoints(clock, inbox, ears, speech, typed, (watching,))


def _engine(evening: Evening, past: Past | None) -> Engine:
    game = evening.loaded.game
    engine = Engine(game, evening.seats, seed=evening.seed, settings=evening.options)
    if past is not None:
        engine.take_over(past)
    return engine


def _speech(
    evening: Evening,
    devices: TableDevices,
    clock: SessionClock,
    inbox: Inbox,
    gate: Gate,
    begun: Callable[[LineBegun], None],
    interrupting: Interrupting,
) -> Speech:
    settings = evening.settings
    cache = None
    if settings.speech:  # first of all: its process starts while the device is being opened
        fell_back = _reported("voice", inbox, Then.OTHER_VOICE)
        synthesiser = make_synthesiser(settings.as_voice(), fell_back)
        unkept = _reported("speech store", inbox)
        cache = SpeechCache(synthesiser, SpeechStore(data_folder() / "speech", fault=unkept))
    speech: list[Speech] = []
    speaker = Speaker(
        Mixer(MixerSettings(settings.lead_in, cover=_cover(settings))),
        devices if settings.speech else NoLoudspeaker(),
        clock,
        lambda end: speech[0].played(end),
        _faults("speaker", inbox),
        settings.speaker or None,
        interrupting.far.played if interrupting.far else None,
    )
    speech.append(
        make_speech(
            settings,
            evening.seats,
            cache,
            speaker,
            gate,
            inbox,
            clock,
            begun,
            words=evening.words,
            slow=is_slow,
            kind=KeptSpeech,
        )
    )
    return speech[0]


def _cover(settings: Settings) -> CoverKind | None:
    """Return the masking sound; have it made ahead, since it takes half a second."""
    if settings.cover == "off" or not settings.speech:
        return None
    threading.Thread(target=make_cover, args=(settings.cover, 1), daemon=True).start()
    return settings.cover


def _ears(
    evening: Evening,
    devices: TableDevices,
    clock: SessionClock,
    inbox: Inbox,
    gate: Gate,
    screen: Screen,
    interrupting: Interrupting,
    speech: Speech,
    recording: Recording,
    missing: Callable[[PlayError], None],
) -> ListeningThread | None:
    """Begin to hear; say in one sentence where it is the keyboard for now, and why."""
    settings, present = evening.settings, True
    messages = evening.loaded.locale.messages
    if settings.keyboard:
        return None
    try:
        devices.pick(settings.microphone or None, "input")
    except SoundError as fault:
        missing(fault)
        present = False
    better = advice(settings, evening.loaded.locale.language, messages)
    if present and better:
        screen.line(better)
    load = recogniser_loader(
        settings,
        evening.loaded.locale.language,
        lambda fault: inbox.post(fault.event("recogniser", then=Then.OTHER_EAR)),
    )
    return ListeningThread(
        lambda: _told_ear(load, evening, inbox, screen),
        lambda blocks, fault: Mic(
            devices, clock, blocks, fault, settings.microphone or None, recording.take
        ),
        gate,
        inbox,
        clock,
        present=present,
        floor=interrupting.floor(speech),
        echo=interrupting.echo,
    )


def _keyboard(typed: KeyboardInput, inbox: Inbox, source: int, screen: Screen) -> Keyboard:
    """Read lines from a file descriptor from now on."""
    return Keyboard(
        lambda line: typed.put(line, inbox.post),
        lambda: typed.close(inbox.post),
        source,
        typed.is_full,
        screen if isinstance(screen, TerminalScreen) else None,
    )


def _told_ear(
    load: Callable[[], Recogniser], evening: Evening, inbox: Inbox, screen: Screen
) -> tuple[UtteranceDetector, Interpreter]:
    """Make the ear, and tell of names that are hard to hear.

    This is done while the first line is being spoken: nobody has to wait for it.
    """
    loaded, seats = evening.loaded, evening.seats
    examined = () if evening.is_asked_for else tuple(seats)
    for finding in examine_names(examined, loaded.locale, game=loaded.game) if examined else ():
        screen.line(str(finding))
    recogniser = load()
    for finding in unheard(examined, loaded.locale, recogniser, evening.settings.model):
        told = RecogniserError(FaultCode(finding.code), **finding.fields)
        inbox.post(told.event("recogniser"))
    prefix = evening.settings.prefix_word
    if fault := unheard_prefix(prefix, recogniser):
        inbox.post(fault.event("recogniser"))
    return make_ear(recogniser), Interpreter(seats, loaded.locale, recogniser.traits, prefix)


def _faults(port: str, inbox: Inbox) -> FaultCallback:
    return lambda fault, recovered: inbox.post(fault.event(port, recovered=recovered))


def _reported(port: str, inbox: Inbox, then: Then | None = None) -> Callable[[PlayError], None]:
    return lambda fault: inbox.post(fault.event(port, then=then))


def _shown(
    watching: Watch, messages: Messages, port: str, then: Then
) -> Callable[[PlayError], None]:
    """Return what tells of a fault before the session begins: it is shown, and has a code."""

    def tell(fault: PlayError) -> None:
        text = messages.event(fault.code, fault.fields, then)
        watching.tell(Fault(0.0, port, text, fault.code.value, fault.fields))
        watching.tell(Shown(0.0, text))

    return tell


def _is_terminal(source: int) -> bool:
    try:
        return os.isatty(source)
    except OSError:
        return False
