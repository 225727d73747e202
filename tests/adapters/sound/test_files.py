"""Sound files of every make come in as 16 kHz mono."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import soundfile

from narrator.adapters.sound.files import read, write
from narrator.ports.audio import MIC_RATE
from narrator.ports.errors import SoundError
from tests.memory import forget_peak, peak
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


def voice(seconds: float, rate: int = 16_000) -> Any:
    return 0.3 * np.sin(2 * np.pi * 440 * np.arange(int(seconds * rate)) / rate)


def test_channels_that_cancel_one_another_are_heard(tmp_path: Path) -> None:
    tone = voice(1)
    soundfile.write(tmp_path / "a.wav", np.column_stack([tone, -tone]), 16_000)
    assert np.abs(read(tmp_path / "a.wav").astype(int)).max() == pytest.approx(9830, rel=0.02)
    soundfile.write(tmp_path / "b.wav", np.column_stack([tone, 0 * tone, 0 * tone]), 16_000)
    assert np.abs(read(tmp_path / "b.wav").astype(int)).max() > 3000


@pytest.mark.parametrize("size", [0, 0xFFFFFFFF])
def test_a_header_without_a_length_is_mended(tmp_path: Path, size: int) -> None:
    path = tmp_path / "a.wav"
    soundfile.write(path, voice(1), 16_000, subtype="PCM_16")
    whole = read(path)
    data = bytearray(path.read_bytes())
    at = data.index(b"data") + 4
    data[at : at + 4] = size.to_bytes(4, "little")
    data[4:8] = size.to_bytes(4, "little")
    path.write_bytes(bytes(data))
    assert np.array_equal(read(path), whole)


@pytest.mark.parametrize("rate", [1, 1_000, 3_999])
def test_a_rate_that_no_sound_has_is_refused_at_once(tmp_path: Path, rate: int) -> None:
    soundfile.write(tmp_path / "a.wav", np.zeros(48_000), rate)
    with refused(SoundError, match=f"sample rate is {rate} Hz"):
        read(tmp_path / "a.wav")


def test_what_is_no_number_is_silence(tmp_path: Path, recwarn: pytest.WarningsRecorder) -> None:
    odd = voice(1).astype(np.float32)
    odd[100:200], odd[300:400], odd[500:600] = np.inf, np.nan, -np.inf
    soundfile.write(tmp_path / "a.wav", odd, 16_000, subtype="FLOAT")
    pcm = read(tmp_path / "a.wav")
    assert not pcm[100:200].any()
    assert np.abs(pcm.astype(int)).max() == pytest.approx(9830, rel=0.02)
    assert not recwarn.list


def test_days_of_sound_in_a_small_file_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "bomb.flac"
    with soundfile.SoundFile(path, "w", 8_000, 1, subtype="PCM_16") as file:
        for _ in range(62):
            file.write(np.zeros(60 * 8_000, np.int16))
    assert path.stat().st_size < 1_000_000
    forget_peak()
    before = peak()
    with refused(SoundError, match="more than 60 minutes"):
        read(path)
    assert peak() - before < 400


def test_what_never_ends_is_refused() -> None:
    with refused(SoundError, match="a device or a pipe, not a file"):
        read(Path("/dev/zero"))
