"""Games where the sound system lacks devices, ends who asks it, or refuses the usual rates."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from narrator.adapters.sound.portaudio import Devices
from narrator.ports.audio import SPEAKER_RATE
from narrator.ports.errors import SoundError
from tests.device.desk import Desk, tone, until
from tests.patience import limit
from tests.told import english
from tests.virtual_table import portaudio

pytestmark = pytest.mark.device

ROOT = Path(__file__).resolve().parents[2]
LINES = 20
SCRIPT = """narrator: 1
title: Many lines
players: {{min: 1, max: 6}}
phases:
  a:
    steps:
{}
"""


def shown(tmp_path: Path, **env: str) -> tuple[int, list[str]]:
    """Play a game of many short lines with sound, and return its exit code and what was shown."""
    script = tmp_path / "many.yaml"
    steps = "\n".join(f"      - say: Line {number}." for number in range(LINES))
    script.write_text(SCRIPT.format(steps))
    done = subprocess.run(
        [
            *(sys.executable, "-m", "narrator.cli.main", "play", str(script)),
            *("--players", "Ana", "--new"),
        ],
        env={**os.environ, "NARRATOR_RATE": "450", **env},
        cwd=ROOT,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=limit(240),
        check=False,
    )
    return done.returncode, done.stderr.splitlines()


def test_without_any_device_every_line_is_shown(tmp_path: Path) -> None:
    nowhere = {"PULSE_SERVER": "unix:/nowhere", "XDG_RUNTIME_DIR": str(tmp_path)}
    code, lines = shown(tmp_path, **nowhere)
    assert code == 0
    assert [line for line in lines if line.startswith("Line")] == [
        f"Line {number}." for number in range(LINES)
    ]
    assert len([line for line in lines if "No loudspeaker was found" in line]) == 1


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="ALSA is Linux's.")
def test_a_sound_system_that_ends_its_users_does_not_end_the_game(tmp_path: Path) -> None:
    code, lines = shown(tmp_path, ALSA_CONFIG_PATH="/dev/null")
    assert code == 0
    assert len([line for line in lines if line.startswith("Line")]) == LINES
    assert any("sound system" in line for line in lines)


def test_a_sound_system_that_never_answers_does_not_hold_the_game(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The child that asks is left alone after a while."""
    (tmp_path / "sounddevice.py").write_text("import time\ntime.sleep(100)\n")
    monkeypatch.setattr("narrator.adapters.sound.probe._PATIENCE", 0.5)
    monkeypatch.setattr(Devices, "_harmless", False)
    monkeypatch.syspath_prepend(str(tmp_path))
    faults: list[SoundError] = []
    begun = time.monotonic()
    stream = Devices().output(
        None, SPEAKER_RATE, lambda count, rate, delay: tone(1, rate)[:count],
        lambda fault, back: faults.append(fault),
    )  # fmt: skip
    until(lambda: bool(faults))
    stream.close()
    assert "does not answer" in english(faults[0])
    assert time.monotonic() - begun < 20


@pytest.mark.parametrize("only", [44_100, 48_000])
def test_a_card_that_opens_at_one_rate_only_is_opened_at_it(
    desk: Desk, monkeypatch: pytest.MonkeyPatch, only: int
) -> None:
    """Its default rate, and its word that it takes others, are both wrong."""
    sound = portaudio()
    real = sound.OutputStream

    class Picky(real):  # type: ignore[misc, valid-type]
        def __init__(self, **settings: Any) -> None:
            if settings["samplerate"] != only:
                raise sound.PortAudioError("Invalid sample rate", -9997)
            super().__init__(**settings)

    monkeypatch.setattr(sound, "OutputStream", Picky)
    rates: list[int] = []

    def fill(count: int, rate: int, delay: float) -> Any:
        rates.append(rate)
        return tone(1, rate)[:count]

    stream = Devices().output("vt_app", SPEAKER_RATE, fill, lambda message, back: None)
    until(lambda: stream.live)
    stream.close()
    assert set(rates) == {only}
