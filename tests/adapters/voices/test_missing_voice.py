"""A voice that is not there is told once, and the usual voice of the language speaks."""

from __future__ import annotations

from dataclasses import replace

import pytest

from narrator.app.wiring.engines import make_synthesiser
from narrator.ports.errors import SynthesiserError
from narrator.ports.speech import Voice
from tests.told import english, refused

pytestmark = pytest.mark.unit

MISSING = ["NoSuchVoice", "en-us+nosuch", "com.apple.voice.Zarvox"]


@pytest.mark.parametrize("name", MISSING)
def test_a_missing_voice_is_told_once_and_no_line_is_mute(name: str) -> None:
    told: list[SynthesiserError] = []
    wanted = Voice(name, language="en")
    synthesiser = make_synthesiser(wanted, told.append)
    try:
        lines = [synthesiser.render(text, wanted) for text in ("Good evening.", "Ana, your turn.")]
        assert all(line.size > 4000 for line in lines)
        assert [name in english(fault) for fault in told] == [True]
        known = replace(wanted, name="en-us+f3")
        assert synthesiser.render("Good evening.", known).size > 4000
        assert len(told) == 1
    finally:
        synthesiser.close()


def test_two_missing_voices_are_told_one_by_one() -> None:
    told: list[SynthesiserError] = []
    synthesiser = make_synthesiser(Voice("Nope", language="en"), told.append)
    try:
        for name in ("Nope", "Nada", "Nope", "Nada"):
            assert synthesiser.render("Ready?", Voice(name, language="en")).size
        assert [name in english(fault) for name, fault in zip(["Nope", "Nada"], told, strict=True)]
    finally:
        synthesiser.close()


def test_who_asks_for_a_voice_to_try_it_is_told_that_it_is_not_there() -> None:
    synthesiser = make_synthesiser(Voice("Nope", language="en"))
    try:
        with refused(SynthesiserError, "There is no voice `Nope`"):
            synthesiser.render("Ready?", Voice("Nope", language="en"))
    finally:
        synthesiser.close()
