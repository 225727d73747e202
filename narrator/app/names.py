"""Whether what hears can hear the names of a table, and how they are better written."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import lru_cache

from narrator.app.wiring.engines import choose
from narrator.app.wiring.registry import AUTO
from narrator.core.game import Game
from narrator.core.steps.preview import expected_anywhere
from narrator.core.values import Seat
from narrator.language.locale import Locale
from narrator.language.names.check import Finding, Lexicon, check_names, unknown_names
from narrator.language.names.phonetics import Sounds
from narrator.language.names.spelling import spelled_sounds
from narrator.ports.errors import RecogniserError, SynthesiserError
from narrator.ports.faults import FaultCode
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


def lexicon_of(engine: str, model: str, language: str) -> Lexicon:
    """Return what can be heard, without loading what hears.

    Args:
        engine: Its name, or `auto`.
        model: A folder or an installed model's name; empty for the places searched.
        language: Of the table.

    Raises:
        RecogniserError: Nothing hears this language, or the model's words cannot be read.
    """
    chosen, found = choose(engine, model, language)
    return chosen.lexicon(found, pronunciation(language))


def known_words(language: str) -> Callable[[str], bool] | None:
    """Return what tells whether a word can ever be heard; None where nothing here hears it at all.

    Args:
        language: Of the table.
    """
    try:
        return lexicon_of(AUTO, "", language).knows
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
            return lexicon_of(recogniser.name, model, locale.language).spellings(name)
        return ()

    return list(unknown_names(seats, locale, Lexicon(recogniser.knows_word, spellings)))


def unheard_prefix(prefix: str, recogniser: Recogniser) -> RecogniserError | None:
    """Return a fault where no command can be heard after this prefix; None where it can.

    Args:
        prefix: What has to be said before a command; empty: nothing.
        recogniser: What hears.
    """
    if all(recogniser.knows_word(word) for word in prefix.lower().split()):
        return None
    return RecogniserError(FaultCode.PREFIX_UNHEARD, prefix=prefix)
