from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest

from narrator.adapters.voices.espeak.phonemes import EspeakPronouncer
from narrator.adapters.voices.espeak.synthesiser import EspeakSynthesiser
from narrator.language.names.phonetics import difference, syllables
from narrator.ports.errors import SynthesiserError
from narrator.ports.speech import Voice

pytestmark = pytest.mark.unit


@pytest.fixture(scope="module")
def pronouncer() -> EspeakPronouncer:
    try:
        return EspeakPronouncer()
    except SynthesiserError as error:
        pytest.skip(f"eSpeak NG is not here: {error}")


def test_names_have_the_sounds_that_people_give_them(pronouncer):
    def apart(first: str, second: str) -> float:
        return difference(*(pronouncer.phonemes(name, "en") for name in (first, second)))

    assert apart("Siobhan", "Shivawn") == 0
    assert apart("Bess", "yes") < 0.35 < apart("Robert", "Julia")
    assert syllables(pronouncer.phonemes("Dee", "en")) == 1


@pytest.mark.parametrize(
    "text", ["", " ", "\0", "!?", "😀", "a\0b", "x" * 3000, "One. Two. Three."]
)
def test_any_text_has_some_sounds_or_none(pronouncer, text):
    assert isinstance(pronouncer.phonemes(text, "en"), str)


def test_every_clause_is_spoken(pronouncer):
    assert syllables(pronouncer.phonemes("One. Two! Three?", "en")) == 3


def test_an_unknown_language_is_told(pronouncer):
    with pytest.raises(SynthesiserError):
        pronouncer.phonemes("Ana", "zz")


def test_it_may_be_asked_while_the_voice_speaks(pronouncer):
    voice = EspeakSynthesiser()
    with ThreadPoolExecutor(4) as pool:
        lines = [pool.submit(voice.render, "A line.", Voice("en-us+f3")) for _ in range(8)]
        names = [pool.submit(pronouncer.phonemes, "Siobhan", "en") for _ in range(40)]
        assert {name.result() for name in names} == {pronouncer.phonemes("Siobhan", "en")}
        assert all(line.result().size for line in lines)
