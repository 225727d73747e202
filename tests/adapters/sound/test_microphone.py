"""The microphone's own arithmetic: blocks, delay, silence; the device is the test."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator

import numpy as np
import pytest

from narrator.adapters.sound.microphone import Mic
from narrator.ports.audio import BLOCK, MIC_RATE, FaultCallback, Pcm
from narrator.ports.errors import SoundError
from narrator.ports.faults import FaultCode
from tests.patience import limit
from tests.told import english

pytestmark = pytest.mark.unit

NOISE = np.random.default_rng(1).integers(-50, 50, BLOCK).astype(np.int16)


class Hand:
    """An input whose device, and whose clock, is the test."""

    live = True
    moment = 0.0

    def input(
        self,
        wanted: str | int | None,
        rate: int,
        block: float,
        take: Callable[[Pcm, int, int], None],
        fault: FaultCallback,
    ) -> Hand:
        self.take = take
        return self

    def now(self) -> float:
        return self.moment

    def close(self) -> None:
        self.live = False

    def give(self, sound: Pcm, rate: int = MIC_RATE, opening: int = 1, late: float = 0.0) -> None:
        self.moment += sound.size / rate + late
        self.take(sound, rate, opening)


class UtteranceDetector:
    def __init__(self, hand: Hand) -> None:
        self.blocks: list[Pcm] = []
        self.faults: list[tuple[SoundError, bool]] = []
        self.mic = Mic(hand, hand, self.blocks.append, lambda t, b: self.faults.append((t, b)))

    def until(self, true: Callable[[], bool]) -> None:
        end = time.monotonic() + limit(5)
        while not true():
            assert time.monotonic() < end, f"{len(self.blocks)} blocks, {self.faults}"
            time.sleep(0.002)


@pytest.fixture
def hand() -> Hand:
    return Hand()


@pytest.fixture
def ear(hand: Hand) -> Iterator[UtteranceDetector]:
    made = UtteranceDetector(hand)
    yield made
    made.mic.close()


@pytest.mark.parametrize("rate", [16_000, 22_050, 44_100, 48_000])
def test_sound_of_any_rate_comes_in_whole_blocks_with_its_pitch(
    hand: Hand, ear: UtteranceDetector, rate: int
) -> None:
    moments = np.arange(2 * rate) / rate
    sound = np.rint(8000 * np.sin(2 * np.pi * 500 * moments)).astype(np.int16)
    for number, start in enumerate(range(0, sound.size, rate // 10)):
        hand.give(sound[start : start + rate // 10], rate)
        ear.until(lambda number=number: len(ear.blocks) >= number - 1)  # type: ignore[misc]
    ear.until(lambda: len(ear.blocks) >= 19)
    assert {block.size for block in ear.blocks} == {BLOCK}
    spectrum = np.abs(np.fft.rfft(np.concatenate(ear.blocks[2:18]).astype(float)))
    assert np.argmax(spectrum) * MIC_RATE / (16 * BLOCK) == pytest.approx(500, abs=1)


def test_zeros_are_told_after_three_seconds_and_once(hand: Hand, ear: UtteranceDetector) -> None:
    for _ in range(29):
        hand.give(np.zeros(BLOCK, np.int16))
        ear.until(lambda: len(ear.mic._queue) == 0)
    ear.until(lambda: len(ear.blocks) == 29)
    assert ear.faults == []
    for _ in range(35):
        hand.give(np.zeros(BLOCK, np.int16))
        ear.until(lambda: len(ear.mic._queue) == 0)
    ear.until(lambda: len(ear.blocks) == 64)
    hand.give(NOISE)
    ear.until(lambda: len(ear.faults) == 2)
    assert "silent" in english(ear.faults[0][0]) and ear.faults[0][1] is False
    assert "heard again" in english(ear.faults[1][0]) and ear.faults[1][1] is True


def test_pauses_of_a_card_that_gives_zeros_between_words_are_no_fault(
    hand: Hand, ear: UtteranceDetector
) -> None:
    def silence(blocks: int) -> None:
        for _ in range(blocks):
            hand.give(np.zeros(BLOCK, np.int16))
            ear.until(lambda: len(ear.mic._queue) == 0)

    for blocks in (100, 299, 50):
        hand.give(NOISE)
        silence(blocks)
    assert ear.faults == []
    silence(300)
    ear.until(lambda: len(ear.faults) == 1)
    hand.give(NOISE)
    ear.until(lambda: len(ear.faults) == 2)
    silence(599)
    ear.until(lambda: len(ear.mic._queue) == 0)
    assert len(ear.faults) == 2
    silence(2)
    ear.until(lambda: len(ear.faults) == 3)


def test_sound_that_comes_late_is_left_out_until_it_is_in_time_again(
    hand: Hand, ear: UtteranceDetector
) -> None:
    for _ in range(5):
        hand.give(NOISE)
    ear.until(lambda: len(ear.blocks) == 5)
    hand.give(NOISE, late=3.0)
    ear.until(lambda: ear.mic.dropped == 1)
    assert ear.mic.lag() == pytest.approx(3.0, abs=0.1)
    for _ in range(29):  # the device had buffered the three seconds, and now gives them at once
        hand.take(NOISE, MIC_RATE, 1)
    ear.until(lambda: ear.mic.dropped + len(ear.blocks) == 35)
    assert 10 < ear.mic.dropped < 20
    assert [back for _, back in ear.faults] == [False, True]


def test_a_device_that_was_away_for_an_hour_is_not_late(hand: Hand, ear: UtteranceDetector) -> None:
    hand.give(NOISE, opening=1)
    hand.give(NOISE, opening=2, late=3600.0)
    ear.until(lambda: len(ear.blocks) == 2)
    assert ear.mic.dropped == 0


def test_a_clock_that_is_not_quite_ours_is_not_late(hand: Hand, ear: UtteranceDetector) -> None:
    for number in range(20_000):
        hand.give(NOISE, late=0.00005)
        if number % 20 == 0:
            ear.until(lambda: len(ear.mic._queue) == 0)
    ear.until(lambda: len(ear.mic._queue) == 0)
    assert ear.mic.dropped == 0 and ear.mic.lag() < 0.2


def test_a_listener_that_is_busy_costs_old_sound_and_no_memory(hand: Hand) -> None:
    blocks: list[Pcm] = []

    def busy(block: Pcm) -> None:
        time.sleep(0.3)
        blocks.append(block)

    mic = Mic(hand, hand, busy, lambda _text, _back: None)
    for _ in range(100):
        hand.give(NOISE)
    assert mic.dropped >= 58
    mic.close()
    assert len(blocks) < 5


def test_a_listener_that_fails_is_told_and_hears_the_next_block(hand: Hand) -> None:
    faults: list[SoundError] = []
    blocks: list[Pcm] = []

    def listen(block: Pcm) -> None:
        blocks.append(block)
        if len(blocks) == 1:
            raise ZeroDivisionError

    mic = Mic(hand, hand, listen, lambda fault, _back: faults.append(fault))
    hand.give(NOISE)
    hand.give(NOISE)
    end = time.monotonic() + limit(5)
    while len(blocks) < 2 and time.monotonic() < end:
        time.sleep(0.005)
    mic.close()
    assert len(blocks) == 2
    assert [(f.code, f.fields) for f in faults] == [
        (FaultCode.SOUND_NOT_TAKEN, {"kind": "ZeroDivisionError"})
    ]


def test_a_recording_gets_every_block_also_those_that_come_too_late_or_last(hand: Hand) -> None:
    understood: list[int] = []
    recorded: list[int] = []
    held = threading.Event()

    def slow(block: Pcm) -> None:
        held.wait()
        understood.append(int(block[0]))

    mic = Mic(hand, hand, slow, lambda *_: None, every=lambda b: recorded.append(int(b[0])))
    for number in range(1, 11):
        late = 30.0 if number == 5 else 0.0
        hand.give(np.full(BLOCK, number, np.int16), late=late)
    closing = threading.Thread(target=mic.close)
    closing.start()
    while hand.live:
        time.sleep(0.001)
    time.sleep(0.01)  # it is waiting for what the device has given already
    held.set()
    closing.join()
    assert recorded == list(range(1, 11))
    assert 5 not in understood and len(understood) < 10
