"""What hears and what speaks, as the settings want it."""

from __future__ import annotations

import platform
from collections.abc import Callable
from contextlib import suppress
from os.path import expanduser
from pathlib import Path

from narrator.adapters.model_store.manifest import FILE_NAME as MANIFEST
from narrator.adapters.model_store.manifest import Offer, find_offer, offer_for, read_manifests
from narrator.adapters.recognisers.vosk.models import FoundModel, find_vosk_model, found_models
from narrator.adapters.system import heap
from narrator.adapters.voices.child.choice import ChosenSynthesiser
from narrator.adapters.voices.child.process import ESPEAK, PIPER, SYSTEM, ChildSynthesiser
from narrator.config.settings import Settings
from narrator.config.sources import data_folder
from narrator.listening.utterance_detector import UtteranceDetector
from narrator.ports.errors import NarratorError, RecogniserError
from narrator.ports.recognition import Recogniser

_PACKAGE = Path(__file__).resolve().parent.parent.parent
PIPER_FILE = ".onnx"
"""How the name of a voice ends that is a file of Piper's."""
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
        RecogniserError: It is the name of a model that could be had and is not installed.
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
    for found in found_models(model_folders()):
        if found.name in names:
            return found.folder
    if offer is not None:
        raise RecogniserError(
            f"The model {offer.name} is not installed.",
            f"`narrator models install {offer.short}` fetches it ({offer.megabytes}).",
        )
    return path


def used_model(settings: Settings) -> Callable[[FoundModel], bool]:
    """Return what tells of an installed model whether `play` would take it for its language."""
    if settings.engine == "whisper":
        return lambda _model: False
    if settings.model:
        with suppress(NarratorError):
            place = model_place(settings.model)
            return lambda model: place is not None and model.folder.resolve() == place.resolve()
        return lambda _model: False

    def is_used(model: FoundModel) -> bool:
        same = settings.language.lower().split("-")[0] == model.language
        wanted = settings.language if same else model.language
        with suppress(RecogniserError):
            return find_vosk_model(None, model_folders(), wanted).folder == model.folder
        return False

    return is_used


def advice(settings: Settings, language: str) -> str:
    """Tell where English is heard by the built-in default only, and what would be better.

    One or two plain sentences; empty where all is well, or where a person chose an engine.
    """
    if settings.engine != "auto" or settings.model or language.split("-")[0] != "en":
        return ""
    try:
        find_vosk_model(None, model_folders(), language)
    except RecogniserError as error:
        if any(model.language == "en" for model in found_models(model_folders())):
            return f"{error.message} The built-in model hears English instead."
    else:
        return ""
    with suppress(NarratorError):
        offer = offer_for(offers(), language)
        if offer is not None:
            return (
                "The built-in model hears English. The Vosk model listens while you speak: "
                f"`narrator models install {offer.short}` ({offer.megabytes}, once)."
            )
    return ""


def make_recogniser(engine: str, model: str, language: str) -> Recogniser:
    """Make what hears: Vosk where a model for the language is there, else the English default.

    Args:
        engine: `auto`, `whisper` or `vosk`.
        model: A folder or an installed model's name; empty for the places searched.
        language: Of the table.

    Raises:
        RecogniserError: Nothing can hear this language, and why.
    """
    recogniser = _recogniser(engine, model, language)
    heap.give_back()
    return recogniser


def _recogniser(engine: str, model: str, language: str) -> Recogniser:
    from narrator.adapters.recognisers.whisper.recogniser import WhisperRecogniser
    from narrator.adapters.recognisers.whisper.weights import find_weights

    explicit = model_place(model)
    english = language.split("-")[0] == "en"
    if engine == "vosk" or (engine == "auto" and not english):
        return _vosk(explicit, language)
    if engine == "auto" and explicit is not None and not (explicit / "model.bin").is_file():
        return _vosk(explicit, language)
    if engine == "auto" and explicit is None:
        with suppress(RecogniserError):
            return _vosk(None, language)
    return WhisperRecogniser(find_weights(explicit, model_folders()))


def _vosk(explicit: Path | None, language: str) -> Recogniser:
    from narrator.adapters.recognisers.vosk.recogniser import VoskRecogniser

    return VoskRecogniser(find_vosk_model(explicit, model_folders(), language))


def make_ear(
    recogniser: Recogniser, stopwatch: Callable[[], float] | None = None
) -> UtteranceDetector:
    """Make the ear around an engine; a stopwatch gives seconds, to measure decoding by."""
    from narrator.adapters.sound.vad import SileroDetector

    return UtteranceDetector(recogniser, SileroDetector(), stopwatch=stopwatch)


def is_slow(voice: str) -> bool:
    """Tell by a voice's name whether it takes its time for a line."""
    return voice.endswith(PIPER_FILE)


def make_synthesiser(voice: str = "") -> ChosenSynthesiser:
    """Make what speaks: Piper for a voice that is its file, else eSpeak NG on Linux, and elsewhere
    the system's own voice. The first voice's engine is started at once.
    """
    return ChosenSynthesiser(_usual, _piper, is_slow, voice)


def _usual() -> ChildSynthesiser:
    direct = platform.system() == "Linux"
    return ChildSynthesiser(ESPEAK) if direct else ChildSynthesiser(SYSTEM, "system")


def _piper() -> ChildSynthesiser:
    return ChildSynthesiser(PIPER, "piper", patience=15.0, start=30.0)
