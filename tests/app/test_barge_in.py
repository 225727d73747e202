"""The setting that was a switch once, and what a device's name tells."""

from __future__ import annotations

from typing import Any

import pytest

from narrator.adapters.sound.device import Device
from narrator.adapters.sound.portaudio import Devices
from narrator.app.wiring.barge_in import Interrupting, barge_in
from narrator.config.settings import Settings
from narrator.ports.errors import SoundError
from narrator.ports.faults import FaultCode
from tests.told import english

pytestmark = pytest.mark.unit


class Plugged(Devices):
    """One loudspeaker."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self._name = name

    def pick(self, wanted: str | int | None, kind: Any) -> Device:
        if not self._name:
            raise SoundError(FaultCode.NO_DEVICE, device="loudspeaker")
        return Device(0, self._name, 0, 2, 48_000)


@pytest.mark.parametrize(
    ("given", "meant"),
    [(True, "headset"), ("true", "headset"), ("Yes", "headset"), (False, "off"), ("false", "off"),
     ("echo", "echo"), ("auto", "auto"), ("off", "off")],
)  # fmt: skip
def test_a_switch_is_understood_as_well(given: Any, meant: str) -> None:
    assert Settings(barge_in=given).barge_in == meant


@pytest.mark.parametrize(
    ("name", "how"),
    [("USB Headset Analog Stereo", "headset"), ("AirPods Pro", "headset"),
     ("WH-1000 Head-phones", "headset"), ("HDA Intel PCH: ALC295 Analog", "off"),
     ("Headphones", "headset"), ("default", "off"), ("", "off")],
)  # fmt: skip
def test_by_itself_it_is_on_with_a_headset_only(name: str, how: str) -> None:
    assert barge_in(Settings(), Plugged(name)) == how
    assert barge_in(Settings(barge_in="off"), Plugged(name)) == "off"
    assert barge_in(Settings(barge_in="headset"), Plugged(name)) == "headset"


def test_without_the_canceller_it_says_so_and_hears_nothing_while_it_speaks(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(__import__("sys").modules, "livekit.rtc", None)
    told: list[SoundError] = []
    made = Interrupting(Settings(barge_in="echo"), Plugged("default"), told.append)
    assert "narrator[echo]" in english(told[0]) and len(told) == 1
    assert made.echo is None and made.far is None
    assert not made.floor(None).barge_in
