"""`narrator mic` and `narrator names --try` as processes of their own, spoken to in a room."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from narrator.adapters.recognisers.whisper.weights import find_weights
from narrator.ports.audio import SPEAKER_RATE, Clip, Pcm
from narrator.ports.errors import RecogniserError
from narrator.ports.speech import Voice
from tests.device.desk import Desk
from tests.patience import limit
from tools.hearing.afresh import EspeakAfresh

pytestmark = pytest.mark.device

ROOT = Path(__file__).resolve().parent.parent.parent
NOISE = 12


@pytest.fixture(autouse=True)
def _english() -> None:
    try:
        find_weights(None, [])
    except RecogniserError as fault:
        pytest.skip(f"No English recogniser here: {fault}")


@pytest.fixture
def say(desk: Desk) -> Callable[[str], None]:
    """Return what says something in the room, among the faint noise that every room has."""
    mouth, voice = desk.speaker("vt_test"), EspeakAfresh()

    def speak(text: str) -> None:
        words = voice.render(text, Voice("en-us+f3", rate=145))
        quiet = np.zeros(SPEAKER_RATE * 2, np.int16)
        mouth.play(Clip(1, _with_noise(np.concatenate([quiet[: SPEAKER_RATE // 2], words, quiet]))))

    return speak


def _with_noise(sound: Pcm) -> Pcm:
    noise = np.random.default_rng(1).normal(0, NOISE, sound.size)
    return np.clip(sound + noise, -32767, 32767).astype(np.int16)


def start(*words: str, stdin: int = subprocess.DEVNULL) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", "narrator.cli.main", *words],
        cwd=ROOT,
        env=dict(os.environ),
        stdin=stdin,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def end(process: subprocess.Popen[str]) -> tuple[str, str]:
    try:
        return process.communicate(timeout=limit(90))
    except subprocess.TimeoutExpired:
        process.kill()
        return process.communicate()


def test_the_microphone_is_told_in_plain_lines_with_what_is_heard_and_means(desk, say):
    process = start(
        "mic", "--mic", "vt_app", "--seconds", "9", "--game", "one-night-revolution",
        "--at", "votes/ask", "--players", "Robert, Julia, Oliver",
    )  # fmt: skip
    assert process.stderr is not None
    assert "Listening with whisper" in process.stderr.readline()
    time.sleep(3)
    say("Julia")
    told, talk = end(process)
    assert process.returncode == 0, talk
    assert "gives nothing at all: it is muted" in told
    assert re.search(r"level -\d+ dB, noise -\d+ dB, speech", told)
    assert 'Heard "julia": accepted as answer, seat Julia.' in told
    assert "\r" not in told and "\x1b" not in told
    assert "dB above the noise" in talk


def test_any_words_are_written_down_as_json_without_a_game(desk, say):
    process = start("mic", "--mic", "vt_app", "--seconds", "7", "--json")
    assert process.stderr is not None and process.stderr.readline()
    time.sleep(2)
    say("We would like to play another game.")
    told, talk = end(process)
    assert process.returncode == 0, talk
    lines = [json.loads(line) for line in told.splitlines()]
    assert "we would like to play" in " ".join(line.get("heard", "") for line in lines)
    assert any(line.get("speech") for line in lines)
    assert [line["number"] for line in lines if "number" in line] == [1, 2, 3, 4, 5, 6, 7]


def test_a_microphone_that_is_not_there_is_told(desk):
    process = start("mic", "--mic", "no such thing", "--seconds", "1")
    told, talk = end(process)
    assert process.returncode == 5 and told == ""
    assert "There is no microphone called `no such thing`." in talk


def test_ctrl_c_ends_it_with_one_line(desk):
    process = start("mic", "--mic", "vt_app")
    assert process.stderr is not None and process.stderr.readline()
    time.sleep(1)
    process.send_signal(signal.SIGINT)
    _, talk = end(process)
    assert process.returncode == 130
    assert talk == "Stopped. Nobody was heard speaking.\n"


@pytest.mark.parametrize("quiet", [True, False])
def test_everybody_says_their_name_and_is_told_what_was_understood(desk, say, quiet):
    options = ["--no-speech"] if quiet else []
    process = start(
        "names", "Robert", "Julia", "--try", "--json", "--mic", "vt_app", "--speaker", "vt_app",
        *options,
    )  # fmt: skip
    shown: list[str] = []
    listener = threading.Thread(target=_answer, args=(process, say, shown, quiet), daemon=True)
    listener.start()
    process.wait(limit(90))
    listener.join(limit(5))
    assert process.stdout is not None
    tried = [json.loads(line) for line in process.stdout.read().splitlines()]
    process.stdout.close()
    assert [(t["name"], t["heard"][-1], t["understood"]) for t in tried] == [
        ("Robert", "robert", True),
        ("Julia", "robert", False),
    ], shown
    assert "Robert, understood." in shown
    assert "I understood Robert." in shown
    told = [line for line in shown if not line.startswith("The microphone is")]
    assert told[-1] == "Julia, say seat two instead, or take another name."
    assert process.returncode == 1


def _answer(
    process: subprocess.Popen[str], say: Callable[[str], None], shown: list[str], quiet: bool
) -> None:
    """Say Robert no matter who is asked: Julia's seat hears the wrong name."""
    assert process.stderr is not None
    for line in process.stderr:
        shown.append(line.strip())
        if "say your name" in line:
            time.sleep(0.3 if quiet else 2.0)
            say("Robert")
    process.stderr.close()


def test_play_tells_of_names_that_sound_alike_and_goes_on(desk, tmp_path):
    game = tmp_path / "game.yaml"
    game.write_text(
        "narrator: 1\ntitle: Short\nplayers: {min: 3, max: 3}\n"
        "phases: {only: {steps: [{ask: Say ready., hear: [ready]}, {say: Well done.}]}}\n"
    )
    process = start(
        "play", str(game), "--players", "Zoe, Joey, Robert", "--mic", "vt_app", "--no-speech",
        stdin=subprocess.PIPE,
    )  # fmt: skip
    assert process.stderr is not None and process.stdin is not None
    shown = ""
    while "sound alike" not in shown and (line := process.stderr.readline()):
        shown += line
    process.stdin.write("ready\n")
    process.stdin.flush()
    _, rest = end(process)
    assert "Zoe and Joey sound alike. Say seat one and seat two," in shown
    assert "Well done." in shown + rest
    assert process.returncode == 0
