"""The picture of a recording shows its tones at their heights and its captions at their times."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from narrator.adapters.sound.files import write
from narrator.ports.audio import SPEAKER_RATE
from tools import picture

pytestmark = pytest.mark.unit

ROOT = Path(__file__).parents[2]


def tone(hertz: float, seconds: float, level: float = 8000.0) -> np.ndarray:
    moments = np.arange(round(seconds * SPEAKER_RATE)) / SPEAKER_RATE
    return np.rint(level * np.sin(2 * np.pi * hertz * moments)).astype(np.int16)


@pytest.mark.parametrize("hertz", [200, 1000, 4000])
def test_a_tone_is_bright_at_its_height_and_silence_is_dark(hertz: float) -> None:
    sound = np.concatenate([tone(hertz, 2.0, 300), np.zeros(2 * SPEAKER_RATE, np.int16)])
    bright = picture.spectrogram(sound).astype(int).sum(axis=2)
    heights = np.geomspace(picture.HIGHEST, picture.LOWEST, picture.SPECTRUM)
    left = bright[:, 100 : picture.WIDTH // 2 - 20].mean(axis=1)
    assert abs(np.log(heights[int(np.argmax(left))] / hertz)) < 0.12
    assert bright[:, picture.WIDTH // 2 + 20 :].max() < 100


def test_it_is_written_beside_the_recording_with_its_captions(tmp_path: Path) -> None:
    file = tmp_path / "night.wav"
    write(file, tone(500, 6.0), SPEAKER_RATE)
    (tmp_path / "night.vtt").write_text(
        "WEBVTT\n\n00:00:01.500 --> 00:01:02.000\n<v Narrator>All eyes\nclosed.\n", encoding="utf-8"
    )
    (caption,) = picture.captions(file.with_suffix(".vtt"))
    assert (caption.begin, caption.end, caption.text) == (1.5, 62.0, "Narrator: All eyes closed.")
    done = subprocess.run(
        [sys.executable, "tools/picture.py", str(file), "--begin", "1", "--seconds", "3"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    with Image.open(done.stdout.strip()) as image:
        assert image.width == picture.LEFT + picture.WIDTH + picture.RIGHT
        assert len(image.getcolors(1 << 24) or ()) > 50


def test_a_file_that_is_none_and_a_part_that_is_empty_are_told(tmp_path: Path) -> None:
    file = tmp_path / "short.wav"
    write(file, tone(500, 1.0), SPEAKER_RATE)
    for words, told in (([str(tmp_path / "no.wav")], "There is no file"),
                        ([str(file), "--begin", "9"], "too little sound")):  # fmt: skip
        done = subprocess.run([sys.executable, "tools/picture.py", *words], cwd=ROOT,
                              capture_output=True, text=True, check=False)  # fmt: skip
        assert done.returncode == 1 and told in done.stderr and "Traceback" not in done.stderr
