"""The only module that knows everybody: it puts the parts of an evening together."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from narrator.adapters.sound_files import resample
from narrator.adapters.system_voice import ESPEAK, SYSTEM, ChildSynthesiser
from narrator.core.game import Game
from narrator.core.values import Seat, Value
from narrator.host.configuration import data_folder
from narrator.host.ear import Ear
from narrator.host.speakable import Speakable
from narrator.host.understanding import Understanding
from narrator.language.locale import Locale
from narrator.ports import MIC_RATE, SPEAKER_RATE, NarratorError, Recogniser, Synthesiser, Voice
from narrator.script.compile import Compiled, compile_script
from narrator.script.diagnostics import Diagnostic
from narrator.script.library import find_script
from narrator.script.locales import load_locale
from narrator.testing.people import Line, People
from narrator.testing.rehearsal import Rehearsal, Report
from narrator.testing.room import LOOP, NoiseKind, Room, babble, pink
from narrator.testing.sound_stage import SoundStage
from narrator.testing.stage import Stage, TextStage

MODELS = Path(__file__).resolve().parent.parent / "models"
"""Speech models beside the source; further ones lie in the user's data folder."""

PLAYER_VOICES = (
    ("en-us+f3", 150), ("en-gb+m3", 145), ("en-us+m1", 155), ("en-gb+f2", 150), ("en-us+f4", 140),
    ("en-gb+m2", 150), ("en-us+m7", 150), ("en-gb+f1", 145), ("en-us+f2", 155), ("en-gb+m5", 145),
    ("en-us+m4", 150), ("en-gb+f5", 150),
)  # fmt: skip
"""Voices of simulated players and their words a minute."""
CHATTER = (
    "so who looked at a card and what did it say",
    "well I was asleep the whole time honestly",
    "that is exactly what somebody with a secret would tell us",
    "pass me the crisps before we go on",
    "my neighbour has been very quiet tonight",
    "last week it went quite differently as I remember",
)


class ScriptFault(NarratorError):
    """A script has errors; the message holds them all."""

    code = "script"
    exit_code = 2

    def __init__(self, name: str, diagnostics: Sequence[Diagnostic]) -> None:
        told = "\n".join(str(d) for d in diagnostics)
        super().__init__(f"The script {name} cannot be played as it is.\n{told}")
        self.diagnostics = tuple(diagnostics)


@dataclass(frozen=True, slots=True)
class Loaded:
    """A game ready to be played, and the language of the table."""

    game: Game
    locale: Locale
    path: Path
    warnings: tuple[Diagnostic, ...] = ()


def compile_named(name: str, language: str = "en") -> tuple[Path, Compiled]:
    """Compile a script by name or path. Raises NarratorError where there is none."""
    path = find_script(name)
    return path, compile_script(path, locale=load_locale(language))


def load_game(name: str, language: str = "en") -> Loaded:
    """Load a game that can be played.

    Raises:
        ScriptFault: The script has errors.
        NarratorError: There is no such script or language.
    """
    path, compiled = compile_named(name, language)
    if compiled.game is None:
        raise ScriptFault(name, [d for d in compiled.diagnostics if d.severity == "error"])
    return Loaded(compiled.game, load_locale(language), path, compiled.diagnostics)


def model_folders() -> list[Path]:
    """Give the folders in which speech models are looked for, the nearest first."""
    return [MODELS, data_folder() / "models"]


def make_recogniser(engine: str, model: str, language: str) -> Recogniser:
    """Make what hears: Vosk where a model for the language is there, else the English default.

    Args:
        engine: `auto`, `whisper` or `vosk`.
        model: A folder, or empty for the places searched.
        language: Of the table.

    Raises:
        RecogniserError: Nothing can hear this language, and why.
    """
    from narrator.adapters.vosk import VoskRecogniser, find_vosk_model, has_vosk_model
    from narrator.adapters.whisper import WhisperRecogniser
    from narrator.adapters.whisper_weights import find_weights

    explicit = Path(model) if model else None
    folders = model_folders()
    english = language.split("-")[0] == "en"
    if engine == "vosk" or (engine == "auto" and (not english or has_vosk_model(folders, language))):
        return VoskRecogniser(find_vosk_model(explicit, folders, language), language)
    return WhisperRecogniser(find_weights(explicit, folders))


def make_ear(recogniser: Recogniser) -> Ear:
    """Make the ear around an engine."""
    from narrator.adapters.voice_detector import SileroDetector

    return Ear(recogniser, SileroDetector())


def make_synthesiser() -> ChildSynthesiser:
    """Make what speaks: eSpeak NG on Linux, elsewhere the system's own voice."""
    if sys.platform.startswith("linux"):
        return ChildSynthesiser(ESPEAK)
    return ChildSynthesiser(SYSTEM, "system")


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
    voice: Voice = Voice()


def rehearse_in_text(loaded: Loaded, plan: Plan) -> tuple[Report, Stage]:
    """Rehearse without sound."""
    understanding = Understanding(plan.seats, loaded.locale)
    stage = TextStage(understanding)
    return _rehearsal(loaded, plan, stage, understanding).run(), stage


def rehearse_in_sound(loaded: Loaded, plan: Plan) -> tuple[Report, SoundStage]:
    """Rehearse with real speech and real recognition on a virtual clock.

    Raises:
        NarratorError: The recogniser or the voice cannot be used.
    """
    recogniser = make_recogniser(plan.engine, plan.model, loaded.locale.language)
    synthesiser = make_synthesiser()
    try:
        understanding = Understanding(plan.seats, loaded.locale, recogniser.name)
        stage = SoundStage(
            synthesiser,
            make_ear(recogniser),
            understanding,
            make_room(plan, synthesiser),
            plan.voice,
            player_voices(plan.seats, loaded.locale.language),
            Speakable(plan.seats),
        )
        return _rehearsal(loaded, plan, stage, understanding).run(), stage
    finally:
        synthesiser.close()
        recogniser.close()


def _rehearsal(
    loaded: Loaded, plan: Plan, stage: Stage, understanding: Understanding
) -> Rehearsal:
    people = People(plan.seats, plan.seed, list(plan.lines), plan.patient)
    return Rehearsal(
        loaded.game,
        plan.seats,
        people,
        stage,
        understanding,
        seed=plan.seed,
        settings=plan.settings,
    )


def player_voices(seats: Sequence[Seat], language: str) -> dict[str, Voice]:
    """Give each simulated player a voice of their own."""
    voices = {}
    for index, seat in enumerate(seats):
        name, rate = PLAYER_VOICES[index % len(PLAYER_VOICES)]
        if language.split("-")[0] != "en":
            name = f"{language}+{name.split('+')[1]}"
        voices[seat.name] = Voice(name, language, rate)
    return voices


def make_room(plan: Plan, synthesiser: Synthesiser) -> Room:
    """Make the air of a rehearsal: quiet, or with pink noise or the murmur of other people."""
    if plan.noise is None:
        return Room(resample, leak=plan.leak, seed=plan.seed)
    if plan.noise_kind == "pink":
        noise = pink(LOOP, MIC_RATE, plan.seed)
    else:
        voices = [
            resample(
                synthesiser.render(sentence, Voice(*PLAYER_VOICES[-1 - i][:1])),
                SPEAKER_RATE,
                MIC_RATE,
            )
            for i, sentence in enumerate(CHATTER)
        ]
        noise = babble(voices, LOOP, MIC_RATE, plan.seed)
    return Room(resample, noise, plan.noise, plan.leak, plan.seed)
