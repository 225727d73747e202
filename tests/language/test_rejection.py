"""What is accepted, asked about and ignored."""

from dataclasses import dataclass

import pytest

from narrator.core.effects import Listen
from narrator.core.expect import Expectation, Meaning
from narrator.language.rejection import accept, judge

pytestmark = pytest.mark.unit


@dataclass(frozen=True)
class Heard:
    text: str
    score: float = 1.0
    margin: float = 5.0


@pytest.mark.parametrize("engine", ["whisper", "vosk", "typed"])
@pytest.mark.parametrize("text", ["", "the", "huh", "hi", "[unk]", "the huh", "[unk] [unk]"])
def test_fillers_are_ignored_without_a_word(engine, text):
    assert accept(engine, "phrase", Heard(text, score=1.0)).state == "ignored"


@pytest.mark.parametrize("engine", ["whisper", "vosk"])
def test_words_around_unknown_ones_are_no_command(engine):
    assert accept(engine, "command", Heard("[unk] next [unk]", score=1.0)).state != "accepted"
    assert accept(engine, "command", Heard("next", score=1.0)).state == "accepted"


@pytest.mark.parametrize("engine", ["whisper", "vosk"])
def test_the_better_it_fits_the_more_is_done(engine):
    order = ["ignored", "unclear", "accepted"]
    scores = [x / 20 for x in range(-200, 21)]
    states = [order.index(accept(engine, "yesno", Heard("yes", s)).state) for s in scores]
    assert states == sorted(states)
    assert set(states) == {0, 1, 2}
    sure = [accept(engine, "yesno", Heard("yes", s)).confidence for s in scores]
    assert sure == sorted(sure)


def test_two_answers_that_fit_alike_are_asked_about():
    assert accept("whisper", "number", Heard("nine", 1.0, margin=0.01)).state == "unclear"
    assert accept("whisper", "number", Heard("nine", 1.0, margin=4.0)).state == "accepted"


@pytest.mark.parametrize("engine", ["whisper", "vosk"])
def test_what_cannot_be_undone_needs_a_surer_hearing(engine):
    scores = [x / 100 for x in range(-600, 101)]

    def least(undoable):
        heard = (Heard("yes", s, 0.9) for s in scores)
        return next(
            h.score
            for h in heard
            if accept(engine, "yesno", h, undoable=undoable).state == "accepted"
        )

    assert least(undoable=True) < least(undoable=False)


def test_a_sentence_that_vosk_glued_together_is_ignored():
    assert accept("vosk", "phrase", Heard("task task complete", -99.0)).state == "ignored"


def test_judging_by_what_it_means():
    listen = Listen(
        1,
        (
            Expectation("answer", "yesno", undoable=False),
            Expectation("command:pause", "command"),
        ),
        "vote/sure",
    )
    middling = Heard("yes", score=0.7, margin=9)
    assert judge("vosk", listen, Meaning("command:pause"), middling).state == "accepted"
    assert judge("vosk", listen, Meaning("answer", True), middling).state == "unclear"
    assert judge("vosk", listen, None, Heard("yes pause", 1.0)).state == "unclear"
    assert judge("", listen, Meaning("answer", True), middling).state == "accepted"
