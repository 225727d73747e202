"""The microphone, spoken to in the room."""

from __future__ import annotations

import time

import numpy as np
import pytest

from narrator.ports.audio import BLOCK, MIC_RATE, SPEAKER_RATE, Clip, Pcm
from tests.device.desk import Desk, lasts, together, tone, until

pytestmark = pytest.mark.device


def test_what_is_said_in_the_room_arrives_in_whole_blocks_at_the_right_pitch(desk: Desk) -> None:
    blocks: list[Pcm] = []
    mic = desk.mic(blocks)
    mouth = desk.speaker("vt_test")
    until(lambda: len(blocks) > 2)
    mouth.play(Clip(1, tone(0.6, SPEAKER_RATE, hertz=440.0)))
    until(lambda: bool(desk.ends))
    time.sleep(0.5)
    sound = together(blocks)
    assert {block.size for block in blocks} == {BLOCK}
    assert lasts(0.6, sound)
    spectrum = np.abs(np.fft.rfft(sound.astype(float)))
    assert np.argmax(spectrum) * MIC_RATE / sound.size == pytest.approx(440, abs=5)
    assert mic.lag() < 1.0 and mic.dropped == 0


def test_a_microphone_without_any_noise_is_told_once_and_when_it_is_heard_again(
    desk: Desk,
) -> None:
    blocks: list[Pcm] = []
    desk.mic(blocks)
    until(lambda: desk.told("The microphone is silent"))
    time.sleep(0.3)
    assert len(desk.faults) == 1
    desk.speaker("vt_test").play(Clip(1, tone(0.5, SPEAKER_RATE)))
    until(lambda: desk.told("heard again", back=True))


def test_a_quiet_room_is_not_called_silent(desk: Desk) -> None:
    mouth = desk.speaker("vt_test")
    mouth.play(Clip(1, tone(5.0, SPEAKER_RATE, level=3)))
    blocks: list[Pcm] = []
    desk.mic(blocks)
    until(lambda: len(blocks) > 40)
    assert desk.faults == []


def test_closing_is_quick_and_no_block_comes_after_it(desk: Desk) -> None:
    blocks: list[Pcm] = []
    mic = desk.mic(blocks)
    until(lambda: len(blocks) > 2)
    begun = time.monotonic()
    mic.close()
    assert time.monotonic() - begun < 2
    count = len(blocks)
    time.sleep(0.3)
    assert len(blocks) == count
