"""What a table hears of what was not understood: which of two it was, or that it was heard."""

from __future__ import annotations

from dataclasses import replace

import pytest

from narrator.adapters.recognisers.whisper.traits import TRAITS
from narrator.audio.gate import Gate
from narrator.core.effects import Listen
from narrator.core.events import Transcript
from narrator.core.expect import Expectation
from narrator.core.values import Seat
from narrator.language.rejection import Reason
from narrator.listening.barge_in_policy import BargeInPolicy
from narrator.listening.interpreter import Interpreter, Judged
from narrator.listening.listener import SELDOM, Listener
from narrator.listening.utterance_detector import Expected, Utterance
from narrator.ports.recognition import Hypothesis
from narrator.script.files.locales import load_locale

pytestmark = pytest.mark.unit
SEATS = tuple(Seat(number, name) for number, name in enumerate(("Ana", "Ben", "Eli"), 1))
PAUSE = Expectation("command:pause", "command")
VOTE = Listen(1, (Expectation("answer", "seat"), PAUSE), "day/ask")
UNCLEAR = Hypothesis("eli", 1.0, 0.1, 0.6, rivals=(("ana", 0.1), ("ben", 1.0)), unseen=1.2)
"""Fits well, and another name nearly as well."""
MUMBLE = Hypothesis("eli", -2.5, 0.1, 0.6)
"""Fits nothing."""


def judged(hypothesis: Hypothesis, listen: Listen = VOTE, language: str = "en") -> Judged:
    return Interpreter(SEATS, load_locale(language), TRAITS).judged(listen, hypothesis)


def told(hypothesis: Hypothesis, listen: Listen = VOTE) -> Transcript:
    transcript = judged(hypothesis, listen).transcript
    assert transcript is not None and transcript.unclear
    return transcript


def test_of_two_near_answers_both_are_told_the_best_first() -> None:
    assert told(UNCLEAR).likely == ("Eli", "Ana")


def test_other_ways_to_say_the_best_are_no_second_answer() -> None:
    same = replace(UNCLEAR, rivals=(("i vote for eli", 0.05), ("ana", 0.1)))
    assert told(same).likely == ("Eli", "Ana")


@pytest.mark.parametrize(
    ("asked", "words", "rivals", "likely"),
    [
        (Expectation("answer", "letter", allowed=tuple("ABC")), "b", ("letter c",), ("B", "C")),
        (Expectation("answer", "number", high=99), "nineteen", ("ninety",), ("nineteen", "ninety")),
        (
            Expectation("answer", "choice", choices=(("v1", ("the tea",)), ("v2", ("the key",)))),
            "the tea", ("the key",), ("the tea", "the key"),
        ),
        (Expectation("answer", "seat", nobody=True), "nobody", ("ana",), ("nobody", "Ana")),
        # Who is not allowed is not offered.
        (Expectation("answer", "seat", allowed=("Ana", "Ben")), "eli", ("ana",), ()),
        # A command is no answer to the question.
        (Expectation("answer", "seat"), "eli", ("pause", "ana"), ()),
        # A list is too long to be asked for.
        (Expectation("answer", "seats"), "ana and ben", ("ana and eli",), ()),
    ],
)  # fmt: skip
def test_only_short_answers_that_would_be_taken_are_offered(
    asked: Expectation, words: str, rivals: tuple[str, ...], likely: tuple[str, ...]
) -> None:
    listen = Listen(1, (asked, PAUSE), "day/ask")
    below = tuple((rival, 0.01) for rival in rivals)
    assert told(replace(UNCLEAR, text=words, rivals=below), listen).likely == likely


def test_among_noise_no_names_are_guessed() -> None:
    assert told(replace(UNCLEAR, stands_out=10.0)).likely == ()


def test_what_stands_out_and_fits_nothing_is_told_as_heard() -> None:
    found = judged(MUMBLE)
    assert found.verdict.reason is Reason.FITS_NOTHING
    assert found.transcript is not None and found.transcript.only_heard
    assert found.transcript.text == ""


def test_more_than_any_answer_is_told_as_heard() -> None:
    found = judged(Hypothesis("", seconds=9.0, is_too_long=True))
    assert found.verdict.reason is Reason.TOO_LONG
    assert found.transcript is not None and found.transcript.only_heard


@pytest.mark.parametrize(
    ("hypothesis", "listen"),
    [
        (replace(MUMBLE, stands_out=10.0), VOTE),
        (Hypothesis("", seconds=9.0, is_too_long=True, stands_out=10.0), VOTE),
        (Hypothesis("hm", 0.5), VOTE),
        (MUMBLE, replace(VOTE, timed=True)),
        (MUMBLE, replace(VOTE, eyes_closed=True)),
        (MUMBLE, replace(VOTE, expectations=(PAUSE,))),
    ],
)
def test_talk_breath_and_night_stay_without_comment(hypothesis: Hypothesis, listen: Listen) -> None:
    assert judged(hypothesis, listen).transcript is None


def test_that_something_was_heard_is_told_once_in_five_seconds() -> None:
    posted: list[Transcript | None] = []

    class Kept:
        def post(self, event: object) -> None:
            posted.append(event.transcript)  # type: ignore[attr-defined]

    listener = Listener(Gate(0.5), Kept(), BargeInPolicy(None))  # type: ignore[arg-type]
    understanding = Interpreter(SEATS, load_locale("en"), TRAITS)
    listener.expect(VOTE)
    expected = Expected(understanding.grammar(VOTE).automaton, "seat", tag=VOTE)
    for end, hypothesis in (
        (1.0, MUMBLE), (3.0, MUMBLE), (1.1 + SELDOM, MUMBLE), (7.0, UNCLEAR), (8.0, UNCLEAR),
        (10.0, MUMBLE), (8.1 + SELDOM, MUMBLE),
    ):  # fmt: skip
        listener._tell(Utterance(hypothesis, expected, end - 1, end, 0.5), understanding, 0.0)
    heard = ["" if t is None else "sound" if t.only_heard else "words" for t in posted]
    assert heard == ["sound", "", "sound", "words", "words", "", "sound"]
