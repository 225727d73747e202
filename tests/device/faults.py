"""What can break in an evening: the sound system, the voice, the disk."""

from __future__ import annotations

import contextlib
import shutil
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

from tests.device.faulty import Fault, Moment
from tests.virtual_table import VirtualTable

# --- the faults of the sound system

STOPPED = (r"loudspeaker stopped", r"loudspeaker is back", r"microphone stopped", r"phone is back")


def kill(table: VirtualTable) -> None:
    table.kill()


def start(table: VirtualTable) -> None:
    table.start()


def suspend(kind: str, name: str, on: bool) -> Callable[[VirtualTable], object]:
    return lambda table: table.pactl(f"suspend-{kind}", name, "1" if on else "0")


def unplug(table: VirtualTable) -> None:
    """Take the device away altogether: it is in no list until it is plugged in again."""
    table.kill()
    table.start()
    names = table.folder / "alsa.conf"
    names.write_text(names.read_text().replace("vt_app", "vt_gone"))


def plug_in(table: VirtualTable) -> None:
    names = table.folder / "alsa.conf"
    names.write_text(names.read_text().replace("vt_gone", "vt_app"))


def unload(table: VirtualTable) -> None:
    """Take loudspeaker and microphone out of a server that runs on: it moves what is played."""
    for line in table.pactl("list", "short", "modules").splitlines():
        if "sink_name=vt_speaker" in line or "source_name=vt_mic" in line:
            table.pactl("unload-module", line.split()[0])


def load(table: VirtualTable) -> None:
    words = "module-null-sink sink_name=vt_speaker rate=48000 channels=2 format=s16le norewinds=1"
    table.pactl("load-module", *words.split())
    table.pactl(
        "load-module", "module-remap-source", "source_name=vt_mic", "master=vt_room.monitor"
    )


def server_dies(at: Moment) -> Fault:
    return Fault(f"the sound server dies and returns while {at}", at, kill, start, STOPPED)


SOUND_FAULTS = (
    server_dies("saying"),
    server_dies("listening"),
    server_dies("counting"),
    Fault(
        "the loudspeaker sleeps and wakes while saying", "saying",
        suspend("sink", "vt_speaker", True), suspend("sink", "vt_speaker", False), STOPPED[:2],
    ),
    Fault(
        "the microphone sleeps and wakes while listening", "listening",
        suspend("source", "vt_mic", True), suspend("source", "vt_mic", False), STOPPED[2:],
    ),
    Fault(
        "the devices are unplugged and plugged in while listening", "listening",
        unplug, plug_in, STOPPED, 8.0,
    ),
    Fault("the devices are taken from a server that runs on", "saying", unload, load),
)  # fmt: skip


# --- the faults of the voice

VOICE_FAULTS = {
    "hangs": r"The voice did not answer in time",
    "dies": r"The voice stopped working",
    "nothing": r"The voice gave no sound",
    "silence": r"The voice gave no sound",
    "endless": r"The voice did not stop after a line",
    "garbage": r"The voice stopped working",
}
"""By the way it fails: what the log must say."""


def faulty_voice(folder: Path, *ways: str, every: int = 4) -> dict[str, str]:
    """Return the variables of a process whose voice fails in these ways, every so many lines."""
    drivers = folder / "pyttsx3" / "drivers"
    drivers.mkdir(parents=True, exist_ok=True)
    (drivers.parent / "__init__.py").touch()
    (drivers / "__init__.py").touch()
    shutil.copy(Path(__file__).with_name("faulty_espeak.py"), drivers / "_espeak.py")
    return {
        "PYTHONPATH": str(folder), "FAULTY_VOICE": ",".join(ways), "FAULTY_EVERY": str(every)
    }  # fmt: skip


@contextlib.contextmanager
def full_disk(folder: Path) -> Iterator[None]:
    """Let a folder lie on a disk with no room left. Raises OSError where none can be mounted."""
    folder.mkdir(parents=True, exist_ok=True)
    words = ["mount", "-t", "tmpfs", "-o", "size=16k", "none", str(folder)]
    if subprocess.run(words, capture_output=True, check=False).returncode:
        raise OSError("no small disk can be mounted here")
    try:
        with contextlib.suppress(OSError):
            (folder / "full").write_bytes(bytes(1 << 16))
        yield
    finally:
        subprocess.run(["umount", "-l", str(folder)], check=True)


UNKEPT = r"cannot be kept"
"""What the log must say where rendered lines find no room."""
