"""Whisper, deciding only between what may be said now."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path

from narrator.adapters.recognisers.whisper.lexicon import knows_word
from narrator.adapters.recognisers.whisper.traits import TRAITS
from narrator.language.names.check import Lexicon
from narrator.language.names.phonetics import Sounds
from narrator.ports.engines import FoundModel, Model, RecogniserEngine
from narrator.ports.errors import RecogniserError
from narrator.ports.recognition import Recogniser


def _find(explicit: Path | None, folders: Sequence[Path], _language: str) -> Model:
    from narrator.adapters.recognisers.whisper.weights import find_weights

    return Model(find_weights(explicit, folders), "en")


def _make(model: Model) -> Recogniser:
    from narrator.adapters.recognisers.whisper.recogniser import WhisperRecogniser

    return WhisperRecogniser(model.folder)


def _lexicon(_model: Model, _sounds: Sounds) -> Lexicon:
    return Lexicon(knows_word, lambda _name: ())


def _models(folders: Sequence[Path]) -> Iterator[FoundModel]:
    from narrator.adapters.recognisers.whisper.weights import FOLDER, find_weights

    with suppress(RecogniserError):
        yield FoundModel(find_weights(None, folders), "en", alias=FOLDER, licence="MIT")


def _check(folder: Path) -> None:
    """Refuse a folder without the files; their fingerprints are read when they are loaded."""
    from narrator.adapters.recognisers.whisper.weights import find_weights

    find_weights(folder, ())


def _try_out(folder: Path) -> None:
    from narrator.adapters.recognisers.whisper.weights import check_weights

    check_weights(folder)


ENGINE = RecogniserEngine(
    name="whisper",
    languages=("en",),
    rank=10,
    traits=TRAITS,
    find=_find,
    takes=lambda folder: (folder / "model.bin").is_file(),
    make=_make,
    lexicon=_lexicon,
    models=_models,
    check=_check,
    try_out=_try_out,
)
