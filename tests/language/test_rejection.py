"""What is accepted, asked about and ignored."""

from dataclasses import dataclass, replace
from typing import get_args

import pytest

from narrator.adapters.recognisers.vosk.traits import TRAITS as VOSK_TRAITS
from narrator.adapters.recognisers.whisper.traits import TRAITS as WHISPER_TRAITS
from narrator.core.effects import Listen
from narrator.core.expect import AnswerKind, Expectation, Meaning
from narrator.language.rejection import RECOUNTED, accept, judge

pytestmark = pytest.mark.unit

assert WHISPER_TRAITS.thresholds and VOSK_TRAITS.thresholds
WHISPER, VOSK = WHISPER_TRAITS.thresholds, VOSK_TRAITS.thresholds
ENGINES = {"whisper": WHISPER, "vosk": VOSK}


@dataclass(frozen=True)
class Heard:
    text: str
    score: float = 1.0
    margin: float = 5.0
    stands_out: float = 99.0
    is_part: bool = False
    seconds: float = 1.0
    is_cut_short: bool = False
    is_too_long: bool = False
    rivals: tuple[tuple[str, float], ...] = ()


@pytest.mark.parametrize("engine", ["whisper", "vosk", "typed"])
@pytest.mark.parametrize("text", ["", "the", "huh", "hi", "[unk]", "the huh", "[unk] [unk]"])
def test_fillers_are_ignored_without_a_word(engine, text):
    assert accept(ENGINES.get(engine), "phrase", Heard(text, score=1.0)).state == "ignored"


@pytest.mark.parametrize(("kind", "text"), [("letter", "a"), ("number", "oh")])
def test_what_sounds_like_a_filler_is_an_answer_where_it_can_be_one(kind, text):
    assert accept(WHISPER, kind, Heard(text)).state == "accepted"
    assert accept(WHISPER, kind, Heard("hm")).state == "ignored"
    assert accept(WHISPER, "seat", Heard(text)).state == "ignored"


@pytest.mark.parametrize("text", ["b", "letter d"])
def test_letters_need_a_margin_of_their_own(text):
    heard = Heard(text, score=2.0, margin=0.25)
    assert accept(WHISPER, "letter", heard).state == "unclear"
    assert accept(WHISPER, "number", heard).state == "accepted"


@pytest.mark.parametrize(
    ("text", "rival"),
    [("a", "e"), ("b", "dee"), ("letter d", "letter t"), ("g", "j"), ("m", "n"), ("i", "r")],
)
def test_letters_that_sound_alike_need_more_margin_than_others(text, rival):
    middling = Heard(text, score=2.0, margin=0.8, rivals=((rival, 0.8),))
    assert accept(WHISPER, "letter", middling).state == "unclear"
    assert accept(WHISPER, "letter", replace(middling, rivals=(("o", 0.8),))).state == "accepted"
    clear = replace(middling, margin=1.0, rivals=((rival, 1.0),))
    assert accept(WHISPER, "letter", clear).state == "accepted"
    longer = replace(middling, rivals=((f"{rival} please", 0.8),))
    assert accept(WHISPER, "letter", longer).state == "accepted"


@pytest.mark.parametrize("engine", ["whisper", "vosk"])
@pytest.mark.parametrize("kind", get_args(AnswerKind))
def test_no_kind_of_answer_is_easier_where_it_cannot_be_undone(engine, kind):
    usual, final = (ENGINES[engine].of(kind, undoable=undoable) for undoable in (True, False))
    assert usual.score < final.score and usual.margin <= final.margin
    assert usual.floor == final.floor < usual.score


@pytest.mark.parametrize("engine", ["whisper", "vosk"])
def test_words_around_unknown_ones_are_no_command(engine):
    assert (
        accept(ENGINES[engine], "command", Heard("[unk] next [unk]", score=1.0)).state != "accepted"
    )
    assert accept(ENGINES[engine], "command", Heard("next", score=1.0)).state == "accepted"


@pytest.mark.parametrize("engine", ["whisper", "vosk"])
def test_the_better_it_fits_the_more_is_done(engine):
    order = ["ignored", "unclear", "accepted"]
    scores = [x / 20 for x in range(-200, 21)]
    states = [order.index(accept(ENGINES[engine], "yesno", Heard("yes", s)).state) for s in scores]
    assert states == sorted(states)
    assert set(states) == {0, 1, 2}
    sure = [accept(ENGINES[engine], "yesno", Heard("yes", s)).confidence for s in scores]
    assert sure == sorted(sure)


def test_two_answers_that_fit_alike_are_asked_about():
    assert accept(WHISPER, "number", Heard("nine", 1.0, margin=0.01)).state == "unclear"
    assert accept(WHISPER, "number", Heard("nine", 1.0, margin=4.0)).state == "accepted"


@pytest.mark.parametrize("engine", ["whisper", "vosk"])
def test_what_cannot_be_undone_needs_a_surer_hearing(engine):
    scores = [x / 100 for x in range(-600, 101)]

    def least(undoable):
        heard = (Heard("yes", s, 0.9) for s in scores)
        return next(
            h.score
            for h in heard
            if accept(ENGINES[engine], "yesno", h, undoable=undoable).state == "accepted"
        )

    assert least(undoable=True) < least(undoable=False)


def test_a_sentence_that_vosk_glued_together_is_ignored():
    assert accept(VOSK, "phrase", Heard("task task complete", -99.0)).state == "ignored"


def test_how_often_a_word_was_said_takes_more_margin_than_which_word_it_was():
    margin = WHISPER.of("choice").margin + 0.05
    other = Heard("left left", margin=margin, rivals=(("left right", margin),))
    assert accept(WHISPER, "choice", other).state == "accepted"
    oftener = replace(other, rivals=(("left left left", margin),))
    assert accept(WHISPER, "choice", oftener).state == "unclear"
    surely = replace(oftener, rivals=(("left left left", margin + RECOUNTED),))
    assert accept(WHISPER, "choice", surely).state == "accepted"


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
    assert judge(VOSK, listen, Meaning("command:pause"), middling).state == "accepted"
    assert judge(VOSK, listen, Meaning("answer", True), middling).state == "unclear"
    assert judge(VOSK, listen, None, Heard("yes pause", 1.0)).state == "unclear"
    assert judge(None, listen, Meaning("answer", True), middling).state == "accepted"


@pytest.mark.parametrize("kind", ["yesno", "number", "seat", "seats", "choice", "points"])
def test_more_is_asked_for_among_noise(kind):
    usual = WHISPER.of(kind)
    just_enough = Heard("anything", usual.score + 0.01)
    assert accept(WHISPER, kind, just_enough).state == "accepted"
    among_others = replace(just_enough, stands_out=10.0)
    assert accept(WHISPER, kind, among_others).state == "unclear"
    fits_well = replace(among_others, score=usual.noisy)
    assert accept(WHISPER, kind, fits_well).state == "accepted"


@pytest.mark.parametrize("engine", ["whisper", "vosk"])
def test_what_stands_out_of_babble_no_more_than_babble_does_is_not_asked_about(engine):
    least = ENGINES[engine].of("yesno").noisy
    heard = Heard("yes", least + 0.01, stands_out=2.0)
    assert accept(ENGINES[engine], "yesno", heard).state == "ignored"


@pytest.mark.parametrize("kind", ["yesno", "number", "seat", "seats", "choice", "points", "letter"])
def test_what_fits_beyond_doubt_is_asked_about_however_loud_the_room(kind):
    among = Heard("anything", 2.1, margin=3.4, stands_out=2.0)
    assert accept(WHISPER, kind, among).state == "unclear"
    assert accept(WHISPER, kind, replace(among, score=1.4)).state == "ignored"
    assert accept(WHISPER, kind, replace(among, margin=0.05)).state == "ignored"
    assert accept(WHISPER, "command", among).state == "ignored"


@pytest.mark.parametrize("text", ["hi", "a", "oh", "huh", "uh huh"])
@pytest.mark.parametrize("kind", ["phrase", "choice", "sentence", "seat"])
def test_a_filler_that_somebody_chose_as_an_answer_is_one_where_it_fits_well(kind, text):
    least = WHISPER.of(kind, undoable=False)
    well = Heard(text, least.score + 0.01)
    assert accept(WHISPER, kind, well, listed=True).state == "accepted"
    assert accept(WHISPER, kind, well).state == "ignored"
    assert accept(WHISPER, kind, replace(well, score=least.score - 0.01), listed=True).state != (
        "accepted"
    )
    assert accept(None, kind, well, listed=True).state == "accepted"
    assert accept(WHISPER, kind, replace(well, text=""), listed=True).state == "ignored"
    assert accept(WHISPER, "command", replace(well, score=9.0), listed=True).state == "ignored"


def test_a_listed_filler_is_judged_by_what_it_means():
    listen = Listen(1, (Expectation("answer", "choice"),), "greet/ask")
    heard = Heard("hi", score=2.0)
    assert judge(WHISPER, listen, Meaning("answer", "greeting"), heard).state == "accepted"
    assert judge(WHISPER, listen, None, heard).state == "ignored"


def test_confidence_knows_how_near_another_answer_is():
    needed = WHISPER.of("number")
    sure = accept(WHISPER, "number", Heard("nine", 3.0, margin=5.0)).confidence
    near = accept(WHISPER, "number", Heard("nine", 3.0, margin=needed.margin)).confidence
    less = accept(WHISPER, "number", Heard("nine", 3.0, margin=0.0)).confidence
    assert sure == 1.0 and near == pytest.approx(0.5) and less < 0.5


def test_a_command_among_other_words_is_none():
    among = Heard("wait", 3.0, is_part=True)
    assert accept(WHISPER, "command", among).state == "ignored"
    assert accept(WHISPER, "phrase", among).state == "accepted"


def test_babble_is_not_asked_about():
    weak = Heard("that was number one", -1.0)
    assert accept(WHISPER, "seat", weak).state == "unclear"
    assert accept(WHISPER, "seat", replace(weak, stands_out=9.0)).state == "ignored"
    talk = Heard("we point at ana sorry we point at ana", -0.1, stands_out=9.0)
    assert accept(WHISPER, "seat", talk).state == "unclear"
    assert accept(WHISPER, "seat", replace(talk, seconds=5.6)).state == "ignored"
    assert accept(WHISPER, "seats", replace(talk, seconds=5.6)).state == "unclear"


@pytest.mark.parametrize("kind", ["points", "seats", "sentence"])
def test_a_list_of_which_some_is_missing_is_asked_for_again(kind: AnswerKind) -> None:
    assert accept(WHISPER, kind, Heard("kim nine", 3.0)).state == "accepted"
    assert accept(WHISPER, kind, Heard("kim nine", 3.0, is_cut_short=True)).state == "unclear"


def test_one_name_may_be_drawled() -> None:
    assert accept(WHISPER, "seat", Heard("kim", 3.0, is_cut_short=True)).state == "accepted"
