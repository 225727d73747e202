"""The front end against a reference written out here, formula by formula."""

import cmath
import math

import numpy as np
import pytest

from narrator.adapters.recognisers.whisper.features import log_mel, window

pytestmark = pytest.mark.unit


def reference_filters():
    def hertz(mel):
        return mel * 200 / 3 if mel < 15 else 1000 * math.exp((mel - 15) * math.log(6.4) / 27)

    top = 15 + math.log(8) / (math.log(6.4) / 27)
    edges = [hertz(top * n / 81) for n in range(82)]
    filters = np.zeros((80, 201))
    for band in range(80):
        low, middle, high = edges[band : band + 3]
        for k in range(201):
            f = k * 40.0
            rise, fall = (f - low) / (middle - low), (high - f) / (high - middle)
            filters[band, k] = max(0.0, min(rise, fall)) * 2 / (high - low)
    return filters


def reference_column(sound, column):
    """One column by the definition of the discrete Fourier transform."""
    padded = [*sound[200:0:-1], *sound, *sound[-2:-202:-1]]
    at = column * 160
    frame = [padded[at + n] * (0.5 - 0.5 * math.cos(2 * math.pi * n / 400)) for n in range(400)]
    power = [
        abs(sum(x * cmath.exp(-2j * math.pi * k * n / 400) for n, x in enumerate(frame))) ** 2
        for k in range(201)
    ]
    return np.log10(np.maximum(reference_filters() @ power, 1e-10))


def test_log_mel_equals_the_definition():
    time = np.arange(1600) / 16_000
    sound = (0.3 * np.sin(2 * np.pi * 440 * time) + 0.1 * np.cos(9000 * time**2)).astype(np.float32)
    columns = np.array([reference_column(sound.tolist(), n) for n in range(10)]).T
    columns = (np.maximum(columns, columns.max() - 8) + 4) / 4
    found = log_mel(sound)
    assert found.shape == (80, 10)
    assert found.dtype == np.float32
    assert np.abs(found - columns).max() < 2e-3


def test_a_clip_without_a_pause_is_not_padded_with_its_vowel():
    vowel = (3000 * np.sin(np.arange(8000) * 0.3)).astype(np.int16)
    made = window(vowel, 4.0)
    assert 0.001 < np.abs(made[-16_000:]).max() < 0.01


def test_a_window_levels_and_pads_with_noise_of_its_own_kind():
    quiet = (20 * np.sin(np.arange(8000) * 1.7)).astype(np.int16)
    loud = (3000 * np.sin(np.arange(8000) * 0.3)).astype(np.int16)
    made = window(np.concatenate([quiet, loud, quiet]), 4.0)
    assert len(made) == 64_000
    assert np.abs(made).max() == pytest.approx(0.4, abs=0.01)
    room = np.sqrt(np.mean(made[-16_000:] ** 2))
    assert room == pytest.approx(20 / 3000 * 0.4 / np.sqrt(2), rel=0.2)
    assert np.array_equal(made, window(np.concatenate([quiet, loud, quiet]), 4.0))


@pytest.mark.parametrize("length", [1, 399, 400, 1600])
def test_short_sounds_and_silence_make_a_window_too(length):
    made = window(np.zeros(length, np.int16), 4.0)
    assert len(made) == 64_000 and not made.any()
    assert np.isfinite(log_mel(window(np.full(length, 50, np.int16), 4.0))).all()


def test_a_long_sound_is_not_cut():
    assert len(window(np.ones(80_000, np.int16), 4.0)) == 80_000
