"""What stands around the sound of a file: the room it was recorded in."""

from __future__ import annotations

import numpy as np
import pytest

from narrator.app.hear import among_noise, in_its_room
from narrator.ports.audio import MIC_RATE, Pcm
from narrator.simulation.room import pink

pytestmark = pytest.mark.unit

SILENCE = 0.6
BEFORE, AFTER = int(0.6 * MIC_RATE), int((SILENCE + 0.4) * MIC_RATE)


def level(sound: Pcm) -> float:
    return float(20 * np.log10(np.sqrt(np.mean(sound.astype(float) ** 2))))


def room(loud: float, seconds: float = 2.0) -> np.ndarray:
    return pink(seconds, MIC_RATE, 3).astype(np.float64) * loud


def word(sound: np.ndarray) -> Pcm:
    """Return a room with a tone of 0.5 s in its middle."""
    said = sound.copy()
    tone = 6000 * np.sin(2 * np.pi * 300 * np.arange(MIC_RATE // 2) / MIC_RATE)
    begin = len(said) // 2 - len(tone) // 2
    said[begin : begin + len(tone)] += tone
    return np.rint(said).astype(np.int16)


@pytest.mark.parametrize("loud", [10, 100, 1000])
def test_noise_at_the_ends_of_a_file_goes_on_around_it(loud: int) -> None:
    sound = word(room(loud))
    heard = in_its_room(sound, SILENCE)
    assert len(heard) == BEFORE + len(sound) + AFTER
    assert np.array_equal(heard[BEFORE : BEFORE + len(sound)], sound)
    assert level(heard[:BEFORE]) == pytest.approx(level(sound[: MIC_RATE // 8]), abs=2.5)
    assert level(heard[-AFTER:]) == pytest.approx(level(sound[-MIC_RATE // 8 :]), abs=2.5)


def test_noise_that_is_padded_stops() -> None:
    sound = word(room(1000))
    assert level(among_noise(sound, SILENCE)[-AFTER:]) < level(sound[-MIC_RATE // 8 :]) - 12


def test_a_file_that_was_cut_close_to_a_word_gets_no_noise_as_loud_as_the_word() -> None:
    sound = word(room(10))
    close = sound[MIC_RATE * 3 // 4 + 200 : MIC_RATE * 5 // 4 + 2000]
    assert np.array_equal(in_its_room(close, SILENCE), among_noise(close, SILENCE))


@pytest.mark.parametrize("count", [0, 1, 100, 5000])
def test_the_shortest_and_the_silent_files_are_padded_too(count: int) -> None:
    heard = in_its_room(np.zeros(count, np.int16), SILENCE)
    assert len(heard) == BEFORE + count + AFTER
    assert np.abs(heard).max() < 20
