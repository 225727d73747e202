"""A countdown's words begin on their beats, to the sample."""

from __future__ import annotations

import numpy as np
import pytest

from narrator.ports.audio import SPEAKER_RATE, Pcm
from narrator.speaking.countdown import onset, place

pytestmark = pytest.mark.unit


def word(silence: int, sound: int, level: int = 5000) -> Pcm:
    return np.concatenate([np.zeros(silence, np.int16), np.full(sound, level, np.int16)])


@pytest.mark.parametrize("beat", [0.3, 0.5, 1.0])
def test_every_word_begins_on_its_beat_whatever_silence_it_brings(beat: float) -> None:
    words = [word(0, 900), word(1234, 2000), word(50, 1500), word(7000, 300)]
    piece = place(words, beat)
    for index in range(len(words)):
        start = round(index * beat * SPEAKER_RATE)
        assert piece[start] == 5000
        assert index == 0 or not piece[start - 200 : start].any()


def test_a_word_longer_than_the_beat_is_faded_out_before_the_next() -> None:
    piece = place([word(0, SPEAKER_RATE), word(0, 1000)], 0.5).astype(int)
    start = round(0.5 * SPEAKER_RATE)
    assert not piece[start - 200 : start].any()
    assert np.abs(np.diff(piece[: start - 1])).max() < 100
    assert piece[start] == 5000


def test_the_last_word_is_never_cut() -> None:
    piece = place([word(0, 100), word(0, SPEAKER_RATE * 2)], 0.3)
    assert piece.size == round(0.3 * SPEAKER_RATE) + SPEAKER_RATE * 2


def test_silent_words_and_no_words_make_a_piece_too() -> None:
    assert place([], 1.0).size == 0
    assert onset(np.zeros(10, np.int16)) == 0
    assert place([np.zeros(0, np.int16), word(0, 10)], 1.0)[SPEAKER_RATE] == 5000


def test_a_beat_without_room_for_a_word_is_refused() -> None:
    with pytest.raises(ValueError, match="longer than 50 ms"):
        place([word(0, 10)], 0.05)
