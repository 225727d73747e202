"""The ear with its real detector and recogniser, on speech whose place is known to the sample."""

import numpy as np
import pytest

from narrator.adapters.recognisers.whisper.recogniser import WhisperRecogniser
from narrator.adapters.recognisers.whisper.weights import find_weights
from narrator.adapters.sound.vad import SileroDetector
from narrator.language.grammar.automaton import Arc, Automaton
from narrator.language.rejection import NOISY
from narrator.listening.front_end import QUIET, decibels
from narrator.listening.utterance_detector import UtteranceDetector
from narrator.ports.audio import BLOCK, MIC_RATE, SPEAKER_RATE
from narrator.ports.errors import RecogniserError
from narrator.ports.speech import Voice
from narrator.simulation.room import SPEECH, at_level, babble
from tools.hearing.afresh import EspeakAfresh

pytestmark = pytest.mark.model


def choice(*words):
    return Automaton((tuple(Arc(word, 1) for word in words), ()), frozenset({1}))


ANSWERS = choice("yes", "no", "stop", "seven")
OTHERS = choice("nine", "back")


@pytest.fixture(scope="module")
def whisper():
    try:
        engine = WhisperRecogniser(find_weights(None, []))
    except RecogniserError as error:
        pytest.skip(f"The weights of Whisper tiny.en are not installed: {error}")
    yield engine
    engine.close()


@pytest.fixture
def ear(whisper):
    whisper.reset()
    made = UtteranceDetector(whisper, SileroDetector())
    made.expect(ANSWERS, "yesno", tag=1)
    return made


def room(seconds, level=20):
    noise = level * np.random.default_rng(5).standard_normal(int(seconds * MIC_RATE))
    return noise.astype(np.int16)


def said(text, rate=150):
    import soxr

    voice = EspeakAfresh().render(text, Voice(rate=rate)).astype(np.float32)
    sound = soxr.resample(voice, SPEAKER_RATE, MIC_RATE)
    return (sound * 0.5 + room(len(sound) / MIC_RATE + 1)[: len(sound)]).astype(np.int16)


def hear(ear, *sounds, size=BLOCK):
    sound = np.concatenate(sounds)
    blocks = [sound[at : at + size] for at in range(0, len(sound), size)]
    return [utterance for block in blocks for utterance in ear.hear(block)]


def test_utterances_come_with_their_place(ear):
    yes, stop = said("yes"), said("stop")
    found = hear(ear, room(1), yes, room(1), stop, room(1))
    assert [u.hypothesis.text for u in found] == ["yes", "stop"]
    first, second = found
    end = 1 + len(yes) / MIC_RATE
    assert first.start == pytest.approx(1.0, abs=0.25)
    assert end < first.end < end + 0.7
    assert second.start == pytest.approx(end + 1.0, abs=0.25)
    assert (first.expected.kind, first.expected.tag, first.too_long) == ("yesno", 1, False)
    assert 0.1 < first.speech < 0.9


@pytest.mark.parametrize("seed", [3, 4])
def test_an_answer_ends_though_others_go_on_talking(ear, seed):
    sentences = "so who looked at a card", "pass me the crisps", "it was quite different last week"
    others = np.tile(babble([said(text, 140) for text in sentences], 6, MIC_RATE, seed), 2)
    answer = at_level(said("seven"), SPEECH)
    sound = others * 32767 * SPEECH * 10 ** (-12 / 20)
    begin = 4 * MIC_RATE
    sound[begin : begin + len(answer)] += answer
    end = (begin + len(answer)) / MIC_RATE
    within = [u for u in hear(ear, sound.astype(np.int16)) if u.start < end < u.end]
    assert [u.too_long for u in within] == [False]
    assert within[0].end < end + 0.45 + 0.5


@pytest.mark.parametrize("size", [160, 512, 4000])
def test_the_size_of_blocks_does_not_matter(ear, size):
    (found,) = hear(ear, room(1), said("seven"), room(1), size=size)
    assert found.hypothesis.text == "seven"
    assert found.start == pytest.approx(1.0, abs=0.25)


def test_the_same_sound_gives_the_same_utterance(whisper):
    whisper.reset()
    sound = np.concatenate([room(1), said("no"), room(1)])

    def once():
        ear = UtteranceDetector(whisper, SileroDetector())
        ear.expect(ANSWERS, "yesno")
        (found,) = hear(ear, sound)
        return found

    first, second = once(), once()
    assert (first.start, first.end, first.speech) == (second.start, second.end, second.speech)
    assert first.hypothesis.text == second.hypothesis.text == "no"
    assert first.hypothesis.score == pytest.approx(second.hypothesis.score, abs=1e-3)


def test_what_is_expected_changes_with_the_next_utterance(ear):
    stop, nine = said("stop"), said("nine")
    begun = hear(ear, room(1), stop[: 3 * len(stop) // 4])
    assert begun == [] and ear.hearing
    ear.expect(OTHERS, "number", tag=2)
    first, second = hear(ear, stop[3 * len(stop) // 4 :], room(1), nine, room(1))
    assert (first.hypothesis.text, first.expected.tag) == ("stop", 1)
    assert (second.hypothesis.text, second.expected.tag) == ("nine", 2)


def test_a_closed_gate_lets_nothing_in_and_drops_what_was_begun(ear):
    yes = said("yes")
    hear(ear, room(1), yes[: 3 * len(yes) // 4])
    assert ear.hearing
    ear.close()
    assert not ear.hearing
    assert hear(ear, yes, room(1)) == []
    ear.open()
    (found,) = hear(ear, room(0.5), said("stop"), room(1))
    assert found.hypothesis.text == "stop"
    before = 1 + (3 * len(yes) // 4 + len(yes)) / MIC_RATE + 1.5
    assert found.start == pytest.approx(before, abs=0.25)


def test_sound_from_before_the_gate_opened_is_not_glued_to_what_comes_after(ear):
    ear.close()
    hear(ear, said("stop"))
    ear.open()
    (found,) = hear(ear, room(0.3), said("seven"), room(1))
    assert found.hypothesis.text == "seven"


def test_talk_that_goes_on_is_given_up_and_what_follows_is_heard(ear):
    talk = "the people at this table went on talking about everything they had seen that day "
    long = said(talk * 3, rate=190)
    assert len(long) > 9 * MIC_RATE
    found = hear(ear, room(1), long, room(1.2), said("yes"), room(1))
    assert any(u.too_long and not u.hypothesis.text for u in found)
    assert found[-1].hypothesis.text == "yes" and not found[-1].too_long


def test_nothing_is_heard_before_anything_is_expected(whisper):
    ear = UtteranceDetector(whisper, SileroDetector())
    assert hear(ear, room(1), said("yes"), room(1)) == []


def test_knocking_is_no_utterance(ear):
    knock = np.zeros(MIC_RATE // 4, np.int16)
    knock[:200] = (20_000 * np.exp(-np.arange(200) / 40) * np.sin(np.arange(200))).astype(np.int16)
    assert hear(ear, room(1), *[knock] * 20, room(1)) == []


def test_five_minutes_of_digital_silence_are_nothing(ear):
    assert hear(ear, np.zeros(300 * MIC_RATE, np.int16)) == []
    assert ear.level == QUIET


def test_five_minutes_of_a_quiet_room_are_nothing(ear):
    noise = room(300, level=104)
    assert decibels(noise) == pytest.approx(-50, abs=0.5)
    assert hear(ear, noise) == []
    assert ear.noise == pytest.approx(-50, abs=2)
    assert ear.seconds == pytest.approx(300)


class Counted:
    """A real recogniser whose decisions are counted."""

    def __init__(self, engine):
        self.engine, self.ahead, self.after = engine, 0, 0

    def __getattr__(self, name):
        return getattr(self.engine, name)

    def guess(self):
        self.ahead += 1
        return self.engine.guess()

    def finish(self):
        self.after += 1
        return self.engine.finish()


def test_it_is_decided_while_the_end_is_waited_for(whisper):
    whisper.reset()
    counted = Counted(whisper)
    ear = UtteranceDetector(counted, SileroDetector())
    ear.expect(ANSWERS, "yesno")
    found = hear(ear, room(1), said("seven"), room(1))
    assert [u.hypothesis.text for u in found] == ["seven"]
    assert (counted.ahead, counted.after) == (1, 0)


def test_more_speech_makes_an_early_decision_void(whisper):
    whisper.reset()
    counted = Counted(whisper)
    ear = UtteranceDetector(counted, SileroDetector())
    both = Automaton(
        ((Arc("seven", 1), Arc("stop", 1)), (Arc("seven", 2), Arc("stop", 2)), ()),
        frozenset({1, 2}),
    )
    ear.expect(both, "points")
    seven, stop = said("seven"), said("stop")
    found = hear(ear, room(1), seven, room(0.7), stop, room(2))
    assert [u.hypothesis.text for u in found] == ["seven stop"]
    assert (counted.ahead, counted.after) == (2, 0)


def test_a_word_from_much_further_away_stands_out_less_however_still_it_is_around_it(ear):
    here = [part for _ in range(3) for part in (room(1), at_level(said("stop"), SPEECH), room(1))]
    there = at_level(said("stop"), SPEECH * 10 ** (-12 / 20))
    *near, far = hear(ear, *here, room(1), there, room(1))
    assert [u.hypothesis.text for u in (*near, far)] == ["stop"] * 4
    assert all(u.hypothesis.stands_out > NOISY for u in near)
    assert far.hypothesis.stands_out < NOISY
