"""Which part of an utterance is the answer, by levels alone."""

import numpy as np
import pytest

from narrator.listening.loudest_part import SoundOf

pytestmark = pytest.mark.unit

FRAME = 512
SECOND = 32
"""Frames in about a second."""


def of(*parts, speech=0.09, room=13):
    """Return an utterance: runs of (level, frames, speech), the first of them before it began."""
    sound = SoundOf(FRAME)
    numbers = iter(range(1000))
    frames = [(next(numbers), level, said) for level, count, said in parts for _ in range(count)]
    earlier, later = frames[:room], frames[room:]
    sound.begin(
        [np.full(FRAME, n, np.int16) for n, *_ in earlier], [v for _, v, _ in earlier], speech
    )
    for number, level, said in later:
        sound.add(np.full(FRAME, number, np.int16), level, speech=said)
    return sound


def numbers(frames):
    return [int(frame[0]) for frame in frames]


def test_an_answer_after_somebody_elses_words_is_the_louder_part():
    sound = of((-32.0, 45, True), (-20.0, SECOND, True), (-32.0, 14, False))
    part = numbers(sound.louder_part())
    assert 45 - 16 <= part[0] <= 45
    assert 45 + SECOND <= part[-1] <= 45 + SECOND + 10


def test_an_even_utterance_has_no_louder_part():
    quiet = of((-70.0, 8, False), (-22.0, 2 * SECOND, True), (-70.0, 14, False))
    assert quiet.louder_part() is None
    assert of((-22.0, 2 * SECOND, True), (-70.0, 14, False)).louder_part() is None


def test_who_pauses_is_still_answering():
    sound = of((-70.0, 8, False), (-28.0, 15, True), (-70.0, 20, False), (-20.0, 15, True))
    assert sound.louder_part() is None


def test_what_gets_quieter_has_no_louder_part():
    sound = of((-20.0, SECOND, True), (-26.0, SECOND, True), (-40.0, 14, False))
    assert sound.louder_part() is None


def test_it_stands_out_of_what_is_louder_before_or_after_it():
    quiet = ((-70.0, 10, False), (-20.0, SECOND, True), (-70.0, 14, False))
    assert of(*quiet).stands_out() == pytest.approx(50.0)
    assert of((-30.0, 10, True), *quiet[1:]).stands_out() == pytest.approx(10.0)
    assert of(*quiet[:2], (-32.0, 14, True)).stands_out() == pytest.approx(12.0)


def test_who_speaks_as_soon_as_they_may_is_compared_with_what_follows():
    sound = of((-20.0, SECOND, True), (-70.0, 14, False), room=4)
    assert sound.stands_out() == pytest.approx(50.0)


def test_nothing_heard_stands_out():
    assert SoundOf(FRAME).stands_out() == 99.0
    assert SoundOf(FRAME).louder_part() is None


def test_who_speaks_up_stands_out_of_the_babble_before():
    sound = SoundOf(FRAME)
    loud = [np.zeros(FRAME, np.int16)] * SECOND
    sound.begin(loud[:13], [-21.0] * 13, 0.09, babble=-31.0)
    for frame in loud:
        sound.add(frame, -20.0, speech=True)
    for frame in loud[:14]:
        sound.add(frame, -70.0, speech=False)
    assert sound.stands_out() == pytest.approx(11.0)


def test_the_end_of_the_utterance_before_is_not_the_room():
    sound = SoundOf(FRAME)
    loud = [np.zeros(FRAME, np.int16)] * SECOND
    sound.begin(loud[:13], [-21.0] * 13, 0.09, after=5)
    for frame in loud:
        sound.add(frame, -20.0, speech=True)
    for frame in loud[:14]:
        sound.add(frame, -30.0, speech=False)
    assert sound.stands_out() == pytest.approx(10.0)
