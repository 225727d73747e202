"""The masking sound: endless without a seam, of one level, and softer only while one listens."""

from __future__ import annotations

from math import gcd

import numpy as np
import pytest

from narrator.audio import masking
from narrator.audio.loudness import loudness
from narrator.audio.masking import COVER, KINDS, CoverKind, make_cover
from narrator.audio.mixer import Mixer, MixerSettings
from narrator.ports.audio import SPEAKER_RATE, Pcm
from narrator.speaking.volumes import DUCKED, Volumes

pytestmark = pytest.mark.unit

EVEN = {"brown": 2.5, "rain": 0.5, "waves": 4.0, "drone": 2.5}
"""LU by which three seconds may differ from the whole."""


def heard(kind: CoverKind | None, seconds: float) -> Pcm:
    mixer = Mixer(MixerSettings(cover=kind))
    mixer.cover(True)
    mixer.read(2 * SPEAKER_RATE)
    return mixer.read(round(seconds * SPEAKER_RATE))


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_has_the_same_level_all_the_time(kind: CoverKind) -> None:
    minute = heard(kind, 60)
    assert loudness(minute) == pytest.approx(COVER, abs=1.0)
    parts = [loudness(part) for part in minute.reshape(20, -1)]
    assert max(abs(part - COVER) for part in parts) < EVEN[kind]


@pytest.mark.parametrize("kind", KINDS)
def test_no_seam_is_heard_where_a_loop_restarts(kind: CoverKind) -> None:
    sound = make_cover(kind)
    for size in masking._SIZES:
        seam = sound.at(size - SPEAKER_RATE // 2, SPEAKER_RATE).astype(float)
        bends = np.abs(np.diff(seam, 2))
        middle = bends[bends.size // 2 - 2 : bends.size // 2 + 2].max()
        assert middle <= bends.max() and middle < 8 * np.median(bends) + 1
        assert np.corrcoef(seam[:-1], seam[1:])[0, 1] > 0.5


@pytest.mark.parametrize("kind", ["brown", "rain", "waves"])
def test_it_does_not_come_round_again_within_minutes(kind: CoverKind) -> None:
    assert gcd(*masking._SIZES) == 1
    wave = make_cover(kind).at(0, 150 * SPEAKER_RATE).astype(float)
    size = 1 << 22
    spectrum = np.fft.rfft(wave, 2 * size)
    similar = np.fft.irfft(np.abs(spectrum) ** 2)[: wave.size]
    overlap = 1 - np.arange(wave.size) / wave.size
    later = (similar / similar[0])[2 * SPEAKER_RATE : 140 * SPEAKER_RATE]
    assert (later / overlap[2 * SPEAKER_RATE : 140 * SPEAKER_RATE]).max() < 0.75


@pytest.mark.parametrize("kind", KINDS)
def test_it_fades_in_and_out_without_a_click_and_is_the_same_for_a_seed(kind: CoverKind) -> None:
    mixer = Mixer(MixerSettings(cover=kind))
    mixer.cover(True)
    begin = mixer.read(2 * SPEAKER_RATE)
    assert np.abs(begin[:220].astype(int)).max() < 600
    mixer.cover(False)
    mixer.read(SPEAKER_RATE + 10)
    assert not mixer.read(1000).any()
    first, again = (make_cover.__wrapped__(kind, 3).at(7, 5000) for _ in range(2))
    assert np.array_equal(first, again)
    assert not np.array_equal(first, make_cover.__wrapped__(kind, 4).at(7, 5000))


def test_it_begins_at_the_level_that_was_set_before(kind: CoverKind = "rain") -> None:
    mixer = Mixer(MixerSettings(cover=kind))
    mixer.volume("cover", 0.1)
    mixer.cover(True)
    mixer.read(SPEAKER_RATE)
    assert loudness(mixer.read(SPEAKER_RATE)) == pytest.approx(COVER - 20, abs=1.0)
    first = Mixer(MixerSettings(cover=kind))
    first.volume("cover", 0.1)
    first.cover(True)
    assert np.abs(first.read(SPEAKER_RATE).astype(int)).max() < 1500


def test_where_it_is_off_nothing_is_heard() -> None:
    assert not heard(None, 1.0).any()


def test_it_is_softer_by_6_db_while_one_listens_and_comes_back_evenly() -> None:
    mixer = Mixer(MixerSettings(cover="rain"))
    volumes = Volumes(mixer)
    mixer.cover(True)
    mixer.read(2 * SPEAKER_RATE)
    whole = loudness(mixer.read(4 * SPEAKER_RATE))
    volumes.duck(True)
    change = mixer.read(2 * SPEAKER_RATE)
    softer = loudness(mixer.read(4 * SPEAKER_RATE))
    assert softer - whole == pytest.approx(20 * np.log10(DUCKED), abs=0.5)
    pieces = np.sqrt((change.reshape(50, -1).astype(float) ** 2).mean(axis=1))
    assert (pieces[1:] / pieces[:-1]).min() > 0.7
    volumes.duck(False)
    mixer.read(2 * SPEAKER_RATE)
    assert loudness(mixer.read(4 * SPEAKER_RATE)) == pytest.approx(whole, abs=0.5)


def test_cues_and_masking_sound_can_be_turned_off_by_steps_and_on_again_and_the_voice_cannot() -> (
    None
):
    volumes = Volumes(Mixer())
    for _ in range(20):
        for bus in ("voice", "cues", "cover"):
            volumes.step(bus, up=False)
    assert volumes["cues"] == volumes["cover"] == 0.0
    assert volumes["voice"] == 0.1
    volumes.step("cues", up=True)
    assert volumes["cues"] > 0
    for _ in range(30):
        volumes.step("voice", up=True)
    assert volumes["voice"] == 2.0
