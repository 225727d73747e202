from __future__ import annotations

import numpy as np
import pytest

from narrator.listening.front_end import QUIET
from narrator.listening.level_report import EVERY, LevelReport, Second
from narrator.ports.audio import BLOCK, MIC_RATE, Pcm

pytestmark = pytest.mark.unit


def block(level: int) -> Pcm:
    return np.tile(np.array([level, -level], np.int16), BLOCK // 2)


def second(report: LevelReport, level: int, *, speech: bool = False, noise: float = -60) -> Second:
    found = [report.feed(block(level), speech=speech, noise=noise) for _ in range(10)]
    assert found[:9] == [None] * 9
    assert found[9] is not None
    return found[9]


def test_each_second_has_its_level_noise_and_number():
    report = LevelReport()
    assert str(second(report, 3277)) == "1 s: level -20 dB, noise -60 dB, no speech."
    assert str(second(report, 3277, speech=True)) == "2 s: level -20 dB, noise -60 dB, speech."


def test_a_short_sound_counts_with_its_loudest_tenth():
    report = LevelReport()
    for _ in range(9):
        assert report.feed(block(10), speech=False, noise=-70) is None
    loud = report.feed(block(3277), speech=False, noise=-70)
    assert loud is not None and round(loud.level) == -20


@pytest.mark.parametrize(
    ("level", "speech", "noise", "told"),
    [
        (0, False, QUIET, "gives nothing at all"),
        (32767, True, -60, "too loud"),
        (100, True, -70, "come nearer"),
        (1000, True, -35, "come nearer"),
        (3277, True, -60, ""),
        (100, False, -60, ""),
    ],
)
def test_what_is_wrong_is_told_with_its_likely_cause(level, speech, noise, told):
    advice = second(LevelReport(), level, speech=speech, noise=noise).advice
    assert (told in advice) if told else advice == ""


def test_a_line_is_worth_it_on_a_change_and_now_and_then():
    report = LevelReport()
    assert report.news(second(report, 1000))
    assert not report.news(second(report, 1100))
    assert report.news(second(report, 4000))
    assert report.news(second(report, 4000, speech=True))
    again = [report.news(second(report, 4000, speech=True)) for _ in range(EVERY)]
    assert again == [False] * (EVERY - 1) + [True]


def test_the_end_tells_how_speech_came():
    report = LevelReport()
    assert report.summary() == "Nobody was heard speaking."
    second(report, 3277, speech=True)
    assert report.summary() == "Speech came at -20 dB, 40 dB above the noise."
    assert MIC_RATE == 10 * BLOCK


def test_the_silence_after_speech_is_not_called_soft():
    report = LevelReport()
    second(report, 3277, speech=True)
    found = [report.feed(block(20), speech=at < 6, noise=-70) for at in range(10)][-1]
    assert found is not None and found.speech
    assert found.advice == ""


def test_a_computer_that_is_too_slow_is_told():
    report = LevelReport()
    for _ in range(9):
        report.feed(block(3277), speech=False, noise=-60, behind=0.6)
    little = report.feed(block(3277), speech=False, noise=-60)
    assert str(little) == "1 s: level -20 dB, noise -60 dB, no speech, 0.6 s behind."
    for _ in range(9):
        report.feed(block(3277), speech=False, noise=-60, behind=3.0)
    much = report.feed(block(3277), speech=False, noise=-60, behind=3.0)
    assert much is not None and "slower than people speak" in much.advice
