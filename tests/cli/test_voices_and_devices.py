"""`narrator voices` and `narrator devices` list what is there, for people and for programs."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest

from narrator.adapters.sound.device import Device
from narrator.adapters.sound.portaudio import Devices
from narrator.cli.main import main
from narrator.ports.errors import SoundError
from narrator.ports.faults import FaultCode

pytestmark = pytest.mark.unit

DESK = [Device(0, "Desk", 2, 2, 48_000), Device(1, "Headset", 0, 2, 44_100)]


@pytest.fixture(autouse=True)
def desk(monkeypatch: pytest.MonkeyPatch, own_folders: object) -> Iterator[list[Device]]:
    """Put known devices in place of this computer's; nothing is opened here."""
    devices = [*DESK]

    def default(_self: Devices, there: list[Device], kind: str) -> Device:
        for device in there:
            if device.can(kind):  # type: ignore[arg-type]
                return device
        raise SoundError(FaultCode.NO_DEVICE, device="microphone")

    monkeypatch.setattr(Devices, "all", lambda _self: devices)
    monkeypatch.setattr(Devices, "_default", default)
    yield devices


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    with pytest.raises(SystemExit) as ended:
        main([*arguments])
    out, err = capsys.readouterr()
    return int(ended.value.code or 0), out, err


def test_devices_are_listed_and_what_is_used_is_marked(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NARRATOR_SPEAKER", "head")
    code, out, _ = run(capsys, "devices")
    assert code == 0
    assert out.splitlines() == [
        "  0  Desk: records and plays at 48000 samples a second, used as microphone",
        "  1  Headset: plays at 44100 samples a second, used as loudspeaker",
    ]
    rows = json.loads(run(capsys, "devices", "--json")[1])
    assert [(r["name"], r["microphone"], r["loudspeaker"]) for r in rows] == [
        ("Desk", True, False),
        ("Headset", False, True),
    ]


def test_without_devices_it_says_what_to_do(
    capsys: pytest.CaptureFixture[str], desk: list[Device]
) -> None:
    desk.clear()
    assert run(capsys, "devices", "--json")[:2] == (0, "[]\n")
    assert "plug one in" in run(capsys, "devices")[1]


@pytest.mark.engine
def test_voices_are_listed_by_language(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys, "voices", "--language", "en", "--json")
    infos = json.loads(out)
    assert code == 0 and len(infos) > 3
    assert all(info["language"].split("-")[0] == "en" for info in infos)
    plain = run(capsys, "voices", "--language", "en")[1].splitlines()
    assert len(plain) == len(infos) and plain[0].startswith(infos[0]["id"])


@pytest.mark.engine
def test_a_language_without_a_voice_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = run(capsys, "voices", "--language", "xx")
    assert (code, out) == (4, "")
    assert "There is no voice for xx." in err
