"""Who may speak while the narrator does, decided by the block."""

from __future__ import annotations

import pytest

from narrator.listening.barge_in_policy import CALM, INTERRUPTS, PRESSED, BargeInPolicy

pytestmark = pytest.mark.unit


class TimedSpeech:
    def __init__(self) -> None:
        self.did: list[str] = []

    def hold(self) -> None:
        self.did.append("hold")

    def release(self) -> None:
        self.did.append("release")


@pytest.fixture
def mouth() -> TimedSpeech:
    return TimedSpeech()


def test_on_a_loudspeaker_nobody_is_heard_while_it_speaks(mouth: TimedSpeech) -> None:
    floor = BargeInPolicy(mouth)
    assert floor.hears(1.0, silence=True)
    assert not floor.hears(1.0, silence=False)
    floor.mind(1.0, 2.0, silence=False)
    assert mouth.did == []


def test_speech_into_a_line_silences_it_and_a_cough_does_not(mouth: TimedSpeech) -> None:
    floor = BargeInPolicy(mouth, barge_in=True)
    floor.mind(1.0, INTERRUPTS / 2, silence=False)
    assert mouth.did == []
    floor.mind(1.1, INTERRUPTS, silence=False)
    floor.mind(1.2, 0.5, silence=False)
    assert mouth.did == ["hold"]


def test_after_words_that_mean_nothing_it_speaks_on_and_leaves_talkers_alone(
    mouth: TimedSpeech,
) -> None:
    floor = BargeInPolicy(mouth, barge_in=True)
    floor.mind(1.0, 0.4, silence=False)
    floor.mind(2.0, 0.0, silence=False)
    assert mouth.did == ["hold", "release"]
    floor.mind(2.0 + CALM / 2, 0.4, silence=False)
    assert mouth.did == ["hold", "release"]
    assert floor.hears(2.0 + CALM / 2, silence=False), "who says stop is heard all the same"
    floor.mind(2.1 + CALM, 0.4, silence=False)
    assert mouth.did == ["hold", "release", "hold"]


def test_understood_words_leave_the_voice_to_the_code_that_acts_on_them(
    mouth: TimedSpeech,
) -> None:
    floor = BargeInPolicy(mouth, barge_in=True)
    floor.mind(1.0, 0.4, silence=False)
    floor.understood()
    floor.mind(1.1, 0.0, silence=False)
    assert mouth.did == ["hold"]


def test_by_the_key_alone_nothing_is_heard_without_it(mouth: TimedSpeech) -> None:
    floor = BargeInPolicy(mouth, push_to_talk=True)
    assert not floor.hears(1.0, silence=True)
    floor.press(1.0, sounding=False)
    assert floor.hears(1.0, silence=True)
    floor.understood()
    assert not floor.hears(1.1, silence=True), "one press is one answer"


def test_a_press_into_a_line_silences_it_and_waits_until_the_room_is_silent(
    mouth: TimedSpeech,
) -> None:
    floor = BargeInPolicy(mouth, push_to_talk=True)
    floor.press(1.0, sounding=True)
    assert mouth.did == ["hold"]
    assert not floor.hears(1.1, silence=False)
    assert floor.hears(1.4, silence=False)


def test_a_press_that_nothing_follows_is_over_after_a_while(mouth: TimedSpeech) -> None:
    floor = BargeInPolicy(mouth)
    floor.press(0.0, sounding=True)
    floor.mind(PRESSED - 1, 0.0, silence=False)
    assert mouth.did == ["hold"]
    floor.mind(PRESSED + 1, 0.0, silence=False)
    assert mouth.did == ["hold", "release"]
    assert not floor.hears(PRESSED + 1, silence=False)


def test_a_long_answer_after_a_press_is_heard_to_its_end(mouth: TimedSpeech) -> None:
    floor = BargeInPolicy(mouth, push_to_talk=True)
    floor.press(0.0, sounding=False)
    for tenth in range(round(PRESSED * 20)):
        floor.mind(tenth / 10, 0.5 + tenth / 10, silence=True)
        assert floor.hears(tenth / 10, silence=True)
