"""Rehearsals: simulated players, a room, and a stage with or without sound."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from narrator.adapters.sound.echo_canceller import WebRtcCanceller
from narrator.app.games import Loaded
from narrator.app.telling import told
from narrator.app.wiring.engines import is_slow, make_ear, make_recogniser, make_synthesiser
from narrator.app.wiring.registry import voices
from narrator.audio.resampling import resample
from narrator.config.settings import Settings
from narrator.core.effects import Listen
from narrator.core.expect import Meaning
from narrator.core.record import Past
from narrator.core.values import Seat, Value
from narrator.listening.echo import EchoFilter, FarEnd
from narrator.listening.interpreter import Interpreter
from narrator.ports.audio import MIC_RATE, SPEAKER_RATE
from narrator.ports.errors import SynthesiserError
from narrator.ports.recognition import Recogniser
from narrator.ports.speech import KeyedSynthesiser, Synthesiser, Voice
from narrator.ports.storage import Journal
from narrator.simulation.rehearsal import Rehearsal, World
from narrator.simulation.report import Report
from narrator.simulation.room import LOOP, NoiseKind, Room, babble, pink
from narrator.simulation.simulated_players import Line, SimulatedPlayers
from narrator.simulation.sound_world import SoundWorld
from narrator.simulation.text_world import TextWorld

PLAYER_VOICES = (
    Voice("en-us+f3", rate=150),
    Voice("en-gb-x-rp+m3", rate=145),
    Voice("heart", rate=155, pitch=32),
    Voice("en-us+m1", rate=155),
    Voice("en-gb-scotland+f2", rate=150),
    Voice("heart", rate=150, pitch=66),
    Voice("en-us+f4", rate=140),
    Voice("en-gb-x-gbclan+m2", rate=150),
    Voice("heart", rate=145, pitch=48),
    Voice("en-us+m7", rate=150),
    Voice("en-gb-x-rp+f1", rate=145),
    Voice("en-us+f2", rate=155),
    Voice("en-gb-x-gbcwmd+m5", rate=145),
    Voice("en-us+m4", rate=150),
    Voice("en-gb-x-rp+f5", rate=150),
)
"""Voices of simulated players: of two engines, so that what hears is not tried with one alone."""
PATIENCE = 60.0
"""Seconds in which a voice must be ready for a rehearsal."""
CHATTER = (
    "so who looked at a card and what did it say",
    "well I was asleep the whole time honestly",
    "that is exactly what somebody with a secret would tell us",
    "pass me the crisps before we go on",
    "my neighbour has been very quiet tonight",
    "last week it went quite differently as I remember",
)


@dataclass(frozen=True, slots=True)
class Plan:
    """How a rehearsal is to go."""

    seats: Sequence[Seat]
    seed: int = 0
    settings: Mapping[str, Value] | None = None
    lines: Sequence[Line] = ()
    patient: bool = False
    noise: float | None = None
    """Speech over noise in dB; None: a quiet room."""
    noise_kind: NoiseKind = "pink"
    leak: float | None = None
    engine: str = "auto"
    model: str = ""
    program: Settings = field(default_factory=Settings)
    """Settings of the program, in force as at a real table."""
    journal: Journal | None = None
    """Also gets every event."""
    past: Past | None = None
    """What happened before; None: the game begins."""
    said: Sequence[tuple[Listen, Meaning]] = ()
    """What the players remember to have said then, each with what had been asked."""


def rehearse_in_text(loaded: Loaded, plan: Plan) -> tuple[Report, TextWorld]:
    """Rehearse without sound."""
    begun = plan.past.now if plan.past else 0.0
    world = TextWorld(tuple(plan.seats), loaded.locale, plan.program, begun)
    return _rehearsal(loaded, plan, world).run(), world


def rehearse_in_sound(loaded: Loaded, plan: Plan) -> tuple[Report, SoundWorld]:
    """Rehearse with real speech and real recognition on a virtual clock.

    Raises:
        NarratorError: The recogniser or the voice cannot be used.
    """
    recogniser = make_recogniser(plan.engine, plan.model, loaded.locale.language)
    fell_back: list[SynthesiserError] = []
    # Nobody waits here: the voice may start as slowly as it likes, and one seed is one recording.
    synthesiser = make_synthesiser(plan.program.as_voice(), fell_back.append, wait=PATIENCE)
    try:
        world = sound_world(loaded, plan, recogniser, synthesiser)
        report = _rehearsal(loaded, plan, world).run()
        report.faults.extend(told(fault, loaded.locale.messages).sentence for fault in fell_back)
        return report, world
    finally:
        synthesiser.close()
        recogniser.close()


def sound_world(
    loaded: Loaded, plan: Plan, recogniser: Recogniser, synthesiser: KeyedSynthesiser
) -> SoundWorld:
    """Make the place where an evening is played in sound.

    Args:
        loaded: The game.
        plan: How it is to go.
        recogniser: Hears; stays its owner's to close.
        synthesiser: Speaks for everybody; stays its owner's to close.
    """
    program = plan.program
    canceller = WebRtcCanceller() if program.barge_in == "echo" else None
    far = FarEnd() if canceller else None
    return SoundWorld(
        tuple(plan.seats),
        program,
        synthesiser,
        make_ear(recogniser),
        Interpreter(plan.seats, loaded.locale, recogniser.traits, program.prefix_word),
        make_room(plan, synthesiser),
        player_voices(plan.seats, loaded.locale.language),
        begun=plan.past.now if plan.past else 0.0,
        slow=is_slow,
        echo=EchoFilter(far, canceller) if far and canceller else None,
        tap=far.played if far else None,
    )


def _rehearsal(loaded: Loaded, plan: Plan, world: World) -> Rehearsal:
    people = SimulatedPlayers(plan.seats, plan.seed, list(plan.lines), plan.patient)
    for listen, means in plan.said:
        people.recall(listen, means)
    return Rehearsal(
        loaded.game,
        plan.seats,
        people,
        world,
        seed=plan.seed,
        options=plan.settings,
        journal=plan.journal,
        past=plan.past,
    )


def player_voices(seats: Sequence[Seat], language: str) -> dict[str, Voice]:
    """Return each simulated player a voice of their own, of the engines that are installed.

    Args:
        seats: Everybody.
        language: Of the table.
    """
    usable = [voice for voice in PLAYER_VOICES if _is_usable(voice, language)]
    chosen: dict[str, Voice] = {}
    for index, seat in enumerate(seats):
        voice = replace(usable[index % len(usable)], language=language)
        if language.split("-")[0] != "en":
            voice = replace(voice, name=f"{language}+{voice.name.split('+')[1]}")
        chosen[seat.name] = voice
    return chosen


def _is_usable(voice: Voice, language: str) -> bool:
    engine = next((e for e in voices() if e.claims(voice.name)), None)
    return engine is None or (engine.speaks(language) and not engine.problem())


def make_room(plan: Plan, synthesiser: Synthesiser) -> Room:
    """Make the air of a rehearsal: quiet, or with pink noise or the babble of other people."""
    if plan.noise is None:
        return Room(resample, leak=plan.leak, seed=plan.seed)
    if plan.noise_kind == "pink":
        noise = pink(LOOP, MIC_RATE, plan.seed)
    else:
        others = [
            resample(
                synthesiser.render(sentence, Voice(PLAYER_VOICES[-1 - i].name)),
                SPEAKER_RATE,
                MIC_RATE,
            )
            for i, sentence in enumerate(CHATTER)
        ]
        noise = babble(others, LOOP, MIC_RATE, plan.seed)
    return Room(resample, noise, plan.noise, plan.leak, plan.seed)
