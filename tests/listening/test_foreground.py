"""Whose speech it is, by level alone: frames of a given loudness, without any sound."""

import numpy as np
import pytest

from narrator.listening.foreground import Foreground
from narrator.listening.front_end import QUIET

pytestmark = pytest.mark.unit

FRAME = 512
SECOND = 32
"""Frames in about a second."""


def frame(decibels):
    # A square wave's root mean square is its height.
    height = round(32768 * 10 ** (decibels / 20))
    return np.where(np.arange(FRAME) % 2, height, -height).astype(np.int16)


def follow(foreground, decibels, frames, speech=True):
    """Give for each frame whether it counts, as the ear asks inside an utterance."""
    near = []
    for _ in range(frames):
        foreground.feed(frame(decibels), speech=speech)
        near.append(foreground.is_near)
    return near


@pytest.fixture
def foreground():
    return Foreground(FRAME)


def test_in_a_quiet_room_a_voice_may_fall_by_ten_decibels(foreground):
    for _ in range(2 * SECOND):
        foreground.feed(frame(-70), speech=False)
    foreground.begin()
    assert all(follow(foreground, -20, SECOND) + follow(foreground, -30, SECOND))


def test_among_others_an_answer_is_over_when_only_they_are_heard(foreground):
    for _ in range(4 * SECOND):
        foreground.feed(frame(-32), speech=True)
    foreground.begin()
    assert all(follow(foreground, -20, SECOND))
    after = follow(foreground, -32, SECOND)
    assert not any(after[SECOND // 3 :])


def test_who_speaks_up_over_babble_is_noticed_once(foreground):
    foreground.begin()
    babble = []
    for _ in range(3 * SECOND):
        foreground.feed(frame(-32), speech=True)
        babble.append(foreground.speaks_up())
    assert not any(babble)
    louder = []
    for _ in range(SECOND):
        foreground.feed(frame(-20), speech=True)
        louder.append(foreground.speaks_up())
    assert louder.count(True) == 1
    assert not any(follow(foreground, -32, SECOND)[SECOND // 3 :])


def test_a_louder_word_after_a_soft_one_drops_nothing(foreground):
    for _ in range(2 * SECOND):
        foreground.feed(frame(-70), speech=False)
    foreground.begin()
    for level in [-30] * SECOND + [-18] * SECOND:
        foreground.feed(frame(level), speech=True)
        assert not foreground.speaks_up()
        assert foreground.is_near


def test_what_never_stops_is_the_room_in_the_end(foreground):
    foreground.begin()
    assert all(follow(foreground, -25, 8 * SECOND))
    foreground.give_up()
    assert not any(follow(foreground, -25, SECOND))


def test_the_room_is_forgotten(foreground):
    for _ in range(4 * SECOND):
        foreground.feed(frame(-25), speech=True)
    foreground.reset()
    foreground.begin()
    assert all(follow(foreground, -20, SECOND) + follow(foreground, -32, SECOND))


def test_the_room_is_known_after_a_pause_and_who_spoke_in_it_is_forgotten(foreground):
    for _ in range(2 * SECOND):
        foreground.feed(frame(-32), speech=True)
    foreground.begin()
    follow(foreground, -14, SECOND)
    foreground.end()
    foreground.pause()
    follow(foreground, -20, 3)
    foreground.begin()
    assert foreground.room == pytest.approx(-32, abs=0.5)
    foreground.reset()
    follow(foreground, -20, 3)
    foreground.begin()
    assert foreground.room == QUIET
