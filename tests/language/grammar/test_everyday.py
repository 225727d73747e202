"""Everyday words: contractions as one rule, and what people say for a sentence that is awaited."""

from __future__ import annotations

import pytest

from narrator.core.commands.table import TABLE
from narrator.core.expect import AnswerKind, Expectation
from narrator.core.values import Seat
from narrator.language.grammar.everyday import ways_to_say
from narrator.language.grammar.grammar import Grammar, compile_grammar
from narrator.script.files.locales import load_locale

pytestmark = pytest.mark.unit

SEATS = [Seat(1, "Ana"), Seat(2, "Ben"), Seat(3, "Cy")]
EN, KO = load_locale("en"), load_locale("ko")
READY = "[we are|i am|all|everybody is] (ready|done)"
COMMANDS = tuple(Expectation(row.intent, "command") for row in TABLE.values())


def grammar(*templates: str, kind: AnswerKind = "phrase", locale=EN) -> Grammar:
    asked = Expectation("phrase", kind, templates=templates)
    return compile_grammar([asked, *COMMANDS], SEATS, locale)


def intent(said: str, *templates: str, locale=EN) -> str:
    meaning = grammar(*templates, locale=locale).interpret(said).meaning
    return meaning.intent if meaning else ""


@pytest.mark.parametrize(
    "said",
    ["i'm done", "im done", "We\u2019re ready.", "everyone is ready", "everybody's ready",
     "all set", "we're all set", "got it", "ok", "Okay", "let's go", "yes, we're ready"],
)  # fmt: skip
def test_natural_forms_of_ready_are_ready(said: str) -> None:
    assert intent(said, READY) == "phrase"


@pytest.mark.parametrize(
    ("said", "command"),
    [
        ("who's turn", "whose_turn"), ("whos turn is it", "whose_turn"), ("what now", "whose_turn"),
        ("score", "scores"), ("what's the score", "scores"), ("how much time", "how_long_left"),
        ("sorry", "repeat"),
    ],
)  # fmt: skip
def test_everyday_words_for_commands(said: str, command: str) -> None:
    assert intent(said, READY) == f"command:{command}"


@pytest.mark.parametrize(("short", "whole"), EN.contractions)
def test_a_contraction_is_the_same_whichever_way_a_script_has_it(short: str, whole: str) -> None:
    assert intent(f"{short} over", f"{whole} over") == "phrase"
    assert intent(f"{whole} over", f"{short} over") == "phrase"


@pytest.mark.parametrize("locale", [EN, KO], ids=["en", "ko"])
def test_each_everyday_form_is_taken_for_a_sentence_that_is_awaited(locale) -> None:
    for means, forms in locale.everyday:
        for form in forms:
            assert intent(form, *means, locale=locale) in {"phrase", *(c.intent for c in COMMANDS)}


def test_an_answer_of_its_own_wins_over_an_everyday_form() -> None:
    assert intent("score", "score", READY) == "phrase"


@pytest.mark.parametrize("said", ["okay", "got it", "fine", "let's go", "i'm ready"])
def test_nobody_ends_a_talk_or_a_turn_at_night_by_saying_yes(said: str) -> None:
    assert intent(said, "we are done", "end the discussion") == ""
    assert intent(said, "task complete", "mission accomplished") == ""


@pytest.mark.parametrize("said", ["yes", "yeah", "no", "sure"])
def test_a_late_yes_to_another_question_is_not_ready(said: str) -> None:
    assert intent(said, READY) == ""


def test_where_any_words_are_an_answer_everyday_ones_are_an_answer() -> None:
    found = grammar(kind="free").interpret("what").meaning
    assert found is not None and (found.intent, found.value) == ("phrase", "what")


def test_words_that_are_other_words_keep_their_apostrophe() -> None:
    assert list(ways_to_say("were ready", EN)) == ["were ready"]


def test_a_recogniser_is_not_given_them() -> None:
    asked = Expectation("phrase", "phrase", templates=(READY,))
    words = compile_grammar([asked], SEATS, EN).automaton.words()
    assert words == {"we", "are", "i", "am", "all", "everybody", "is", "ready", "done"}
