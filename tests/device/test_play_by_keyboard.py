"""`narrator play` as a process of its own, at a table where people type, or cannot be heard."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import time

import pytest

from tests.device.play_process import GAME, QUICK, RIGHT, end, start
from tests.patience import limit

pytestmark = pytest.mark.device

KEYS = [
    "ready", "", "", "", "", "all is well", "done", "done", "done", "we are done", "3",
    "Julia", "oliver", "2", "yes", "julia", "yes",
]  # fmt: skip


def test_the_keyboard_alone_is_enough_through_a_pipe(table):
    fast = {"NARRATOR_RATE": "450"}
    game = start(
        *GAME, *QUICK, "--json", "--keyboard", "--speaker", "vt_app",
        stdin=subprocess.PIPE, env=fast,
    )  # fmt: skip
    told, shown = game.communicate("\n".join(KEYS) + "\n", timeout=limit(200))
    assert game.returncode == 0, shown
    assert json.loads(told)["result"] == RIGHT
    assert "\x1b" not in shown and "\r" not in shown


def test_a_closed_keyboard_without_a_microphone_ends_politely_and_says_what_is_missing(short):
    silent = {"ALSA_CONFIG_PATH": "", "PULSE_SERVER": "unix:/nowhere"}
    game = start(*short, "--no-speech", env=silent)
    told, shown = game.communicate(timeout=limit(90))
    assert game.returncode == 1
    assert told == ""
    assert "No microphone was found." in shown and "please type the answers" in shown
    assert "nobody can answer" in shown.splitlines()[-2]
    assert "To go on: narrator resume" in shown.splitlines()[-1]
    assert "Traceback" not in shown


def test_without_portaudio_every_line_is_shown_and_the_remedy_told(tmp_path, short):
    (tmp_path / "sounddevice.py").write_text("raise OSError('PortAudio library not found')\n")
    game = start(*short, env={"PYTHONPATH": str(tmp_path)})
    _, shown = game.communicate(timeout=limit(90))
    assert game.returncode == 1
    assert "apt install libportaudio2" in shown
    assert "Say ready." in shown
    assert "Traceback" not in shown


def test_without_a_voice_every_line_is_shown_and_the_remedy_told(tmp_path, short):
    for name in ("pyttsx3", "espeakng_loader"):
        (tmp_path / f"{name}.py").write_text(f"raise ImportError('no {name}')\n")
    game = start(*short, "--keyboard", env={"PYTHONPATH": str(tmp_path)})
    _, shown = game.communicate(timeout=limit(90))
    assert game.returncode == 1
    assert shown.count("The speech engine eSpeak NG is not installed.") == 1
    assert "Say ready." in shown
    assert "Traceback" not in shown


def test_space_and_escape_are_enough_on_a_terminal(short):
    pty = pytest.importorskip("pty", reason="There are no pseudo terminals on this system.")
    master, slave = pty.openpty()
    game = start(*short, "--keyboard", "--no-speech", stdin=slave)
    try:
        for key, answer in [
            (b" ", "Paused."),
            (b" ", "Going on."),
            (b"\x1b", "End the game now?"),
            (b"yes\r", "The game is ended."),
        ]:
            time.sleep(0.3)
            os.write(master, key)
            assert await_line(game, answer)
        assert game.wait(limit(10)) == 0
    finally:
        end(game, 1)
        os.close(master)
        os.close(slave)


def await_line(game: subprocess.Popen[str], words: str) -> bool:
    assert game.stderr is not None
    return any(words in line for line in iter(game.stderr.readline, ""))


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupt_ends_the_evening_with_the_documented_code(table, number):
    game = start(*GAME, "--mic", "vt_app", "--speaker", "vt_app", stdin=subprocess.PIPE)
    try:
        assert game.stderr is not None and game.stderr.readline()  # its first line is being spoken
        time.sleep(1)
        game.send_signal(number)
        assert game.wait(limit(10)) == 130
        shown = game.stderr.read()
    finally:
        end(game, 1)
    assert "Traceback" not in shown
