"""Sound files of every make come in as 16 kHz mono."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import soundfile

from narrator.adapters.sound.files import read, write
from narrator.ports.audio import MIC_RATE
from narrator.ports.errors import SoundError
from tests.told import refused

pytestmark = pytest.mark.unit


@pytest.mark.parametrize("rate", [8000, 16_000, 22_050, 44_100, 48_000])
@pytest.mark.parametrize("channels", [1, 2])
@pytest.mark.parametrize(("ending", "subtype"), [("wav", "PCM_16"), ("flac", "PCM_24")])
def test_any_rate_and_channels_keep_length_and_pitch(
    tmp_path: Path, rate: int, channels: int, ending: str, subtype: str
) -> None:
    path = tmp_path / f"tone.{ending}"
    tone = 0.3 * np.sin(2 * np.pi * 440 * np.arange(rate) / rate)
    soundfile.write(path, np.column_stack([tone] * channels), rate, subtype=subtype)
    pcm = read(path)
    assert pcm.dtype == np.int16 and pcm.ndim == 1
    assert pcm.size == pytest.approx(MIC_RATE, abs=2)
    assert np.argmax(np.abs(np.fft.rfft(pcm.astype(float)))) == pytest.approx(440, abs=1)
    assert np.abs(pcm.astype(int)).max() == pytest.approx(9830, rel=0.02)


def test_what_is_written_is_read_unchanged(tmp_path: Path) -> None:
    pcm = np.array([0, 1, -1, 32_767, -32_768, 1234], np.int16)
    write(tmp_path / "new folder" / "a.wav", pcm)
    assert np.array_equal(read(tmp_path / "new folder" / "a.wav"), pcm)


def test_an_empty_file_of_sound_is_empty(tmp_path: Path) -> None:
    write(tmp_path / "a.wav", np.zeros(0, np.int16), 8000)
    assert read(tmp_path / "a.wav").size == 0


def test_what_is_no_sound_is_told_in_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "a.wav").write_text("not a sound")
    with refused(SoundError, match="cannot be read as sound"):
        read(tmp_path / "a.wav")
    with refused(SoundError, match="There is no file"):
        read(tmp_path / "b.wav")
    with refused(SoundError, match="is a folder"):
        read(tmp_path)
    with refused(SoundError, match="cannot be written"):
        write(tmp_path / "a.wav" / "b.wav", np.zeros(1, np.int16))
