"""What hears and what speaks, as the settings want it."""

from __future__ import annotations

import platform
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from narrator.adapters.system_voice import ESPEAK, SYSTEM, ChildSynthesiser
from narrator.host.configuration import data_folder
from narrator.host.ear import Ear
from narrator.ports import Recogniser, RecogniserError

MODELS = Path(__file__).resolve().parent.parent.parent / "models"
"""Speech models beside the source; further ones lie in the user's data folder."""


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
    from narrator.adapters.whisper import WhisperRecogniser
    from narrator.adapters.whisper_weights import find_weights

    explicit = Path(model) if model else None
    english = language.split("-")[0] == "en"
    if engine == "vosk" or (engine == "auto" and not english):
        return _vosk(explicit, language)
    if engine == "auto":
        with suppress(RecogniserError):
            return _vosk(explicit, language)
    return WhisperRecogniser(find_weights(explicit, model_folders()))


def _vosk(explicit: Path | None, language: str) -> Recogniser:
    from narrator.adapters.vosk import VoskRecogniser
    from narrator.adapters.vosk_models import find_vosk_model

    return VoskRecogniser(find_vosk_model(explicit, model_folders(), language))


def make_ear(recogniser: Recogniser, stopwatch: Callable[[], float] | None = None) -> Ear:
    """Make the ear around an engine; a stopwatch gives seconds, to measure decoding by."""
    from narrator.adapters.voice_detector import SileroDetector

    return Ear(recogniser, SileroDetector(), stopwatch=stopwatch)


def make_synthesiser() -> ChildSynthesiser:
    """Make what speaks: eSpeak NG on Linux, elsewhere the system's own voice."""
    direct = platform.system() == "Linux"
    return ChildSynthesiser(ESPEAK) if direct else ChildSynthesiser(SYSTEM, "system")
