"""What every player must do: the mixer alone, read as a rehearsal reads it, and the loudspeaker."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator

import numpy as np
import pytest

from narrator.adapters.sound.portaudio import Devices
from narrator.adapters.sound.speaker import Speaker
from narrator.adapters.system.clock import SessionClock
from narrator.audio.mixer import Mixer
from narrator.ports.audio import SPEAKER_RATE, Clip, Played, Player
from tests.patience import limit
from tests.virtual_table import VirtualTable, require

Rig = tuple[Player, list[Played]]


def _read_in_real_time(ends: list[Played]) -> Iterator[Player]:
    mixer, over = Mixer(), threading.Event()
    mixer.on_played(ends.append)

    def read() -> None:
        while not over.wait(0.01):
            mixer.read(SPEAKER_RATE // 100)

    thread = threading.Thread(target=read)
    thread.start()
    yield mixer
    over.set()
    thread.join(limit(2))
    mixer.close()


def _play_on_the_table(ends: list[Played]) -> Iterator[Player]:
    require()
    with VirtualTable():
        speaker = Speaker(
            Mixer(), Devices(), SessionClock(), ends.append, lambda _text, _back: None, "vt_app"
        )
        yield speaker
        speaker.close()


@pytest.fixture(
    params=[
        pytest.param(_read_in_real_time, id="mixer", marks=pytest.mark.unit),
        pytest.param(_play_on_the_table, id="speaker", marks=pytest.mark.device),
    ]
)
def rig(request: pytest.FixtureRequest) -> Iterator[Rig]:
    ends: list[Played] = []
    make: Callable[[list[Played]], Iterator[Player]] = request.param
    for player in make(ends):
        yield player, ends


def clip(utterance: int, seconds: float) -> Clip:
    return Clip(utterance, np.full(round(seconds * SPEAKER_RATE), 500, np.int16))


def until(true: Callable[[], bool]) -> None:
    end = time.monotonic() + limit(10)
    while not true():
        assert time.monotonic() < end, "it did not happen"
        time.sleep(0.005)


def test_a_clip_ends_once_and_complete(rig: Rig) -> None:
    player, ends = rig
    player.play(clip(1, 0.1))
    until(lambda: bool(ends))
    time.sleep(0.2)
    assert [(end.utterance, end.complete) for end in ends] == [(1, True)]
    assert ends[0].seconds == pytest.approx(0.1, abs=0.001)


def test_playing_returns_at_once(rig: Rig) -> None:
    player, _ = rig
    begun = time.monotonic()
    player.play(clip(1, 60))
    assert time.monotonic() - begun < 1


def test_a_second_clip_waits_for_the_first(rig: Rig) -> None:
    player, ends = rig
    begun = player.position()
    player.play(clip(1, 0.2))
    player.play(clip(2, 0.2))
    until(lambda: len(ends) == 2)
    assert [end.utterance for end in ends] == [1, 2]
    assert player.position() - begun >= 0.4 * SPEAKER_RATE


def test_hush_cuts_what_plays_and_drops_what_waits(rig: Rig) -> None:
    player, ends = rig
    player.play(clip(1, 60))
    player.play(clip(2, 60))
    begun = player.position()
    until(lambda: player.position() > begun + SPEAKER_RATE // 4)
    player.hush()
    until(lambda: len(ends) == 2)
    assert [(end.utterance, end.complete) for end in ends] == [(1, False), (2, False)]
    assert 0 < ends[0].seconds < 60
    assert ends[1].seconds == 0


def test_hush_into_silence_is_nothing(rig: Rig) -> None:
    player, ends = rig
    player.hush()
    player.play(clip(1, 0.05))
    until(lambda: bool(ends))
    assert ends[0].complete


def test_fifty_clips_end_once_each_and_in_order(rig: Rig) -> None:
    player, ends = rig
    for number in range(1, 51):
        player.play(clip(number, 0.02))
    until(lambda: len(ends) >= 50)
    assert [end.utterance for end in ends] == list(range(1, 51))
    assert all(end.complete for end in ends)


def test_clips_without_a_number_are_not_told(rig: Rig) -> None:
    player, ends = rig
    player.play(clip(0, 0.02))
    player.play(clip(3, 0.02))
    until(lambda: bool(ends))
    assert [end.utterance for end in ends] == [3]


def test_a_clip_can_be_placed_ahead_on_the_clock(rig: Rig) -> None:
    player, ends = rig
    place = player.position() + SPEAKER_RATE // 2
    player.play(Clip(1, np.full(100, 500, np.int16), "cues", at=place))
    until(lambda: bool(ends))
    assert player.position() >= place + 100


def test_the_clock_goes_on_in_silence(rig: Rig) -> None:
    player, _ = rig
    begun = player.position()
    until(lambda: player.position() > begun + SPEAKER_RATE // 5)


def test_closing_tells_what_was_cut_and_can_be_done_twice(rig: Rig) -> None:
    player, ends = rig
    player.play(clip(1, 60))
    player.play(clip(2, 60))
    player.close()
    player.close()
    assert sorted((end.utterance, end.complete) for end in ends) == [(1, False), (2, False)]
