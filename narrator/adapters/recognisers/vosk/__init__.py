"""Vosk, restricted to the phrases of the moment."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from narrator.adapters.recognisers.vosk import models
from narrator.adapters.recognisers.vosk.traits import TRAITS
from narrator.adapters.recognisers.vosk.vocabulary import vosk_words
from narrator.language.names.check import Lexicon
from narrator.language.names.phonetics import Sounds
from narrator.language.names.respelling import Vocabulary
from narrator.ports.engines import Model, RecogniserEngine
from narrator.ports.recognition import Recogniser


def _make(model: Model) -> Recogniser:
    from narrator.adapters.recognisers.vosk.recogniser import VoskRecogniser

    return VoskRecogniser(model)


def _try_out(folder: Path) -> None:
    from narrator.adapters.recognisers.vosk.trial import try_model

    try_model(folder)


@cache
def _lexicon(model: Model, sounds: Sounds) -> Lexicon:
    """Return a model's words; spellings are looked for in them only when one is wanted."""
    words = frozenset(vosk_words(model.folder))
    searched = cache(lambda: Vocabulary(words, sounds))
    return Lexicon(words.__contains__, lambda name: searched().spellings(name))


ENGINE = RecogniserEngine(
    name="vosk",
    languages=(),
    rank=20,  # above the built-in: it listens while people speak
    traits=TRAITS,
    find=models.find_vosk_model,
    takes=models.looks_like_model,
    make=_make,
    lexicon=_lexicon,
    models=models.found_models,
    check=models.check_vosk_model,
    try_out=_try_out,
)
