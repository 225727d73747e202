"""What every recogniser promises, asked of each engine of the registry that has a model here."""

import numpy as np
import pytest

from narrator.app.wiring.registry import recognisers
from narrator.language.grammar.automaton import Arc, Automaton
from narrator.ports.audio import MIC_RATE, SPEAKER_RATE
from narrator.ports.errors import RecogniserError
from narrator.ports.recognition import Hypothesis
from narrator.ports.speech import Voice
from tools.hearing.afresh import EspeakAfresh

pytestmark = pytest.mark.model

WORDS = {"en": ["yes", "stop", "seven"], "ko": ["완료", "아니오", "멈춰"]}
"""Three words of each language an engine can be asked in."""


def model_of(engine):
    """Return the first model there is for an engine in a language these tests speak."""
    reason = "these tests speak none of its languages"
    for language in filter(engine.hears, WORDS):
        try:
            return engine.find(None, (), language)
        except RecogniserError as error:
            reason = str(error)
    pytest.skip(f"No model for {engine.name} is here: {reason}")


@pytest.fixture(scope="module", params=recognisers(), ids=lambda engine: engine.name)
def described(request):
    return request.param


@pytest.fixture(scope="module")
def recogniser(described):
    engine = described.make(model_of(described))
    yield engine
    engine.close()


@pytest.fixture
def words(recogniser):
    return WORDS[recogniser.language]


def choice(*words):
    return Automaton((tuple(Arc(word, 1) for word in words), ()), frozenset({1}))


def speech(recogniser, text):
    """Return a spoken text at 16 kHz with a little noise around it."""
    import soxr

    voice = EspeakAfresh().render(text, Voice("", recogniser.language, 150))
    sound = soxr.resample(voice.astype(np.float32), SPEAKER_RATE, MIC_RATE) * 0.5
    quiet = 20 * np.random.default_rng(3).standard_normal(MIC_RATE // 2)
    return np.concatenate([quiet, sound, quiet]).astype(np.int16)


def feed(recogniser, sound, size=1600):
    for at in range(0, len(sound), size):
        recogniser.accept(sound[at : at + size])


def hear(recogniser, sound, size=1600):
    feed(recogniser, sound, size)
    return recogniser.finish()


def test_it_is_what_its_engine_says_it_is(described, recogniser):
    assert recogniser.name == described.name
    assert described.hears(recogniser.language)
    assert recogniser.traits == described.traits


def test_its_engine_knows_the_words_it_can_hear(described, recogniser, words):
    lexicon = described.lexicon(model_of(described), str)
    assert all(map(lexicon.knows, words))


def test_words_are_heard_and_their_length_told(recogniser, words):
    recogniser.expect(choice(*words))
    for word in words:
        sound = speech(recogniser, word)
        found = hear(recogniser, sound)
        assert found.text == word
        assert found.margin > 0
        assert found.seconds == pytest.approx(len(sound) / MIC_RATE)


def test_the_size_of_blocks_does_not_matter(recogniser, words):
    word = words[0]
    recogniser.expect(choice(*words))
    sound = speech(recogniser, word)
    assert [hear(recogniser, sound, size).text for size in (512, 1600, len(sound))] == [word] * 3


def test_the_same_sound_gives_the_same_hypothesis(recogniser, words):
    recogniser.expect(choice(*words))
    sound = speech(recogniser, words[1])
    first, second = hear(recogniser, sound), hear(recogniser, sound)
    # What is kept from the first time is not worked out beside it again: the last digits may move.
    assert (first.text, first.score) == (second.text, pytest.approx(second.score, abs=1e-4))


def test_a_new_grammar_waits_for_the_next_utterance(recogniser, words):
    first, second, third = words
    recogniser.expect(choice(first, second))
    sound = speech(recogniser, first)
    feed(recogniser, sound[: len(sound) // 2])
    recogniser.expect(choice(third, second))
    feed(recogniser, sound[len(sound) // 2 :])
    assert recogniser.finish().text == first
    assert hear(recogniser, speech(recogniser, third)).text == third


def test_reset_forgets_what_was_begun(recogniser, words):
    first, second, _ = words
    recogniser.expect(choice(first, second))
    feed(recogniser, speech(recogniser, first))
    recogniser.reset()
    assert hear(recogniser, speech(recogniser, second)).text == second


@pytest.mark.parametrize("samples", [0, 100, 16_000, 80_000])
def test_silence_is_an_empty_text(recogniser, samples, words):
    recogniser.expect(choice(*words))
    found = hear(recogniser, np.zeros(samples, np.int16))
    assert found.text == ""
    assert found.seconds == pytest.approx(samples / MIC_RATE)


@pytest.mark.parametrize("grammar", [Automaton(((),), frozenset()), choice()])
def test_a_grammar_of_nothing_hears_nothing(recogniser, grammar, words):
    recogniser.expect(grammar)
    assert hear(recogniser, speech(recogniser, words[0])).text == ""


def test_finish_without_a_beginning(recogniser, words):
    recogniser.expect(choice(*words))
    assert recogniser.finish() == Hypothesis("", seconds=0.0)


def test_words_it_can_never_hear_are_told(recogniser, words):
    assert all(recogniser.knows_word(word) for word in words)
    assert not any(recogniser.knows_word(word) for word in ("", "qq\0", "两 人", "☃"))


def test_free_speech_is_not_bound_to_the_grammar(recogniser, words):
    first, second, third = words
    recogniser.expect(choice(second), free=True)
    free = hear(recogniser, speech(recogniser, f"{third}, {first}")).text
    assert free and free != second
