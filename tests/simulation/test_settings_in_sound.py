"""What is set and what the table changes is heard in a rehearsal's recording."""

from functools import partial

import numpy as np
import pytest

from narrator.app.wiring.engines import make_synthesiser
from narrator.audio.resampling import resample
from narrator.config.settings import Settings
from narrator.core.events import Key
from narrator.listening.interpreter import Interpreter
from narrator.listening.utterance_detector import UtteranceDetector
from narrator.ports.audio import SPEAKER_RATE
from narrator.script.files.locales import load_locale
from narrator.simulation.rehearsal import Rehearsal
from narrator.simulation.room import Room
from narrator.simulation.simulated_players import SimulatedPlayers
from narrator.simulation.sound_world import SoundWorld
from narrator.testing.fakes import ScriptedRecogniser
from tests.core.small_game import SEATS
from tests.listening.test_listening_thread import LevelDetector
from tests.simulation.test_resumed_rehearsal import waits

pytestmark = pytest.mark.model


def evening(program, *keys):
    """Play a game of one line said again and again, keys pressed after the first."""
    synthesiser = make_synthesiser(program.as_voice())
    try:
        world = SoundWorld(
            tuple(SEATS), program, synthesiser,
            UtteranceDetector(ScriptedRecogniser(), LevelDetector()),
            Interpreter(SEATS, load_locale("en")), Room(resample), {},
        )  # fmt: skip
        for number, key in enumerate(keys):
            world.inbox.later.append((1.5 + 0.01 * number, partial(world.inbox.post, key)))
        report = Rehearsal(waits(), SEATS, SimulatedPlayers(SEATS), world).run()
    finally:
        synthesiser.close()
    assert report.ended == "complete"
    lines = [said for said in report.spoken if said.text == "Dark."]
    return lines, np.concatenate(world.record)


def sound(line, record):
    """Return the seconds of a line that are no silence, as they were recorded."""
    part = record[round(line.begin * SPEAKER_RATE) : round(line.end * SPEAKER_RATE)]
    loud = np.flatnonzero(np.abs(part.astype(np.int32)) > 500)
    return (loud[-1] - loud[0]) / SPEAKER_RATE


def test_slower_is_heard_in_the_recording():
    lines, record = evening(Settings(cover="off"), *[Key("slower")] * 4)
    assert sound(lines[-1], record) > 1.25 * sound(lines[0], record)
    assert sound(lines[-1], record) == pytest.approx(sound(lines[-2], record), abs=0.02)
