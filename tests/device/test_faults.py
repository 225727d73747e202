"""Sound systems that crash, sleep or are not there: a sentence, and the game goes on."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from narrator.adapters.sound.portaudio import Devices
from narrator.audio.mixer import Mixer
from narrator.ports.audio import SPEAKER_RATE, Clip, Pcm
from narrator.ports.errors import SoundError
from narrator.ports.faults import FaultCode
from narrator.speaking.countdown import place
from tests.device.desk import Desk, lasts, together, tone, until
from tests.fresh_process import run_fresh
from tests.told import refused
from tests.virtual_table import renew_portaudio

pytestmark = pytest.mark.device


def test_a_sound_server_that_dies_is_told_and_taken_back_when_it_returns(desk: Desk) -> None:
    blocks: list[Pcm] = []
    speaker, _ = desk.speaker(), desk.mic(blocks)
    until(lambda: len(blocks) > 2)
    desk.table.kill()
    until(lambda: desk.told("loudspeaker stopped") and desk.told("microphone stopped"))
    speaker.play(Clip(1, tone(0.5, SPEAKER_RATE)))
    until(lambda: bool(desk.ends))
    assert desk.ends[0].complete
    desk.table.start()
    until(lambda: desk.told("loudspeaker is back", True) and desk.told("microphone is back", True))
    heard, count = desk.ears(), len(blocks)
    speaker.play(Clip(2, tone(0.5, SPEAKER_RATE)))
    until(lambda: len(desk.ends) == 2 and len(blocks) > count)
    time.sleep(0.4)
    assert lasts(0.5, together(heard))
    assert sum(fault.code == FaultCode.DEVICE_STOPPED for fault, _ in desk.faults) == 2


COUNTDOWN = place([tone(0.3, SPEAKER_RATE) for _ in range(4)], 0.6)


@pytest.mark.parametrize("sound", [COUNTDOWN, tone(2.0, SPEAKER_RATE)], ids=["countdown", "line"])
def test_what_is_under_way_when_the_server_dies_ends_and_the_next_line_sounds(
    desk: Desk, sound: Pcm
) -> None:
    speaker = desk.speaker()
    until(lambda: speaker._stream.live)
    speaker.play(Clip(1, sound))
    time.sleep(0.7)
    desk.table.kill()
    until(lambda: len(desk.ends) == 1)
    assert desk.ends[0].complete
    assert desk.ends[0].seconds * SPEAKER_RATE == pytest.approx(sound.size)
    desk.table.start()
    until(lambda: desk.told("loudspeaker is back", True))
    heard = desk.ears()
    speaker.play(Clip(2, tone(0.5, SPEAKER_RATE)))
    until(lambda: len(desk.ends) == 2)
    time.sleep(0.4)
    assert lasts(0.5, together(heard))


def test_devices_that_sleep_are_noticed_and_taken_back_when_they_wake(desk: Desk) -> None:
    blocks: list[Pcm] = []
    speaker, _ = desk.speaker(), desk.mic(blocks)
    until(lambda: len(blocks) > 2)
    desk.table.pactl("suspend-sink", "vt_speaker", "1")
    desk.table.pactl("suspend-source", "vt_mic", "1")
    until(lambda: desk.told("loudspeaker stopped") and desk.told("microphone stopped"))
    speaker.play(Clip(1, tone(0.3, SPEAKER_RATE)))
    until(lambda: bool(desk.ends))
    desk.table.pactl("suspend-sink", "vt_speaker", "0")
    desk.table.pactl("suspend-source", "vt_mic", "0")
    until(lambda: desk.told("loudspeaker is back", True) and desk.told("microphone is back", True))
    begun = time.monotonic()
    speaker.close()
    assert time.monotonic() - begun < 2


def test_a_sound_server_that_starts_late_is_found_without_a_restart(desk: Desk) -> None:
    desk.table.kill()
    renew_portaudio()
    speaker = desk.speaker()
    until(lambda: desk.told("No loudspeaker was found"))
    speaker.play(Clip(1, tone(0.2, SPEAKER_RATE)))
    until(lambda: bool(desk.ends))
    desk.table.start()
    until(lambda: desk.told("loudspeaker is back", True), 25)


def test_a_device_that_is_plugged_in_later_is_found_and_the_microphone_goes_on(
    desk: Desk,
) -> None:
    blocks: list[Pcm] = []
    desk.mic(blocks)
    until(lambda: len(blocks) > 2)
    desk.speaker("vt_late")
    until(lambda: desk.told("There is no loudspeaker called `vt_late`"))
    names = desk.table.folder / "alsa.conf"
    names.write_text(names.read_text() + names.read_text().replace("vt_app", "vt_late"))
    until(lambda: desk.told("loudspeaker is back", True), 25)
    count = len(blocks)
    until(lambda: len(blocks) > count + 3)
    assert not desk.told("microphone stopped")


def test_a_device_is_found_by_number_name_part_and_default(desk: Desk) -> None:
    devices = Devices()
    by_name = devices.pick("vt_app", "output")
    assert devices.pick("VT_APP", "input") == by_name
    assert devices.pick(by_name.number, "output") == by_name
    assert devices.pick(str(by_name.number), "output") == by_name
    assert devices.pick("t_app", "output") == by_name
    assert devices.pick(None, "input").inputs > 0


@pytest.mark.parametrize(
    ("wanted", "sentence"),
    [
        ("nowhere", "There is no loudspeaker called `nowhere`. Choose one of: .*`vt_app`"),
        (99, "There is no loudspeaker called `99`"),
        (
            "vt_",
            "Several devices are called `vt_`.* Choose one of: `vt_app`, `vt_test`",
        ),
    ],
)
def test_a_device_that_does_not_fit_is_explained(
    desk: Desk, wanted: str | int, sentence: str
) -> None:
    with refused(SoundError, match=sentence):
        Devices().pick(wanted, "output")


def test_what_a_device_would_be_opened_with_can_be_asked(desk: Desk) -> None:
    assert desk.devices.check("vt_app", "output", SPEAKER_RATE) == SPEAKER_RATE
    with refused(SoundError, match="no microphone called"):
        desk.devices.check("nothing", "input", 16_000)


def test_a_mixer_that_stumbles_once_is_told_and_plays_on(desk: Desk) -> None:
    class Stumbling(Mixer):
        stumble = False

        def read(self, count: int) -> Pcm:
            if self.stumble:
                self.stumble = False
                raise ZeroDivisionError
            return super().read(count)

    mixer = Stumbling()
    speaker = desk.speaker(mixer=mixer)
    mixer.stumble = True
    until(lambda: desk.told("loudspeaker stopped"))
    until(lambda: desk.told("loudspeaker is back", True))
    speaker.play(Clip(1, tone(0.2, SPEAKER_RATE)))
    until(desk.ended(1))
    assert desk.ends[0].complete


def test_without_portaudio_the_remedy_is_told_and_time_goes_on(tmp_path: Path) -> None:
    program = """
import sys, time
import ctypes.util
ctypes.util.find_library = lambda name: None
from narrator.adapters.system.clock import SessionClock
from narrator.adapters.sound.portaudio import Devices
from narrator.adapters.sound.speaker import Speaker
from narrator.speaking.countdown import place
from narrator.audio.mixer import Mixer
from narrator.ports.audio import Clip
from tests.told import english
import numpy as np
ends = []
told = []
tell = lambda fault, back: told.append(f"{english(fault)} {back}")
speaker = Speaker(Mixer(), Devices(), SessionClock(), ends.append, tell)
speaker.play(Clip(1, np.ones(100, np.int16)))
end = time.monotonic() + 5
while not (ends and told) and time.monotonic() < end: time.sleep(0.01)
speaker.close()
print(*told, sep="\\n")
print(len(ends), ends[0].complete)
"""
    done = run_fresh(program)
    assert done.stderr == "" and done.returncode == 0
    assert done.stdout.splitlines() == [
        "The sound library PortAudio is not installed."
        " Install it with: apt install libportaudio2. False",
        "1 True",
    ]


def test_the_sound_library_writes_nothing_to_the_terminal(desk: Desk) -> None:
    program = """
import ctypes
from narrator.adapters.sound.portaudio import Devices
Devices().all()
handle, alsa = ctypes.c_void_p(), ctypes.CDLL("libasound.so.2")
print(alsa.snd_pcm_open(ctypes.byref(handle), b"no_such_device", 0, 0) < 0)
"""
    done = run_fresh(program)
    assert (done.stdout, done.stderr) == ("True\n", "")
