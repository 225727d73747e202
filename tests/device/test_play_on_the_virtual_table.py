"""`narrator play` as a process of its own, at a table where people speak and listen for real."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from narrator.adapters.sound import files
from narrator.app.records import recordings
from narrator.app.wiring.engines import make_recogniser
from narrator.ports.audio import MIC_RATE
from narrator.ports.errors import RecogniserError
from narrator.ports.speech import Voice
from tests.device.people import SimulatedPlayers, Turn
from tests.virtual_table import VirtualTable, require

pytestmark = pytest.mark.device

ROOT = Path(__file__).resolve().parent.parent.parent
GAME = ["one-night-revolution", "--players", "Robert, Julia, Oliver"]
QUICK = [
    "--seed", "7", "--set", "controller=Robert", "--set", "look=4s", "--set", "brief=no",
    "--set", "discussion=60s",
]  # fmt: skip
NIGHT = 3.3
"""Seconds a player takes at night: before three seconds the words do not count."""
NAME = 2.5
"""Seconds that a seat's call may last: the lines before it are longer."""
TURNS = [
    Turn(r"ready|looked", "ready"),
    Turn(r"open|your", "task complete", NIGHT, NAME),
    Turn(r"open|your", "task complete", NIGHT, NAME),
    Turn(r"open|your", "task complete", NIGHT, NAME),
    Turn(r"face down|own token", "task complete", NIGHT),
    Turn(r"take", "done", 2.3),
    Turn(r"take", "done", 2.3),
    Turn(r"take", "done", 2.3),
    Turn(r"hands|early", "we are done"),
    Turn(r"stopping|how many", "three"),
    Turn(r"do you", "I vote for Julia"),
    Turn(r"do you", "I vote for Oliver"),
    Turn(r"do you", "I vote for Julia"),
    Turn(r"right", "yes"),
    Turn(r"who has|informant", "Julia has"),
    Turn(r"right", "yes"),
]
KEYS = [
    "ready", "", "", "", "", "all is well", "done", "done", "done", "we are done", "3",
    "Julia", "oliver", "2", "yes", "julia", "yes",
]  # fmt: skip
RIGHT = {"terminated": ["Julia"], "side": "rebels", "winners": ["Robert", "Oliver"]}


SHORT = """
narrator: 1
title: Short
players: {min: 3, max: 3}
phases:
  only:
    steps:
      - ask: Say ready.
        hear: [ready]
      - wait: 1s
      - say: Well done.
"""


@pytest.fixture
def short(tmp_path: Path) -> list[str]:
    path = tmp_path / "game.yaml"
    path.write_text(SHORT)
    return [str(path), *GAME[1:]]


def start(
    *words: str, stdin: int = subprocess.DEVNULL, env: dict[str, str] | None = None
) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "narrator.cli.main", "play", *words]
    return subprocess.Popen(
        command,
        cwd=ROOT,
        env={**os.environ, **(env or {})},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        stdin=stdin,
    )


@pytest.fixture
def table() -> Iterator[VirtualTable]:
    require()
    with VirtualTable() as made:
        made.leak(-6)
        yield made


def test_a_night_is_played_to_its_end_by_people_who_only_speak_and_listen(table, tmp_path):
    try:
        recogniser = make_recogniser("whisper", "", "en")
    except RecogniserError as fault:
        pytest.skip(f"No English recogniser here: {fault}")
    log, over = tmp_path / "log.jsonl", threading.Event()
    with SimulatedPlayers(recogniser, TURNS, Voice("en-us+f3", rate=140)) as people:
        game = start(
            *GAME, *QUICK, "--json", "--mic", "vt_app", "--speaker", "vt_app",
            "--record-log", str(log),
        )  # fmt: skip
        threading.Thread(target=wait_for, args=(game, over), daemon=True).start()
        people.play(over)
        told, shown = end(game)
    recogniser.close()
    assert game.returncode == 0, (
        f"heard {people.heard}, said {people.said} {people.reactions}, screen {shown}"
    )
    assert json.loads(told)["result"] == RIGHT
    assert answers(log, "keyboard") == 0
    assert answers(log, "voice") >= len(TURNS)
    assert "Error" not in shown


def test_what_the_microphone_hears_is_recorded_where_that_is_asked_for(table, short):
    game = start(
        *short, "--mic", "vt_app", "--speaker", "vt_app", "--record", stdin=subprocess.PIPE
    )
    time.sleep(8)  # a person's: on a busy machine it takes a while until the microphone is open
    _, shown = game.communicate("ready\n", timeout=90)
    assert game.returncode == 0 and "This evening is recorded." in shown
    (recording,) = recordings.folder().iterdir()
    sound = files.read(recording)
    # The narrator itself reaches the microphone of this table.
    assert sound.size > MIC_RATE and np.abs(sound).max() > 500
    assert str(recording) in shown.splitlines()[-1]


def wait_for(game: subprocess.Popen[str], over: threading.Event) -> None:
    with contextlib.suppress(subprocess.TimeoutExpired):
        game.wait(480)
    over.set()


def answers(log: Path, source: str) -> int:
    """Count what was understood by voice or keyboard."""
    events = [json.loads(line)["event"] for line in log.read_text().splitlines()]
    said = [e for e in events if e["is"] == "Transcript" and e["source"] == source]
    return sum(event["meaning"] is not None for event in said)


def end(game: subprocess.Popen[str], patience: float = 30.0) -> tuple[str, str]:
    try:
        return game.communicate(timeout=patience)
    except subprocess.TimeoutExpired:
        game.kill()
        return game.communicate()


def test_the_keyboard_alone_is_enough_through_a_pipe(table):
    fast = {"NARRATOR_RATE": "450"}
    game = start(
        *GAME, *QUICK, "--json", "--keyboard", "--speaker", "vt_app",
        stdin=subprocess.PIPE, env=fast,
    )  # fmt: skip
    told, shown = game.communicate("\n".join(KEYS) + "\n", timeout=200)
    assert game.returncode == 0, shown
    assert json.loads(told)["result"] == RIGHT
    assert "\x1b" not in shown and "\r" not in shown


def test_a_closed_keyboard_without_a_microphone_ends_politely_and_says_what_is_missing(short):
    silent = {"ALSA_CONFIG_PATH": "", "PULSE_SERVER": "unix:/nowhere"}
    game = start(*short, "--no-speech", env=silent)
    told, shown = game.communicate(timeout=90)
    assert game.returncode == 1
    assert told == ""
    assert "No microphone was found." in shown and "please type the answers" in shown
    assert "nobody can answer" in shown.splitlines()[-2]
    assert "To go on: narrator resume" in shown.splitlines()[-1]
    assert "Traceback" not in shown


def test_without_portaudio_every_line_is_shown_and_the_remedy_told(tmp_path, short):
    (tmp_path / "sounddevice.py").write_text("raise OSError('PortAudio library not found')\n")
    game = start(*short, env={"PYTHONPATH": str(tmp_path)})
    _, shown = game.communicate(timeout=90)
    assert game.returncode == 1
    assert "apt install libportaudio2" in shown
    assert "Say ready." in shown
    assert "Traceback" not in shown


def test_without_a_voice_every_line_is_shown_and_the_remedy_told(tmp_path, short):
    for name in ("pyttsx3", "espeakng_loader"):
        (tmp_path / f"{name}.py").write_text(f"raise ImportError('no {name}')\n")
    game = start(*short, "--keyboard", env={"PYTHONPATH": str(tmp_path)})
    _, shown = game.communicate(timeout=90)
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
        assert game.wait(10) == 0
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
    assert game.stderr is not None and game.stderr.readline()  # its first line is being spoken
    time.sleep(1)
    game.send_signal(number)
    assert game.wait(10) == 130
    shown = game.stderr.read()
    game.communicate()
    assert "Traceback" not in shown
