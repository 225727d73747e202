"""What the ear gives its recogniser when it looks again at the louder part, and how far soft
speakers are from babble. The recogniser and the detector only take notes here.
"""

import numpy as np
import pytest

from narrator.language.grammar.automaton import Arc, Automaton
from narrator.language.rejection import BABBLE, NOISY
from narrator.listening.utterance_detector import UtteranceDetector
from narrator.ports.audio import MIC_RATE
from narrator.ports.recognition import Hypothesis
from narrator.testing.fakes import ScriptedRecogniser

pytestmark = pytest.mark.unit

FRAME = 512
WORDS = Automaton(((Arc("yes", 1),), ()), frozenset({1}))


class Loud:
    """Hears speech in whatever is louder than -60 dB."""

    frame = FRAME

    def probability(self, frame):
        return float(np.abs(frame.astype(np.float64)).max() > 33)

    def reset(self):
        pass


class Noted(ScriptedRecogniser):
    """Gives one score, ahead too, and keeps what it was given."""

    def __init__(self, score):
        super().__init__(["yes"])
        self.score, self.held, self.decided = score, 0, []

    def accept(self, block):
        self.held += len(block)
        return ""

    def guess(self):
        self.decided.append(self.held)
        return Hypothesis("yes", self.score)

    def finish(self):
        found = self.guess()
        self.reset()
        return found

    def reset(self):
        self.held = 0


def tone(seconds, decibels):
    at = np.arange(int(seconds * MIC_RATE))
    height = 32767 * 10 ** (decibels / 20) * 2**0.5
    return (height * np.sin(2 * np.pi * 500 / MIC_RATE * at)).astype(np.int16)


def listening(recogniser):
    ear = UtteranceDetector(recogniser, Loud())
    ear.expect(WORDS, "yesno")
    return ear


def hear(ear, *parts):
    sound = np.concatenate(parts)
    return [u for at in range(0, len(sound), 1600) for u in ear.hear(sound[at : at + 1600])]


@pytest.mark.parametrize("score", [0.0, 1.0])
def test_speech_after_a_pause_is_decided_on_together_with_all_before_it(score):
    others, answer, pause, more = tone(1.2, -33), tone(0.6, -20), tone(0.3, -90), tone(0.6, -20)
    recogniser = Noted(score)
    (found,) = hear(listening(recogniser), others, answer, pause, more, tone(1.0, -90))
    whole = (len(others) + len(answer) + len(pause) + len(more)) / MIC_RATE
    assert not found.hypothesis.is_part
    assert max(recogniser.decided) / MIC_RATE > whole


def test_the_louder_part_is_looked_at_where_the_whole_fits_badly():
    recogniser = Noted(0.0)
    hear(listening(recogniser), tone(1.2, -33), tone(0.6, -20), tone(1.0, -90))
    whole, part = recogniser.decided
    assert (whole - part) / MIC_RATE > 0.7


def test_who_speaks_softly_in_a_quiet_room_is_no_babble():
    ear = listening(Noted(1.0))
    loud = [part for _ in range(4) for part in (tone(0.5, -15), tone(1.0, -90))]
    *_, soft = hear(ear, tone(1.0, -90), *loud, tone(0.5, -45), tone(1.0, -90))
    assert BABBLE <= soft.hypothesis.stands_out < NOISY


def test_another_recording_is_not_compared_with_those_before_it():
    ear = listening(Noted(1.0))
    hear(ear, *(part for _ in range(4) for part in (tone(0.5, -15), tone(1.0, -90))))
    ear.forget()
    (soft,) = hear(ear, tone(1.0, -90), tone(0.5, -45), tone(1.0, -90))
    assert soft.hypothesis.stands_out > NOISY
