"""The loudspeaker's own arithmetic, at rates that the virtual table never asks for."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator

import numpy as np
import pytest

from narrator.adapters.sound.speaker import Speaker
from narrator.adapters.system.clock import SessionClock
from narrator.audio.mixer import Mixer, MixerSettings
from narrator.ports.audio import SPEAKER_RATE, Clip, FaultCallback, Pcm, Played
from narrator.ports.errors import SoundError
from narrator.ports.faults import FaultCode
from tests.patience import limit

pytestmark = pytest.mark.unit


class Hand:
    """An output whose device is the test: it asks for sound when the test does."""

    live = True

    def output(
        self,
        wanted: str | int | None,
        rate: int,
        fill: Callable[[int, int, float], Pcm],
        fault: FaultCallback,
    ) -> Hand:
        self.fill = fill
        return self

    def close(self) -> None:
        self.live = False


@pytest.fixture
def hand() -> Hand:
    return Hand()


@pytest.fixture
def ends() -> list[Played]:
    return []


@pytest.fixture
def speaker(hand: Hand, ends: list[Played]) -> Iterator[Speaker]:
    mixer = Mixer(MixerSettings(lead_in=0.0))
    made = Speaker(mixer, hand, SessionClock(), ends.append, lambda _text, _back: None)
    yield made
    made.close()


def tone(seconds: float) -> Pcm:
    moments = np.arange(round(seconds * SPEAKER_RATE)) / SPEAKER_RATE
    pcm: Pcm = np.rint(8000 * np.sin(2 * np.pi * 600 * moments)).astype(np.int16)
    return pcm


@pytest.mark.parametrize("rate", [8000, 16_000, 44_100, 48_000, 96_000])
@pytest.mark.parametrize("block", [64, 1000])
def test_a_device_of_another_rate_gets_every_sample_at_its_rate(
    speaker: Speaker, hand: Hand, rate: int, block: int
) -> None:
    speaker.play(Clip(1, tone(1.0)))
    blocks = [hand.fill(block, rate, 0.0) for _ in range(int(1.5 * rate / block))]
    assert {one.size for one in blocks} == {block}
    sound = np.concatenate(blocks).astype(float)
    loud = np.flatnonzero(np.abs(sound) > 3000)
    assert (loud[-1] - loud[0]) / rate == pytest.approx(1.0, abs=0.01)
    spectrum = np.abs(np.fft.rfft(sound))
    assert np.argmax(spectrum) * rate / sound.size == pytest.approx(600, abs=2)
    assert speaker.position() == pytest.approx(1.5 * SPEAKER_RATE, rel=0.05)


def test_an_end_is_told_after_what_the_device_still_holds(
    speaker: Speaker, hand: Hand, ends: list[Played]
) -> None:
    speaker.play(Clip(1, tone(0.01)))
    hand.fill(2000, SPEAKER_RATE, 0.4)
    handed = time.monotonic()
    time.sleep(0.2)
    assert ends == []
    while not ends and time.monotonic() < handed + 5:
        time.sleep(0.005)
    assert len(ends) == 1
    assert time.monotonic() - handed > 0.4


def test_a_listener_that_fails_is_told_and_hears_the_next_end(hand: Hand) -> None:
    faults: list[SoundError] = []
    ends: list[Played] = []

    def listen(end: Played) -> None:
        ends.append(end)
        if len(ends) == 1:
            raise ZeroDivisionError

    made = Speaker(Mixer(), hand, SessionClock(), listen, lambda fault, _back: faults.append(fault))
    for number in (1, 2):
        made.play(Clip(number, tone(0.01)))
        hand.fill(SPEAKER_RATE, SPEAKER_RATE, 0.0)
    end = time.monotonic() + limit(5)
    while len(ends) < 2 and time.monotonic() < end:
        time.sleep(0.005)
    made.close()
    assert len(ends) == 2
    assert [(f.code, f.fields) for f in faults] == [
        (FaultCode.LINE_END_NOT_TAKEN, {"kind": "ZeroDivisionError"})
    ]


def test_a_device_that_is_gone_lets_lines_end_in_their_own_time(
    speaker: Speaker, hand: Hand, ends: list[Played]
) -> None:
    hand.live = False
    speaker.play(Clip(1, tone(0.3)))
    begun = time.monotonic()
    while not ends and time.monotonic() < begun + 5:
        time.sleep(0.005)
    assert ends and ends[0].complete
    assert 0.1 < time.monotonic() - begun


def test_a_device_that_comes_back_while_silence_is_read_loses_no_clip(
    speaker: Speaker, hand: Hand, ends: list[Played]
) -> None:
    for number in range(1, 41):
        speaker.play(Clip(number, tone(0.02)))
    pulling = threading.Event()

    def pull() -> None:
        while not pulling.wait(0.005):
            hand.fill(110, SPEAKER_RATE, 0.0)

    thread = threading.Thread(target=pull)
    thread.start()
    for _ in range(10):
        hand.live = not hand.live
        time.sleep(0.03)
    hand.live = True
    end = time.monotonic() + limit(10)
    while len(ends) < 40 and time.monotonic() < end:
        time.sleep(0.01)
    pulling.set()
    thread.join(limit(2))
    assert [one.utterance for one in ends] == list(range(1, 41))
    assert all(one.complete for one in ends)


@pytest.mark.parametrize("rate", [SPEAKER_RATE, 48_000])
def test_a_clip_is_placed_by_when_it_is_to_be_heard(
    speaker: Speaker, hand: Hand, rate: int
) -> None:
    clock, delay, block = speaker._clock, 0.08, rate // 100
    begun = clock.now()
    blocks: list[tuple[float, Pcm]] = []

    def live(until: float) -> None:
        while clock.now() < until:
            blocks.append((clock.now() + delay, hand.fill(block, rate, delay)))
            time.sleep(max(0.0, begun + len(blocks) * 0.01 - clock.now()))

    live(begun + 0.3)
    moment = clock.now() + 0.25
    speaker.play(Clip(1, tone(0.2), heard_at=moment))
    live(moment + 0.1)
    first = next(i for i, (_, sound) in enumerate(blocks) if np.abs(sound).max() > 3000)
    offset = int(np.argmax(np.abs(blocks[first][1]) > 3000)) / rate
    # Where blocks are asked for late, what the device says of its delay is right on average only.
    even = np.median([at - i * 0.01 for i, (at, _) in enumerate(blocks)])
    assert even + first * 0.01 + offset == pytest.approx(moment, abs=0.02)


def test_an_end_is_told_with_the_moment_at_which_it_was_heard(
    speaker: Speaker, hand: Hand, ends: list[Played]
) -> None:
    speaker.play(Clip(1, tone(0.05)))
    begun = speaker._clock.now()
    hand.fill(round(0.1 * SPEAKER_RATE), SPEAKER_RATE, 0.2)
    end = time.monotonic() + limit(5)
    while not ends and time.monotonic() < end:
        time.sleep(0.01)
    assert ends[0].over is not None
    assert ends[0].over == pytest.approx(begun + 0.3, abs=0.05)
