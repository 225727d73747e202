"""Loudness is measured as BS.1770 says; every voice and cue has one level; nothing clips."""

from __future__ import annotations

import numpy as np
import pytest

from narrator.audio.cues import CUE, CUES, cue
from narrator.audio.loudness import CEILING, SILENT, SPEECH, levelled, loudness, true_peak
from narrator.audio.mixer import Mixer, MixerSettings
from narrator.ports.audio import SPEAKER_RATE, Clip, Pcm
from narrator.ports.speech import Voice
from tools.hearing.afresh import EspeakAfresh

pytestmark = pytest.mark.unit

TEXTS = ("Night. All eyes closed, and nobody moves.", "Vote!")
VOICES = ("", "en-us+f3", "en+whisper", "en+croak", "en+m7")


def sine(hertz: float, level: float, seconds: float, rate: int = 48_000) -> Pcm:
    moments = np.arange(round(seconds * rate)) / rate
    wave = 10 ** (level / 20) * np.sin(2 * np.pi * hertz * moments)
    return np.rint(32767 * wave).astype(np.int16)


def exact_peak(pcm: Pcm) -> float:
    """Measure the true peak in another way than the program does: by the spectrum, 8 times."""
    size = pcm.size + 2000
    fine = np.fft.irfft(np.fft.rfft(pcm / 32768, size), 8 * size) * 8
    return float(20 * np.log10(np.abs(fine).max()))


def recorded(*clips: Clip, voice: float = 1.0, block: int = 441) -> Pcm:
    mixer = Mixer(MixerSettings(lead_in=0.0))
    mixer.volume("voice", voice)
    mixer.read(SPEAKER_RATE // 10)
    for clip in clips:
        mixer.play(clip)
    size = max(clip.pcm.size for clip in clips)
    return np.concatenate([mixer.read(block) for _ in range(size // block + 1)])


def test_a_sine_has_the_loudness_that_the_standard_names() -> None:
    assert loudness(sine(997, 0.0, 3.0), 48_000) == pytest.approx(-3.01, abs=0.02)
    assert loudness(sine(997, -20.0, 3.0), 48_000) == pytest.approx(-23.01, abs=0.02)
    assert loudness(sine(997, -20.0, 3.0, SPEAKER_RATE)) == pytest.approx(-23.01, abs=0.02)


def test_low_tones_count_less_and_high_ones_more() -> None:
    assert loudness(sine(40, -20.0, 3.0), 48_000) < -25.5
    assert loudness(sine(8_000, -20.0, 3.0), 48_000) == pytest.approx(-19.7, abs=0.15)


def test_pauses_do_not_make_a_line_fainter() -> None:
    speech = sine(500, -20.0, 2.0, SPEAKER_RATE)
    with_pause = np.concatenate([speech, np.zeros(3 * SPEAKER_RATE, np.int16), speech])
    assert loudness(with_pause) == pytest.approx(loudness(speech), abs=0.5)


def test_what_is_silent_stays_as_it_is() -> None:
    for silence in (np.zeros(0, np.int16), np.zeros(5000, np.int16), np.ones(5000, np.int16)):
        assert loudness(silence) == SILENT
        assert np.array_equal(levelled(silence), silence)


def test_a_peak_between_the_samples_is_found() -> None:
    swell = np.hanning(8000) * 0.708
    between = np.rint(32768 * swell * np.tile([1, 1, -1, -1], 2000)).astype(np.int16)
    assert np.abs(between).max() < 0.71 * 32768
    assert true_peak(between) == pytest.approx(0.0, abs=0.1)
    assert exact_peak(between) == pytest.approx(0.0, abs=0.1)


@pytest.mark.parametrize("name", VOICES)
def test_every_voice_has_one_level_at_every_rate_and_no_peak_beyond_the_ceiling(name: str) -> None:
    engine = EspeakAfresh()
    for rate in (100, 165, 300):
        for text in TEXTS:
            line = recorded(Clip(1, levelled(engine.render(text, Voice(name, rate=rate)))))
            assert loudness(line) == pytest.approx(SPEECH, abs=1.0)
            assert exact_peak(line) < CEILING


def test_the_volume_is_taken_from_the_level() -> None:
    whole = EspeakAfresh().render(TEXTS[0], Voice())
    assert loudness(levelled(whole, 0.5)) == pytest.approx(SPEECH - 6.02, abs=0.3)
    assert not levelled(whole, 0.0).any()


@pytest.mark.parametrize("name", CUES)
def test_every_cue_has_one_level(name: str) -> None:
    assert loudness(cue(name)) == pytest.approx(CUE, abs=0.3)
    assert exact_peak(cue(name)) < CEILING


@pytest.mark.parametrize("block", [64, 441, 2205])
def test_nothing_clips_however_loud_it_all_is_together(block: int) -> None:
    line = levelled(EspeakAfresh().render(TEXTS[0], Voice()))
    signal = np.tile(cue("time"), 4)
    heard = recorded(Clip(1, line), Clip(0, signal, "cues"), voice=2.0, block=block)
    assert exact_peak(heard) < CEILING
    square = np.where(sine(211, 0.0, 1.0, SPEAKER_RATE) > 0, 1.0, -1.0)
    soft = np.convolve(square, np.hanning(7) / 3, "same")
    noise = np.rint(24_000 * soft * np.linspace(0, 1, square.size)).astype(np.int16)
    assert exact_peak(recorded(Clip(1, noise), voice=2.0, block=block)) < CEILING


def test_what_is_low_enough_passes_unchanged_right_up_to_a_peak() -> None:
    quiet = sine(300, -12.0, 1.0, SPEAKER_RATE)
    assert np.array_equal(recorded(Clip(1, quiet))[: quiet.size], quiet)
    burst = quiet.copy()
    burst[11_000:11_040] = 32767
    heard = recorded(Clip(1, burst))[: quiet.size]
    assert np.array_equal(heard[:10_800], quiet[:10_800])
    assert np.array_equal(heard[11_300:], quiet[11_300:])
