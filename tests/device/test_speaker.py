"""The loudspeaker, heard at its monitor: ends are told once, hush is quick, beats are even."""

from __future__ import annotations

import time
from collections.abc import Callable

import numpy as np
import pytest

from narrator.ports.audio import MIC_RATE, SPEAKER_RATE, Clip, Pcm
from narrator.speaking.countdown import place
from tests.device.desk import Desk, lasts, loud_seconds, together, tone, until

pytestmark = pytest.mark.device


def test_a_line_is_heard_whole_and_its_end_told_only_then(desk: Desk) -> None:
    speaker, heard = desk.speaker(), desk.ears()
    begun = time.monotonic()
    speaker.play(Clip(1, tone(0.8, SPEAKER_RATE)))
    until(lambda: bool(desk.ends))
    assert time.monotonic() - begun > 0.8
    assert desk.ends[0].complete and desk.ends[0].seconds == pytest.approx(0.8, abs=0.001)
    time.sleep(0.4)
    assert lasts(0.8, together(heard))
    assert len(desk.ends) == 1


def test_the_pitch_is_right_at_a_rate_the_device_chose(desk: Desk) -> None:
    speaker, heard = desk.speaker(), desk.ears()
    speaker.play(Clip(1, tone(1.0, SPEAKER_RATE, hertz=700.0)))
    until(lambda: bool(desk.ends))
    time.sleep(0.3)
    spectrum = np.abs(np.fft.rfft(together(heard).astype(float)))
    peak = np.argmax(spectrum) * MIC_RATE / together(heard).size
    assert peak == pytest.approx(700, abs=5)


def test_hush_silences_the_room_three_times_and_the_next_line_is_whole(desk: Desk) -> None:
    speaker = desk.speaker()
    for number in (1, 11, 21):
        heard = desk.ears()
        speaker.play(Clip(number, tone(5.0, SPEAKER_RATE)))
        speaker.play(Clip(number + 1, tone(5.0, SPEAKER_RATE)))
        until(longer_than(heard, 0.3))
        speaker.hush()
        until(desk.ended(number + 1))
        time.sleep(0.5)
        sounding = loud_seconds(together(heard))
        time.sleep(0.5)
        assert loud_seconds(together(heard)) == sounding
        speaker.play(Clip(number + 2, tone(0.2, SPEAKER_RATE)))
        until(desk.ended(number + 2))
    told = [(end.utterance, end.complete) for end in desk.ends]
    assert told == [(n + k, k == 2) for n in (1, 11, 21) for k in range(3)]
    assert all(0 <= end.seconds < 2 for end in desk.ends)


def test_fifty_lines_are_each_told_once_and_in_order(desk: Desk) -> None:
    speaker = desk.speaker()
    for number in range(1, 51):
        speaker.play(Clip(number, tone(0.04, SPEAKER_RATE)))
    until(lambda: len(desk.ends) >= 50)
    time.sleep(0.2)
    assert [end.utterance for end in desk.ends] == list(range(1, 51))


def test_the_beats_of_a_countdown_are_even_under_the_masking_sound(desk: Desk) -> None:
    speaker = desk.speaker()
    speaker.cover(True)
    speaker.volume("cover", 0.2)
    time.sleep(0.3)
    heard = desk.ears()
    words = [word_like(n) for n in range(4)]
    errors = []
    for number in (1, 2, 3):  # a busy machine may run dry once, which moves the beats after it
        heard.clear()
        speaker.play(Clip(number, place(words, 0.5)))
        until(desk.ended(number))
        time.sleep(0.4)
        beats = onsets(together(heard), 4)
        errors.append(np.abs(np.diff(beats) - 0.5).max())
    assert min(errors) < 0.02


def test_closing_under_way_tells_the_cut_and_is_quick(desk: Desk) -> None:
    speaker = desk.speaker()
    speaker.play(Clip(1, tone(30.0, SPEAKER_RATE)))
    time.sleep(0.3)
    begun = time.monotonic()
    speaker.close()
    assert time.monotonic() - begun < 2
    assert [(end.utterance, end.complete) for end in desk.ends] == [(1, False)]
    assert 0 < desk.ends[0].seconds < 2


def test_a_speaker_can_be_opened_again_and_again(desk: Desk) -> None:
    for number in range(1, 6):
        speaker = desk.speaker()
        speaker.play(Clip(number, tone(0.05, SPEAKER_RATE)))
        until(desk.ended(number))
        speaker.close()
    assert desk.faults == []


def longer_than(heard: list[Pcm], seconds: float) -> Callable[[], bool]:
    return lambda: loud_seconds(together(heard)) > seconds


def word_like(number: int) -> Pcm:
    return np.concatenate([np.zeros(300 * number, np.int16), tone(0.15, SPEAKER_RATE, 900, 20_000)])


def onsets(sound: Pcm, count: int) -> list[float]:
    """Return the seconds at which loud stretches begin."""
    loud = np.flatnonzero(np.abs(sound.astype(int)) > 6000)
    first = loud[np.flatnonzero(np.diff(loud, prepend=-MIC_RATE) > 0.1 * MIC_RATE)]
    assert len(first) == count
    return [float(place) / MIC_RATE for place in first]
