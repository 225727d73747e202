"""Rate, channels, rumble and level, measured on sounds whose answer is known."""

import numpy as np
import pytest

from narrator.listening.front_end import QUIET, FrontEnd, LevelMeter, decibels

pytestmark = pytest.mark.unit


def tone(hertz, rate=16_000, seconds=1.0, level=8000):
    return (level * np.sin(2 * np.pi * hertz * np.arange(int(rate * seconds)) / rate)).astype(
        np.int16
    )


def run(front, sound, size):
    parts = [front.feed(sound[at : at + size]) for at in range(0, len(sound), size)]
    return np.concatenate([*parts, front.feed(sound[:0], last=True)])


def peak_hertz(sound):
    return (
        np.argmax(np.abs(np.fft.rfft(sound.astype(float) * np.hanning(len(sound)))))
        * 16_000
        / len(sound)
    )


@pytest.mark.parametrize("rate", [8_000, 16_000, 22_050, 44_100, 48_000])
@pytest.mark.parametrize("channels", [1, 2])
def test_any_rate_and_channel_count_gives_the_same_tone(rate, channels):
    mono = tone(1000, rate)
    sound = np.repeat(mono, channels).reshape(-1, channels) if channels > 1 else mono
    heard = run(FrontEnd(rate, channels), sound, rate // 10)
    assert len(heard) == pytest.approx(16_000, abs=400)
    assert peak_hertz(heard[1000:-1000]) == pytest.approx(1000, abs=3)
    assert decibels(heard[1000:-1000]) == pytest.approx(decibels(mono), abs=0.3)


def test_the_size_of_blocks_does_not_matter():
    sound = tone(300) + tone(50)
    assert np.array_equal(run(FrontEnd(), sound, 1600), run(FrontEnd(), sound, 701))


@pytest.mark.parametrize(("hertz", "loss"), [(20, 25), (30, 15)])
def test_rumble_is_taken_out(hertz, loss):
    heard = run(FrontEnd(), tone(hertz), 1600)
    assert decibels(heard[2000:]) < decibels(tone(hertz)) - loss


@pytest.mark.parametrize("hertz", [200, 440, 3000])
def test_voices_pass(hertz):
    heard = run(FrontEnd(), tone(hertz), 1600)
    assert decibels(heard[2000:]) == pytest.approx(decibels(tone(hertz)), abs=0.6)


def test_silence_stays_digital_silence_and_full_scale_does_not_wrap():
    assert not run(FrontEnd(), np.zeros(16_000, np.int16), 1600).any()
    square = np.where(tone(500) >= 0, 32767, -32768).astype(np.int16)
    heard = run(FrontEnd(), square, 1600)[500:]
    assert np.mean(np.sign(heard) == np.sign(square[300 : 300 + len(heard)])) > 0.95


def test_decibels():
    assert decibels(np.zeros(100, np.int16)) == QUIET
    assert decibels(np.zeros(0, np.int16)) == QUIET
    assert decibels(tone(1000, level=32767)) == pytest.approx(-3.01, abs=0.05)


def test_the_room_is_measured_between_words_and_a_bang_is_not_the_room():
    meter = LevelMeter()
    room, voice, bang = tone(500, level=30), tone(500, level=9000), tone(500, level=30000)
    for _ in range(20):
        meter.feed(room, speech=False)
    meter.feed(voice, speech=True)
    assert meter.level == pytest.approx(decibels(voice))
    meter.feed(bang, speech=False)
    assert meter.noise == pytest.approx(decibels(room), abs=1)
