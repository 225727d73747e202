"""Whether what hears can hear the names of a table, and how they are better written."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import cache, lru_cache
from pathlib import Path

from narrator.adapters.recognisers.vosk.models import VoskModel, find_vosk_model
from narrator.app.wiring.engines import model_folders, model_place
from narrator.core.game import Game
from narrator.core.preview import expected_anywhere
from narrator.core.values import Seat
from narrator.language.locale import Locale
from narrator.language.names.check import Finding, Lexicon, check_names, unknown_names
from narrator.language.names.phonetics import Sounds
from narrator.language.names.respelling import Vocabulary
from narrator.language.names.spelling import spelled_sounds
from narrator.ports.errors import RecogniserError, SynthesiserError
from narrator.ports.recognition import Recogniser


@lru_cache(maxsize=4)
def pronunciation(language: str) -> Sounds:
    """Return how phrases of a language sound: by eSpeak NG, or by their spelling where it is not.

    Args:
        language: Of the table, such as `en`.
    """
    from narrator.adapters.voices.espeak.phonemes import EspeakPronouncer

    try:
        pronouncer = EspeakPronouncer()
        pronouncer.phonemes("a", language)
    except SynthesiserError:
        return spelled_sounds
    return lru_cache(maxsize=4096)(lambda text: pronouncer.phonemes(text, language))


def examine_names(
    seats: Sequence[Seat],
    locale: Locale,
    *,
    game: Game | None = None,
    lexicon: Lexicon | None = None,
) -> list[Finding]:
    """Return everything that is the matter with the names of a table, the worst first.

    Args:
        seats: Everybody, clockwise.
        locale: The language of the table.
        game: What is played; None: any game.
        lexicon: What the recogniser can hear; None: everything.
    """
    expected = None if game is None else expected_anywhere(game, seats)
    sounds = pronunciation(locale.language)
    return check_names(seats, locale, sounds, lexicon=lexicon, expectations=expected)


def chosen_model(engine: str, model: str, language: str) -> VoskModel | None:
    """Return the Vosk model that would hear; None where Whisper would.

    Args:
        engine: `auto`, `whisper` or `vosk`.
        model: A folder, or empty for the places searched.
        language: Of the table.

    Raises:
        RecogniserError: There is none for this language, and why.
    """
    explicit = model_place(model)
    is_auto = engine == "auto"
    if engine == "whisper" or (is_auto and explicit and (explicit / "model.bin").is_file()):
        return None
    if is_auto and explicit is None and language.split("-")[0] == "en":
        with suppress(RecogniserError):
            return find_vosk_model(None, model_folders(), language)
        return None
    return find_vosk_model(explicit, model_folders(), language)


def lexicon_of(model: VoskModel | None, language: str) -> Lexicon:
    """Return what can be heard, without loading what hears.

    Args:
        model: See `chosen_model`; None for Whisper.
        language: Of the table.

    Raises:
        RecogniserError: The model's words cannot be read.
    """
    if model is None:
        from narrator.adapters.recognisers.whisper.recogniser import WhisperRecogniser

        return Lexicon(WhisperRecogniser.knows_word, lambda _: ())
    words = vocabulary(model.folder, language)()
    return Lexicon(words.knows, words.spellings)


def known_words(language: str) -> Callable[[str], bool] | None:
    """Return what tells whether a word can ever be heard; None where nothing here hears it at all.

    Args:
        language: Of the table.
    """
    try:
        model = chosen_model("auto", "", language)
        if model is None:
            return lexicon_of(None, language).knows
        from narrator.adapters.recognisers.vosk.vocabulary import vosk_words

        return frozenset(vosk_words(model.folder)).__contains__
    except RecogniserError:
        return None


def unheard(
    seats: Sequence[Seat], locale: Locale, recogniser: Recogniser, model: str
) -> list[Finding]:
    """Return the names that a recogniser cannot hear, with spellings that it can.

    Args:
        seats: Everybody.
        locale: The language of the table.
        recogniser: What hears.
        model: A folder or an installed model's name; empty for the places searched.
    """

    def spellings(name: str) -> Sequence[str]:
        with suppress(RecogniserError):
            found = chosen_model(recogniser.name, model, locale.language)
            if found is not None:
                return vocabulary(found.folder, locale.language)().spellings(name)
        return ()

    return list(unknown_names(seats, locale, Lexicon(recogniser.knows_word, spellings)))


def unheard_prefix(prefix: str, recogniser: Recogniser) -> str:
    """Tell in a sentence that no command can be heard behind this prefix; empty where it can.

    Args:
        prefix: What has to be said before a command; empty: nothing.
        recogniser: What hears.
    """
    if all(recogniser.knows_word(word) for word in prefix.lower().split()):
        return ""
    return (
        f'"{prefix}" is not among the words that this speech model hears, so no command can be '
        "heard behind it. Choose another word with --prefix-word, or type commands."
    )


@cache
def vocabulary(folder: Path, language: str) -> Callable[[], Vocabulary]:
    """Return what reads a Vosk model's words, once, when they are first wanted.

    Args:
        folder: The model's own.
        language: Of the table.
    """
    from narrator.adapters.recognisers.vosk.vocabulary import vosk_words

    return cache(lambda: Vocabulary(vosk_words(folder), pronunciation(language)))
