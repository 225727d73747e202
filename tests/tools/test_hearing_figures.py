"""What the hearing figures are made of: sounds as loud as told, talk without cues, kept results."""

from dataclasses import asdict
from itertools import islice

import numpy as np
import pytest

from narrator.ports.audio import MIC_RATE
from tools.hearing.cue import TEXTS
from tools.hearing.fit import Group, at
from tools.hearing.places import Heard, taken_for
from tools.hearing.sounds import BEFORE, Condition, across, air
from tools.hearing.store import Store
from tools.hearing.talk import sentences

pytestmark = pytest.mark.unit


def heard(score, margin, intent="answer", value="1"):
    return Heard(
        "one", score, margin, intent, value, "number", True, 0.0, 1.0, 0.1, False, 99.0, False
    )


def tone(seconds=1.0):
    at = np.arange(int(seconds * MIC_RATE)) / MIC_RATE
    return (8000 * np.sin(2 * np.pi * 300 * at)).astype(np.int16)


def loudness(sound):
    return float(np.sqrt(np.mean(sound.astype(np.float64) ** 2)))


@pytest.mark.parametrize("snr", [20, 10, 5])
def test_noise_is_as_far_below_speech_as_told(snr):
    scene = air(tone(), Condition("pink", snr), seed=1)
    assert 20 * np.log10(loudness(scene.speech) / loudness(scene.hiss)) == pytest.approx(
        snr, abs=0.5
    )


def test_the_end_of_the_voice_is_told_to_the_sample():
    silence = np.zeros(MIC_RATE, np.int16)
    scene = air(np.concatenate([tone(0.5), silence]), Condition(), seed=1)
    assert scene.ends == pytest.approx(BEFORE + 0.5, abs=0.01)
    blocks = np.concatenate(list(islice(scene.blocks(), 25)))
    begin = int(BEFORE * MIC_RATE)
    assert loudness(blocks[:begin]) < 50
    assert loudness(blocks[begin : begin + MIC_RATE // 2]) > 1000


def test_across_the_room_a_voice_lasts_longer_and_is_as_loud():
    dry = tone(0.3).astype(np.float32) / 32768
    wet = across(dry)
    assert len(wet) - len(dry) == pytest.approx(0.4 * MIC_RATE, abs=2)
    assert np.sqrt(np.mean(wet**2)) == pytest.approx(np.sqrt(np.mean(dry**2)), rel=0.01)
    assert loudness(wet[len(dry) : len(dry) + 800]) > 0.05 * loudness(wet[: len(dry)])


def test_talk_is_the_same_for_a_seed_and_never_the_cue():
    talk = list(islice(sentences(3), 2000))
    assert talk == list(islice(sentences(3), 2000)) != list(islice(sentences(4), 2000))
    assert len(set(talk)) > 1500
    assert not [text for text in talk for cue in TEXTS if cue in text or "{" in text]


def test_results_are_kept(tmp_path):
    assert Store(tmp_path, "part").get("a", lambda: [1, 2]) == [1, 2]
    assert Store(tmp_path, "part").get("a", lambda: pytest.fail("measured twice")) == [1, 2]
    assert Store(tmp_path, "other").get("a", lambda: [3]) == [3]


@pytest.mark.parametrize(
    ("found", "became"),
    [
        ([heard(3.0, 3.0)], "right"),
        ([heard(3.0, 3.0, value="2")], "wrong"),
        ([heard(3.0, 0.0)], "asked"),
        ([heard(3.0, 3.0, intent="")], "asked"),
        ([heard(-5.0, 3.0)], "ignored"),
        ([heard(-5.0, 3.0), heard(3.0, 3.0)], "right"),
        ([], "unnoticed"),
    ],
)
def test_what_became_of_an_answer(found, became):
    assert taken_for([asdict(h) for h in found], ("answer", "1"), "whisper")[0] == became


def test_a_curve_counts_what_passes():
    group = Group([heard(1, 1), heard(0, 1), heard(1, 0)], [heard(1, 2)], [heard(0, 0)], [], [])
    assert at(group, 0.5, 0.5)[2:] == (2, 1, 0, 0, 0)
    assert at(group, -1.0, 0.0)[2:] == (0, 1, 1, 0, 0)
