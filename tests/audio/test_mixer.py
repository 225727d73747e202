"""The mixer places every sample, reports every end once, and never clicks or clips."""

from __future__ import annotations

import numpy as np
import pytest

from narrator.audio.cues import CUES, cue
from narrator.audio.mixer import Mixer, MixerSettings
from narrator.ports.audio import SPEAKER_RATE, Clip, Pcm, Played

pytestmark = pytest.mark.unit

AWAKE = MixerSettings(lead_in=0.0)


def tone(seconds: float, level: int = 8000) -> Pcm:
    moments = np.arange(round(seconds * SPEAKER_RATE))
    return np.rint(level * np.cos(2 * np.pi * 440 * moments / SPEAKER_RATE)).astype(np.int16)


def flat(count: int, level: int = 1000) -> Pcm:
    return np.full(count, level, np.int16)


def table(settings: MixerSettings = AWAKE) -> tuple[Mixer, list[Played]]:
    ends: list[Played] = []
    mixer = Mixer(settings)
    mixer.on_played(ends.append)
    return mixer, ends


def test_a_clip_is_heard_unchanged_and_reported_with_its_last_sample() -> None:
    mixer, ends = table()
    clip = tone(0.1)
    mixer.play(Clip(7, clip))
    assert np.array_equal(mixer.read(clip.size - 1), clip[:-1])
    assert ends == []
    mixer.read(1)
    assert ends == [Played(7, clip.size / SPEAKER_RATE, complete=True)]
    mixer.read(5000)
    assert len(ends) == 1


@pytest.mark.parametrize("block", [1, 7, 441, 100_000])
def test_queued_clips_follow_each_other_without_a_gap_whatever_the_block(block: int) -> None:
    mixer, ends = table()
    first, second = flat(300, 100), flat(200, 200)
    mixer.play(Clip(1, first))
    mixer.play(Clip(2, second))
    heard = np.concatenate([mixer.read(block) for _ in range(-(-500 // block))])
    assert np.array_equal(heard[:500], np.concatenate([first, second]))
    assert [end.utterance for end in ends] == [1, 2]


def test_a_clip_with_a_place_begins_at_that_sample_and_not_before() -> None:
    mixer, _ = table()
    mixer.play(Clip(1, flat(10), "cues", at=777))
    heard = mixer.read(1000)
    assert np.flatnonzero(heard).tolist() == list(range(777, 787))


def test_a_clip_whose_place_is_past_begins_at_once_and_is_heard_whole() -> None:
    mixer, ends = table()
    mixer.read(500)
    mixer.play(Clip(1, flat(10), at=100))
    assert np.array_equal(mixer.read(10), flat(10))
    assert ends[0].complete


def test_the_buses_sound_together_each_with_its_gain() -> None:
    mixer, _ = table()
    mixer.volume("voice", 0.5)
    mixer.volume("cues", 2.0)
    mixer.read(SPEAKER_RATE)
    mixer.play(Clip(1, flat(50, 1000)))
    mixer.play(Clip(0, flat(50, 300), "cues"))
    assert np.array_equal(mixer.read(50), flat(50, 1100))


def test_a_gain_moves_without_a_step() -> None:
    mixer, _ = table()
    mixer.play(Clip(1, flat(SPEAKER_RATE, 10_000)))
    mixer.read(100)
    mixer.volume("voice", 0.0)
    heard = mixer.read(SPEAKER_RATE // 5).astype(int)
    assert np.abs(np.diff(heard)).max() < 40
    assert heard[-1] == 0


def test_hush_fades_without_a_click_and_reports_what_was_heard() -> None:
    mixer, ends = table()
    mixer.play(Clip(1, flat(SPEAKER_RATE, 10_000)))
    mixer.play(Clip(2, flat(SPEAKER_RATE)))
    mixer.read(1000)
    mixer.hush()
    heard = mixer.read(SPEAKER_RATE // 10).astype(int)
    assert np.abs(np.diff(heard)).max() < 100
    assert not heard[SPEAKER_RATE // 50 :].any()
    assert [end.utterance for end in ends] == [1, 2]
    assert not any(end.complete for end in ends)
    assert 1000 / SPEAKER_RATE < ends[0].seconds < 0.1
    assert ends[1].seconds == 0


def test_hush_leaves_cues_alone_and_the_next_line_begins_at_once() -> None:
    mixer, ends = table()
    mixer.play(Clip(1, flat(5000)))
    mixer.play(Clip(0, flat(3000, 300), "cues"))
    mixer.hush()
    mixer.read(1000)
    mixer.play(Clip(2, flat(100, 5)))
    assert np.array_equal(mixer.read(100), flat(100, 305))
    assert [(end.utterance, end.complete) for end in ends] == [(1, False), (2, True)]


def test_hush_twice_reports_once() -> None:
    mixer, ends = table()
    mixer.play(Clip(1, flat(5000)))
    mixer.hush()
    mixer.hush()
    mixer.read(5000)
    assert len(ends) == 1


def test_a_sleeping_loudspeaker_gets_silence_first_and_a_waking_one_does_not() -> None:
    mixer, _ = table(MixerSettings(lead_in=0.15))
    lead = round(0.15 * SPEAKER_RATE)
    mixer.play(Clip(1, flat(100)))
    mixer.play(Clip(2, flat(100)))
    heard = mixer.read(lead + 200)
    assert not heard[:lead].any()
    assert np.array_equal(heard[lead:], flat(200))
    mixer.read(SPEAKER_RATE)
    mixer.play(Clip(3, flat(100)))
    assert np.array_equal(mixer.read(100), flat(100))
    mixer.read(SPEAKER_RATE * 6)
    mixer.play(Clip(4, flat(100)))
    assert not mixer.read(lead).any()
    assert np.array_equal(mixer.read(100), flat(100))


def test_the_masking_sound_keeps_the_loudspeaker_awake() -> None:
    mixer, _ = table(MixerSettings(lead_in=0.15))
    mixer.cover(True)
    mixer.read(SPEAKER_RATE * 8)
    mixer.play(Clip(1, flat(100, 20_000)))
    assert mixer.read(100).astype(int).min() > 10_000


def test_the_silence_after_the_last_clip_belongs_to_it() -> None:
    mixer, _ = table(MixerSettings(lead_in=0.0, tail=0.2))
    mixer.play(Clip(1, flat(100)))
    mixer.read(100)
    assert not mixer.idle()
    mixer.read(round(0.2 * SPEAKER_RATE))
    assert mixer.idle()


def test_loud_sounds_together_are_turned_down_and_never_wrap_around() -> None:
    mixer, _ = table()
    mixer.volume("voice", 2.0)
    mixer.read(SPEAKER_RATE)
    loud = tone(0.05, 32_000)
    mixer.play(Clip(1, loud))
    mixer.play(Clip(0, loud, "cues"))
    heard = mixer.read(loud.size).astype(int)
    assert np.array_equal(np.sign(heard), np.sign(loud.astype(int)))
    assert 28_000 < np.abs(heard).max() <= 32_767 * 10 ** (-1 / 20)


def test_closing_reports_what_was_still_queued_as_cut() -> None:
    mixer, ends = table()
    mixer.play(Clip(1, flat(100)))
    mixer.read(40)
    mixer.close()
    assert ends == [Played(1, 40 / SPEAKER_RATE, complete=False)]
    assert not mixer.read(100).any()


def test_an_empty_clip_ends_at_once() -> None:
    mixer, ends = table()
    mixer.play(Clip(1, flat(0)))
    mixer.read(1)
    assert ends == [Played(1, 0.0, complete=True)]


def test_the_clock_counts_the_samples_that_were_taken() -> None:
    mixer, _ = table()
    for count in (0, 5, 100, 1):
        mixer.read(count)
    assert mixer.position() == 106


@pytest.mark.parametrize("name", CUES)
def test_a_cue_is_short_and_begins_and_ends_in_silence(name: str) -> None:
    sound = cue(name).astype(int)
    assert 0.05 < sound.size / SPEAKER_RATE < 0.7
    assert abs(sound[0]) < 100 and abs(sound[-1]) < 700
    assert 3000 < np.abs(sound).max() < 12_000


def test_a_held_line_falls_silent_within_a_tenth_of_a_second_and_loses_no_word() -> None:
    ends: list[Played] = []
    mixer = Mixer(MixerSettings(lead_in=0.0))
    mixer.on_played(ends.append)
    ramp = np.arange(1, 6 * SPEAKER_RATE + 1, dtype=np.int32) // 6
    mixer.play(Clip(1, ramp.astype(np.int16)))
    mixer.play(Clip(2, np.full(SPEAKER_RATE, 400, np.int16)))
    heard = [mixer.read(SPEAKER_RATE // 20) for _ in range(60)]
    mixer.hold(True)
    held = [mixer.read(SPEAKER_RATE // 20) for _ in range(40)]
    assert not any(block.any() for block in held[2:])
    assert ends == []
    mixer.hold(False)
    after = np.concatenate([mixer.read(SPEAKER_RATE // 20) for _ in range(120)])
    assert [(end.utterance, end.complete) for end in ends] == [(1, True), (2, True)]
    before = int(np.concatenate(heard).max())
    again = int(after[SPEAKER_RATE // 10])
    assert before - 1.2 * SPEAKER_RATE / 6 < again < before, "it goes on a moment before"


def test_a_line_that_was_held_in_its_first_words_restarts() -> None:
    mixer = Mixer(MixerSettings(lead_in=0.0))
    mixer.play(Clip(1, np.arange(3 * SPEAKER_RATE, dtype=np.int32).astype(np.int16) // 4))
    mixer.read(SPEAKER_RATE)
    mixer.hold(True)
    for _ in range(10):
        mixer.read(SPEAKER_RATE // 20)
    mixer.hold(False)
    assert abs(int(mixer.read(SPEAKER_RATE // 10)[-1])) < SPEAKER_RATE // 30


def test_hush_ends_what_is_held_at_once_and_the_next_line_is_heard() -> None:
    ends: list[Played] = []
    mixer = Mixer(MixerSettings(lead_in=0.0))
    mixer.on_played(ends.append)
    mixer.play(Clip(1, np.full(3 * SPEAKER_RATE, 4000, np.int16)))
    mixer.read(SPEAKER_RATE)
    mixer.hold(True)
    for _ in range(10):
        mixer.read(SPEAKER_RATE // 20)
    mixer.hush()
    mixer.play(Clip(2, np.full(SPEAKER_RATE, 2000, np.int16)))
    after = np.concatenate([mixer.read(SPEAKER_RATE // 20) for _ in range(30)])
    assert [(end.utterance, end.complete) for end in ends] == [(1, False), (2, True)]
    assert after.max() == 2000


def test_cues_and_masking_sound_go_on_while_speech_is_held() -> None:
    mixer = Mixer(MixerSettings(lead_in=0.0))
    mixer.hold(True)
    mixer.read(SPEAKER_RATE // 4)
    mixer.play(Clip(1, np.full(SPEAKER_RATE, 4000, np.int16)))
    mixer.play(Clip(2, np.full(SPEAKER_RATE, 1000, np.int16), "cues"))
    assert mixer.read(SPEAKER_RATE // 2).max() == 1000
