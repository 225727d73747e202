"""A night of games by voice: bare `narrator play`, and nobody touches a key."""

from __future__ import annotations

import json
import threading

import pytest

from narrator.app.wiring.engines import make_recogniser
from narrator.ports.errors import RecogniserError
from narrator.ports.speech import Voice
from tests.device.people import SimulatedPlayers, Turn
from tests.device.play_process import end, start
from tests.device.test_play_on_the_virtual_table import wait_for

pytestmark = pytest.mark.device

NIGHT = [
    Turn(r"shall we play|what is there", "scorekeeper"),
    Turn(r"who plays|how many", "William, Patrick and Jennifer"),
    Turn(r"right", "yes"),
    Turn(r"points", "the game is over"),
    Turn(r"game over|right", "yes"),
    Turn(r"once again|another|good", "good night"),
]


def test_a_night_is_set_up_and_ended_by_voice(table):
    try:
        recogniser = make_recogniser("whisper", "", "en")
    except RecogniserError as fault:
        pytest.skip(f"No English recogniser here: {fault}")
    over = threading.Event()
    with SimulatedPlayers(recogniser, NIGHT, Voice("en-us+f3", rate=140)) as people:
        night = start("--json", "--mic", "vt_app", "--speaker", "vt_app")
        threading.Thread(target=wait_for, args=(night, over, 150), daemon=True).start()
        people.play(over)
        told, shown = end(night)
    recogniser.close()
    assert night.returncode == 0, (people.heard, people.said, people.reactions, shown)
    assert json.loads(told)["result"]["winners"] == ["William", "Patrick", "Jennifer"]
    assert "Good night." in shown and "Error" not in shown
