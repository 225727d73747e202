"""What was played is found again in what was heard, although two devices count two clocks."""

from __future__ import annotations

import numpy as np
import pytest

from narrator.listening.echo import Counted, EchoFilter, FarEnd, likeness
from narrator.ports.audio import BLOCK, MIC_RATE, SPEAKER_RATE, Pcm

pytestmark = pytest.mark.unit
CHANCE = np.random.default_rng(3)
SECOND = 10


def noise(samples: int, level: int = 3000) -> Pcm:
    return CHANCE.normal(0, level, samples).astype(np.int16)


class Subtract:
    """A canceller for a room without delay: enough to see what it is given."""

    frame = 160

    def __init__(self) -> None:
        self.far: list[Pcm] = []

    def cancel(self, near: Pcm, far: Pcm) -> Pcm:
        self.far.append(far)
        return near


def play(far: FarEnd, sound: Pcm, begin: float, rate: int = MIC_RATE) -> None:
    for at in range(0, len(sound), rate // 20):
        far.played(sound[at : at + rate // 20], rate, begin + at / rate)


def lag_of(given: Pcm, played: Pcm, among: int = 4000) -> int:
    """Return how many samples what was given is ahead of what was played."""
    part = played[2 * MIC_RATE : 2 * MIC_RATE + 800].astype(float)
    places = range(2 * MIC_RATE - among, 2 * MIC_RATE + among)
    return 2 * MIC_RATE - max(places, key=lambda p: float(part @ given[p : p + 800]))


@pytest.mark.parametrize("early", [0.0, 0.7])
def test_the_canceller_is_given_what_was_played_a_little_ahead_of_its_echo(early: float) -> None:
    """The loudspeaker's stream began before the microphone's, as it does at a table."""
    far, canceller = FarEnd(), Subtract()
    echo = EchoFilter(far, canceller)
    sound = noise(4 * MIC_RATE)
    play(far, sound, 5.0 - early)
    for n in range(3 * SECOND):
        echo.clean(noise(BLOCK, 20), 5.0 + (n + 1) / SECOND)
    heard_at = np.concatenate(canceller.far)
    ahead = lag_of(heard_at, sound[round(early * MIC_RATE) :])
    assert 0 < ahead < 0.15 * MIC_RATE


def test_another_rate_of_the_device_changes_nothing() -> None:
    far, canceller = FarEnd(), Subtract()
    echo = EchoFilter(far, canceller)
    seconds = np.arange(4 * SPEAKER_RATE) / SPEAKER_RATE
    play(far, (3000 * np.sin(2 * np.pi * 500 * seconds)).astype(np.int16), 0.0, SPEAKER_RATE)
    for n in range(2 * SECOND):
        echo.clean(noise(BLOCK, 20), (n + 1) / SECOND)
    given = np.concatenate(canceller.far)[MIC_RATE:]
    strongest = np.argmax(np.abs(np.fft.rfft(given))) * MIC_RATE / len(given)
    assert strongest == pytest.approx(500, abs=2)


def test_moments_that_jitter_do_not_move_the_streams_against_each_other() -> None:
    far, canceller = FarEnd(), Subtract()
    echo = EchoFilter(far, canceller)
    sound = noise(8 * MIC_RATE)
    sound[: 2 * MIC_RATE] = 0  # nobody speaks at once
    for n in range(8 * 20):
        late = 0.04 * CHANCE.random()
        far.played(sound[n * 800 : (n + 1) * 800], MIC_RATE, (n + 2) / 20 + late)
        if n % 2:
            echo.clean(noise(BLOCK, 20), (n + 1) / 20 + 0.05 * CHANCE.random())
    given = np.concatenate(canceller.far).astype(float)
    for begin in range(3 * MIC_RATE, 7 * MIC_RATE, MIC_RATE):
        part = sound[begin - 1600 : begin - 800].astype(float)
        found = [float(part @ given[p : p + 800]) for p in range(begin - 3000, begin + 1000)]
        assert 0 < 3000 - int(np.argmax(found)) < 0.2 * MIC_RATE


def test_a_stream_that_restarts_is_counted_from_zero() -> None:
    counted = Counted()
    assert counted.add(1.0, 1600) and counted.add(1.1, 1600)
    assert counted.samples == 3200 and counted.begin == pytest.approx(1.0)
    assert not counted.add(9.0, 1600), "the device was gone for eight seconds"
    assert counted.samples == 1600 and counted.begin == 9.0


def test_the_room_is_known_only_after_something_was_played() -> None:
    far = FarEnd()
    echo = EchoFilter(far, Subtract())
    for n in range(3 * SECOND):
        echo.clean(noise(BLOCK, 20), (n + 1) / SECOND)
    assert not echo.knows_the_room
    play(far, noise(4 * MIC_RATE), 3.0)
    for n in range(3 * SECOND, 6 * SECOND):
        echo.clean(noise(BLOCK, 20), (n + 1) / SECOND)
    assert echo.knows_the_room


def test_its_own_voice_is_known_at_any_delay_and_a_players_is_not() -> None:
    played, player = noise(3 * MIC_RATE), noise(MIC_RATE // 2)
    echo = (played[9000 : 9000 + MIC_RATE // 2] * 0.4).astype(np.int16)
    found, at = likeness(echo, played)
    assert found > 0.9 and at == 9000
    assert likeness((echo + player // 3).astype(np.int16), played)[0] > 0.5
    assert likeness(player, played)[0] < 0.15
    assert likeness(np.zeros(8000, np.int16), played)[0] == 0.0


def test_a_canceller_that_lost_the_room_has_to_learn_it_again() -> None:
    far = FarEnd()
    echo = EchoFilter(far, Subtract())
    sound = noise(5 * MIC_RATE)
    for n in range(3 * SECOND):
        far.played(sound[n * BLOCK : (n + 1) * BLOCK], MIC_RATE, n / SECOND)
        echo.clean(noise(BLOCK), (n + 1) / SECOND)
    assert echo.knows_the_room and not echo.is_own_voice()
    for n in range(3 * SECOND, 4 * SECOND):
        far.played(sound[n * BLOCK : (n + 1) * BLOCK], MIC_RATE, n / SECOND)
        begin = n * BLOCK - 2400
        echo.clean(sound[begin : begin + BLOCK], (n + 1) / SECOND)
    assert echo.is_own_voice()
    assert not echo.knows_the_room


def test_an_echo_that_comes_early_is_followed_by_what_is_heard_of_it() -> None:
    """A microphone that lost sound: moments tell it late, the echo at once."""
    far, canceller = FarEnd(), Subtract()
    echo = EchoFilter(far, canceller)
    sound, early = noise(8 * MIC_RATE), 3200
    for n in range(6 * SECOND):
        far.played(sound[(n + 4) * BLOCK : (n + 5) * BLOCK], MIC_RATE, (n + 4) / SECOND)
        begin = n * BLOCK + (early if n > 30 else 0)
        echo.clean(sound[begin : begin + BLOCK], (n + 1) / SECOND)
        if n in (37, 44):
            echo.is_own_voice()
    given = np.concatenate(canceller.far).astype(float)
    begin = 55 * BLOCK
    part = sound[begin + early : begin + early + 800].astype(float)
    found = [float(part @ given[p : p + 800]) for p in range(begin - 4000, begin + 4000)]
    assert 0 < 4000 - int(np.argmax(found)) < 0.25 * MIC_RATE
