"""A sound card made of PulseAudio null sinks: no hardware, no kernel module, no D-Bus.

    vt_speaker  the loudspeaker: the app plays here, the test hears its monitor
    vt_room     the room: what the test plays here, the app's microphone vt_mic hears
    vt_app      ALSA name with the app's loudspeaker and microphone
    vt_test     ALSA name with the test's way into the room and its ears

PortAudio's Linux build mostly knows ALSA only, so the way goes through ALSA's pulse plugin.
"""

from __future__ import annotations

import atexit
import importlib
import os
import shutil
import subprocess
import tempfile
import time
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Any

import pytest

from tests.patience import limit

_SINK = "module-null-sink sink_name={0} rate=48000 channels={1} format=s16le norewinds=1"
_NAMES = """
pcm.vt_app {{ type asym
  playback.pcm {{ type pulse server "{0}" device "vt_speaker" }}
  capture.pcm {{ type pulse server "{0}" device "vt_mic" }}
  hint {{ show on description "app: loudspeaker and microphone" }} }}
pcm.vt_test {{ type asym
  playback.pcm {{ type pulse server "{0}" device "vt_room" }}
  capture.pcm {{ type pulse server "{0}" device "vt_speaker.monitor" }}
  hint {{ show on description "test: room and ears" }} }}
"""


class VirtualTable:
    """One PulseAudio server in a folder of its own; use it as a context manager."""

    def __init__(self) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="virtual-table-"))
        self._socket = self.folder / "pulse.sock"
        self._server: subprocess.Popen[bytes] | None = None
        self._before: dict[str, str | None] = {}
        atexit.register(self.stop)

    def env(self) -> dict[str, str]:
        """Return what a process needs in its environment to sit at this table."""
        return {
            "XDG_RUNTIME_DIR": str(self.folder / "run"),
            "PULSE_SERVER": f"unix:{self._socket}",
            "ALSA_CONFIG_PATH": f"/usr/share/alsa/alsa.conf:{self.folder / 'alsa.conf'}",
        }

    def start(self, leak_db: float | None = None) -> None:
        """Start the server; with `leak_db`, the loudspeaker is heard in the room so much softer."""
        for name in ("run", "home"):
            (self.folder / name).mkdir(mode=0o700, exist_ok=True)
        (self.folder / "alsa.conf").write_text(_NAMES.format(self.env()["PULSE_SERVER"]))
        self._socket.unlink(missing_ok=True)
        self._server = subprocess.Popen(
            self._command(),
            env={**os.environ, **self.env(), "HOME": str(self.folder / "home")},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        self._await_server()
        # As a desktop's sound server has it: else it is the server that runs dry on a busy machine.
        with suppress(AttributeError, OSError):
            os.sched_setscheduler(self._server.pid, os.SCHED_RR, os.sched_param(5))
        self.pactl("set-default-sink", "vt_speaker")
        self.pactl("set-default-source", "vt_mic")
        if leak_db is not None:
            self.leak(leak_db)

    def leak(self, decibels: float) -> None:
        """Let the loudspeaker be heard in the room."""
        module = self.pactl(
            *("load-module", "module-loopback", "source=vt_speaker.monitor", "sink=vt_room"),
            *("latency_msec=10", "adjust_time=0", "remix=yes"),
        ).strip()
        inputs = self.pactl("list", "short", "sink-inputs").splitlines()
        ours = [line.split()[0] for line in inputs if "module-loopback" in line]
        assert module and ours, "the loopback did not appear"
        self.pactl("set-sink-input-volume", ours[-1], f"{decibels}dB")

    def kill(self) -> None:
        """End the server without a goodbye, as a sound system that crashes."""
        if self._server is not None:
            self._server.kill()
            self._server.wait(limit(5))
            self._server = None

    def stop(self) -> None:
        """End the server and remove its folder."""
        self.kill()
        shutil.rmtree(self.folder, ignore_errors=True)
        atexit.unregister(self.stop)

    def pactl(self, *words: str) -> str:
        """Ask the server something."""
        done = subprocess.run(
            ["pactl", *words],
            env={**os.environ, **self.env()},
            capture_output=True,
            text=True,
            timeout=limit(10),
            check=True,
        )
        return done.stdout

    def __enter__(self) -> VirtualTable:
        self.start()
        self._before = {name: os.environ.get(name) for name in self.env()}
        os.environ.update(self.env())
        renew_portaudio()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        at: TracebackType | None,
    ) -> None:
        self.stop()
        for name, value in self._before.items():
            if value is None:
                os.environ.pop(name, None)
            else:
                os.environ[name] = value

    def _command(self) -> list[str]:
        words = "pulseaudio -n --daemonize=no --system=no --exit-idle-time=-1 --use-pid-file=no"
        words += " --high-priority=yes --realtime=yes --disable-shm=yes --log-level=error"
        modules = [
            f"module-native-protocol-unix socket={self._socket} auth-anonymous=1"
            " auth-cookie-enabled=0",
            _SINK.format("vt_speaker", 2),
            _SINK.format("vt_room", 1),
            "module-remap-source source_name=vt_mic master=vt_room.monitor",
        ]
        return words.split() + [word for module in modules for word in ("-L", module)]

    def _await_server(self) -> None:
        end = time.monotonic() + limit(10)
        while time.monotonic() < end:
            try:
                self.pactl("info")
                return
            except subprocess.SubprocessError:
                time.sleep(0.03)
        raise RuntimeError("PulseAudio did not start on the virtual table")


def missing() -> str:
    """Say in one sentence what the virtual table lacks here; empty if nothing."""
    if not shutil.which("pulseaudio") or not shutil.which("pactl"):
        return "No virtual table: PulseAudio is not installed."
    try:
        portaudio()
    except (ImportError, OSError):
        return "No virtual table: PortAudio is not installed."
    return ""


def portaudio() -> Any:
    return importlib.import_module("sounddevice")


def renew_portaudio() -> None:
    """Let PortAudio look for devices again: it does so only when it is initialised."""
    sound = portaudio()
    sound._terminate()
    sound._initialize()


def require() -> None:
    """Skip the test where there can be no virtual table."""
    lacking = missing()
    if lacking:
        pytest.skip(lacking)
