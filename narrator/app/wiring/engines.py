"""What hears and what speaks, as the settings want it."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from os.path import expanduser
from pathlib import Path

from narrator.adapters.model_store.manifest import FILE_NAME as MANIFEST
from narrator.adapters.model_store.manifest import Offer, find_offer, offer_for, read_manifests
from narrator.adapters.system import heap
from narrator.adapters.voices.child import choice
from narrator.app.wiring.registry import AUTO, problems, recognisers, voices
from narrator.config.settings import Settings
from narrator.config.sources import data_folder
from narrator.language.messages import Messages
from narrator.listening.utterance_detector import UtteranceDetector
from narrator.ports.engines import FoundModel, Model, RecogniserEngine, VoiceEngine
from narrator.ports.errors import NarratorError, RecogniserError, SynthesiserError
from narrator.ports.faults import FaultCode, Then
from narrator.ports.recognition import Recogniser
from narrator.ports.speech import Voice

_PACKAGE = Path(__file__).resolve().parent.parent.parent
MODELS = _PACKAGE.parent / "models"
"""Speech models beside the source; further ones lie in the user's data folder."""


def model_folders() -> list[Path]:
    """Return the folders in which speech models are looked for, the nearest first."""
    return [MODELS, data_folder() / "models"]


def offers() -> tuple[Offer, ...]:
    """Return the models that can be had: the shipped manifest's, and those of the person's own.

    Raises:
        ManifestError: A manifest is wrong.
    """
    folders = [_PACKAGE.parent / "models", _PACKAGE / "_models", data_folder() / "models"]
    return read_manifests(folder / MANIFEST for folder in folders)


def model_place(model: str) -> Path | None:
    """Return the folder that is meant by a folder's path or by an installed model's name.

    Raises:
        RecogniserError: It is the name of a model that is available but not installed.
    """
    if not model:
        return None
    path = Path(expanduser(model))
    if path.exists() or path.name != model:
        return path
    offer = find_offer(offers(), model)
    names = {model, offer.name if offer else model}
    for folder in model_folders():
        for name in names:
            if (folder / name).is_dir():
                return folder / name
    for _, found in all_models():
        if found.name in names:
            return found.folder
    if offer is not None:
        raise RecogniserError(
            FaultCode.MODEL_NOT_INSTALLED,
            model=offer.name, short=offer.short, size=offer.megabytes,
        )  # fmt: skip
    return path


def choose(engine: str, model: str, language: str) -> tuple[RecogniserEngine, Model]:
    """Return the engine that is to hear, and its model: the named one, else the best there is.

    Args:
        engine: Its name, or `auto`.
        model: A folder or an installed model's name; empty for the places searched.
        language: Of the table.

    Raises:
        RecogniserError: Nothing can hear this language, and why.
    """
    explicit = model_place(model)
    if engine != AUTO:
        named = recogniser_named(engine)
        return named, named.find(explicit, model_folders(), language)
    able = [e for e in recognisers() if e.hears(language)]
    if explicit is not None:
        able = [e for e in able if e.takes(explicit)] or able[:1]
    failed: RecogniserError | None = None
    for one in able:
        try:
            return one, one.find(explicit, model_folders(), language)
        except RecogniserError as error:
            failed = error
    raise failed or RecogniserError(FaultCode.NOTHING_HEARS, language=language)


def recogniser_named(name: str) -> RecogniserEngine:
    """Return an engine by its name. Raises RecogniserError where there is none, or it is broken."""
    for engine in recognisers():
        if engine.name == name:
            return engine
    if any(f" {name} " in told for told in problems()):
        raise RecogniserError(FaultCode.ENGINE_BROKEN, engine=name)
    names = ", ".join([AUTO, *(engine.name for engine in recognisers())])
    raise RecogniserError(FaultCode.ENGINE_UNKNOWN, engine=name, names=names)


def all_models() -> list[tuple[RecogniserEngine, FoundModel]]:
    """Return every model that lies here, with the engine it is for."""
    folders = model_folders()
    return [(engine, model) for engine in recognisers() for model in engine.models(folders)]


def used_model(settings: Settings) -> Callable[[FoundModel], bool]:
    """Return what tells of an installed model whether `play` would take it for its language."""

    def is_used(model: FoundModel) -> bool:
        same = settings.language.lower().split("-")[0] == model.language
        wanted = settings.language if same or settings.model else model.language
        with suppress(NarratorError):
            chosen = choose(settings.engine, settings.model, wanted)[1].folder
            return chosen.resolve() == model.folder.resolve()
        return False

    return is_used


def advice(settings: Settings, language: str, messages: Messages) -> str:
    """Say where only the built-in default hears a language, and what would be better.

    One or two plain sentences; empty where all is well, or where a person chose an engine.
    """
    if settings.engine != AUTO or settings.model:
        return ""
    able = [e for e in recognisers() if e.hears(language)]
    if len(able) < 2:
        return ""
    best = able[0]
    try:
        best.find(None, model_folders(), language)
    except RecogniserError as error:
        short = language.lower().split("-")[0]
        if any(model.language == short for model in best.models(model_folders())):
            return messages.event(error.code, error.fields, Then.ENGLISH_INSTEAD)
    else:
        return ""
    with suppress(NarratorError):
        offer = offer_for(offers(), language)
        if offer is not None:
            return messages.line("better model", short=offer.short, size=offer.megabytes)
    return ""


def make_recogniser(engine: str, model: str, language: str) -> Recogniser:
    """Make what hears; see `choose`. Raises RecogniserError."""
    chosen, found = choose(engine, model, language)
    recogniser = chosen.make(found)
    heap.give_back()
    return recogniser


def make_ear(
    recogniser: Recogniser, stopwatch: Callable[[], float] | None = None
) -> UtteranceDetector:
    """Make the ear around an engine; a stopwatch gives seconds, to measure decoding by."""
    from narrator.adapters.sound.vad import SileroDetector

    return UtteranceDetector(recogniser, SileroDetector(), stopwatch=stopwatch)


def is_slow(voice: str) -> bool:
    """Whether a voice of this name takes a while to render a line."""
    return any(e.claims(voice) and e.sentence_by_sentence for e in voices())


def engine_of(voice: Voice) -> VoiceEngine:
    """Return the engine that says a voice's lines. Raises SynthesiserError where none can."""
    return choice.engine_of(voice, voices())


def recogniser_loader(
    settings: Settings, language: str, missing: Callable[[RecogniserError], None]
) -> Callable[[], Recogniser]:
    """Return what loads the recogniser that the settings name.

    Where that one is not there, `missing` is told and the usual one hears.
    """

    def load() -> Recogniser:
        if settings.engine != AUTO or settings.model:
            try:
                return make_recogniser(settings.engine, settings.model, language)
            except RecogniserError as fault:
                missing(fault)
        return make_recogniser(AUTO, "", language)

    return load


def make_synthesiser(
    voice: Voice | None = None,
    fell_back: Callable[[SynthesiserError], None] | None = None,
    wait: float = choice.FIRST_WAIT,
) -> choice.ChosenSynthesiser:
    """Make what speaks, and start the first voice's engine at once.

    Args:
        voice: The voice that speaks first; None: the usual one.
        fell_back: Told once for each engine why another speaks in its place; None: a line that its
            engine cannot say is an error.
        wait: Seconds that the first line waits for an engine that is still starting.
    """
    return choice.ChosenSynthesiser(voices(), voice or Voice(), fell_back, wait)
