"""`narrator play` as a process of its own, at a table where people speak and listen for real."""

from __future__ import annotations

import contextlib
import json
import subprocess
import threading
from pathlib import Path

import numpy as np
import pytest

from narrator.adapters.sound import files
from narrator.app.records import recordings
from narrator.app.wiring.engines import make_recogniser
from narrator.ports.audio import MIC_RATE
from narrator.ports.errors import RecogniserError
from narrator.ports.speech import Voice
from tests.device.desk import until
from tests.device.people import SimulatedPlayers, Turn
from tests.device.play_process import GAME, QUICK, RIGHT, end, start
from tests.patience import limit

pytestmark = pytest.mark.device

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
    # On a busy machine it takes a while until the microphone is open.
    until(lambda: recorded_bytes() > 3 * MIC_RATE * np.dtype(np.int16).itemsize, 30)
    _, shown = game.communicate("ready\n", timeout=limit(90))
    assert game.returncode == 0 and "This evening is recorded." in shown
    (recording,) = recordings.folder().iterdir()
    sound = files.read(recording)
    # The narrator itself reaches the microphone of this table.
    assert sound.size > MIC_RATE and np.abs(sound).max() > 500
    assert str(recording) in shown.splitlines()[-1]


def recorded_bytes() -> int:
    """Return how much is recorded by now; a recording grows with every block."""
    folder = recordings.folder()
    return sum(file.stat().st_size for file in folder.iterdir()) if folder.is_dir() else 0


def wait_for(game: subprocess.Popen[str], over: threading.Event, patience: float = 480) -> None:
    with contextlib.suppress(subprocess.TimeoutExpired):
        game.wait(patience)
    over.set()


def answers(log: Path, source: str) -> int:
    """Count what was understood by voice or keyboard."""
    events = [json.loads(line)["event"] for line in log.read_text().splitlines()]
    said = [e for e in events if e["is"] == "Transcript" and e["source"] == source]
    return sum(event["meaning"] is not None for event in said)
