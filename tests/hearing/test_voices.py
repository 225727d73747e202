"""Real people's answers through the ear, against what this way of recognising is known to reach."""

import csv
from collections import defaultdict
from statistics import mean

import numpy as np
import pytest

from narrator.adapters.recognisers.whisper.recogniser import WhisperRecogniser
from narrator.adapters.recognisers.whisper.traits import TRAITS
from narrator.adapters.recognisers.whisper.weights import find_weights
from narrator.adapters.sound.files import read
from narrator.adapters.sound.vad import SileroDetector
from narrator.language.grammar.automaton import Arc, Automaton
from narrator.language.grammar.equivalence import same_key
from narrator.language.rejection import accept
from narrator.listening.utterance_detector import UtteranceDetector
from narrator.ports.audio import BLOCK, MIC_RATE, Pcm
from narrator.ports.errors import RecogniserError
from narrator.ports.recognition import Hypothesis

pytestmark = pytest.mark.model

DIGITS = "zero one two three four five six seven eight nine".split()
COMMANDS = "yes no stop go up down left right on off repeat help pause undo next back".split()
EVERY = {"digit": 2, "word": 2, "digit, 8 kHz": 3, "other word": 1, "noise": 1}
"""Every so many-th recording of a kind is heard: enough to notice a fault, in bearable time."""
FIGURES = {"digit": 97.7, "word": 98.7, "digit, 8 kHz": 95.8}
"""Per cent right among 27 words, 27 words and 11 digits, on other speakers of the same sets. Here
the digits at 8 kHz are asked for among all 27."""
CLOSE = 2.0
SAMPLE = 1
"""Recordings more that may go wrong because a sample is heard: one is 1.5 to 3 points of it."""


def grammar() -> Automaton:
    written = tuple(Arc(str(value), 1, True) for value in range(10))
    spoken = tuple(Arc(word, 1) for word in [*DIGITS, "oh", *COMMANDS])
    return Automaton((spoken + written, ()), frozenset({1}))


@pytest.fixture(scope="module")
def heard(voices_folder):
    """Give, by kind, each recording's text with what was heard of it (None: no utterance)."""
    try:
        whisper = WhisperRecogniser(find_weights(None, []))
    except RecogniserError as error:
        pytest.skip(f"The weights of Whisper tiny.en are not installed: {error}")
    with (voices_folder / "voices.tsv").open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file, delimiter="\t"))
    found = defaultdict(list)
    for kind, step in EVERY.items():
        for row in [row for row in rows if row["kind"] == kind][::step]:
            sound = read(voices_folder / "voices" / row["file"])
            found[kind].append((row["text"], hear(whisper, sound)))
    whisper.close()
    return found


def hear(whisper: WhisperRecogniser, sound: Pcm) -> Hypothesis | None:
    """Return the first hypothesis for a recording in a very quiet room."""
    quiet = (6 * np.random.default_rng(2).standard_normal(MIC_RATE)).astype(np.int16)
    whole = np.concatenate([quiet[: MIC_RATE // 2], sound, quiet])
    ear = UtteranceDetector(whisper, SileroDetector())
    ear.expect(grammar(), "number")
    for at in range(0, len(whole), BLOCK):
        for utterance in ear.hear(whole[at : at + BLOCK]):
            return utterance.hypothesis
    return None


def right(text: str, hypothesis: Hypothesis) -> bool:
    return same_key(hypothesis.text, homophones=True) == same_key(text, homophones=True)


def passes(hypothesis: Hypothesis | None) -> bool:
    thresholds = TRAITS.thresholds
    return hypothesis is not None and accept(thresholds, "number", hypothesis).state == "accepted"


@pytest.mark.parametrize("kind", FIGURES)
def test_before_rejection(heard, kind):
    found = [right(text, h) for text, h in heard[kind] if h is not None]
    allowed = (100 - FIGURES[kind] + CLOSE) / 100 * len(found) + SAMPLE
    assert found.count(False) <= allowed


@pytest.mark.parametrize("kind", FIGURES)
def test_what_people_say_is_noticed(heard, kind):
    assert mean(h is not None for _, h in heard[kind]) >= 0.94


def test_after_rejection_hardly_anything_is_wrong(heard):
    found = [(text, h) for kind in FIGURES for text, h in heard[kind] if h is not None]
    wrong = [(text, h.text) for text, h in found if passes(h) and not right(text, h)]
    assert len(wrong) <= 0.01 * len(found), wrong
    assert mean(passes(h) and right(text, h) for text, h in found) >= 0.925 - CLOSE / 100


def test_other_words_are_mostly_refused(heard):
    passed = [(text, h.text) for text, h in heard["other word"] if passes(h)]
    assert len(passed) <= 0.12 * len(heard["other word"]), passed


def test_noise_is_never_an_answer(heard):
    assert [h for _, h in heard["noise"] if passes(h)] == []
