"""Whether the voice says the names of a table so that they are understood: by what hears here."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from narrator.app.wiring.engines import make_recogniser, make_synthesiser
from narrator.audio.resampling import resample
from narrator.config.settings import Settings
from narrator.core.effects import Listen
from narrator.core.expect import Expectation
from narrator.core.values import Seat
from narrator.language.locale import Locale
from narrator.language.names.check import Finding
from narrator.listening.interpreter import Interpreter
from narrator.ports.audio import MIC_RATE, SPEAKER_RATE, Pcm
from narrator.ports.recognition import Recogniser
from narrator.speaking.respelling import Speakable

_AROUND = 0.5
"""Seconds of silence around a name, as an utterance at the table has."""


def misread_names(seats: Sequence[Seat], locale: Locale, settings: Settings) -> Iterator[Finding]:
    """Let the voice say each name; yield those that are not understood when it does.

    Args:
        seats: Everybody, clockwise.
        locale: The language of the table.
        settings: Voice and recogniser.

    Raises:
        RecogniserError: Nothing can hear this language.
        SynthesiserError: Nothing can speak.
    """
    voice = settings.model_copy(update={"language": locale.language}).as_voice()
    recogniser = make_recogniser(settings.engine, settings.model, locale.language)
    synthesiser = make_synthesiser(voice)
    speakable = Speakable(seats, settings.pronunciations)
    understanding = Interpreter(seats, locale, recogniser.traits)
    try:
        for seat in seats:
            sound = synthesiser.render(f"{speakable(seat.name)}.", voice)
            if _understood(sound, recogniser, understanding) != seat.name:
                yield Finding(
                    "misread", (seat.name,), "name misread", {"name": seat.name}, locale.messages
                )
    finally:
        synthesiser.close()
        recogniser.close()


def _understood(sound: Pcm, recogniser: Recogniser, understanding: Interpreter) -> object:
    """Return whose name is heard where one is asked for; None where it is not sure enough."""
    listen = Listen(1, (Expectation("answer", "seat"),), "names")
    recogniser.expect(understanding.grammar(listen).automaton)
    silence = np.zeros(round(_AROUND * MIC_RATE), np.int16)
    recogniser.accept(np.concatenate([silence, resample(sound, SPEAKER_RATE, MIC_RATE), silence]))
    transcript = understanding.heard(listen, recogniser.finish())
    return transcript.meaning.value if transcript and transcript.meaning else None
