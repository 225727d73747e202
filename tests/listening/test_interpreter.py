"""A word before every command keeps talk from being taken for one."""

from __future__ import annotations

import pytest

from narrator.adapters.recognisers.vosk import traits as vosk
from narrator.adapters.recognisers.whisper import traits as whisper
from narrator.core.effects import Listen
from narrator.core.expect import Expectation
from narrator.core.values import Seat
from narrator.listening.interpreter import Interpreter
from narrator.ports.recognition import Hypothesis
from narrator.script.files.locales import load_locale

pytestmark = pytest.mark.unit
SEATS = (Seat(1, "Ana"), Seat(2, "Ben"))
COMMANDS = tuple(Expectation(f"command:{c}", "command") for c in ("pause", "more_time", "skip"))
LISTEN = Listen(1, (Expectation("answer", "seat", allowed=("Ana", "Ben")), *COMMANDS), "day/ask")


def intent(text: str, prefix: str, language: str = "en") -> str | None:
    made = Interpreter(SEATS, load_locale(language), prefix=prefix)
    heard = made.heard(LISTEN, Hypothesis(text))
    return heard.meaning.intent if heard and heard.meaning else None


@pytest.mark.parametrize("text", ["pause", "five more minutes", "next"])
def test_with_a_prefix_word_commands_count_after_it_only(text: str) -> None:
    assert intent(text, "") is not None
    assert intent(text, "Narrator") is None
    assert intent(f"narrator {text}", "Narrator") == intent(text, "")
    assert intent(f"hey game {text}", "hey game") == intent(text, "")


def test_answers_need_no_prefix_word() -> None:
    assert intent("ana", "narrator") == "answer" == intent("um i vote for ben", "narrator")


def test_the_recogniser_is_given_the_word_and_no_bare_command() -> None:
    grammar = Interpreter(SEATS, load_locale("en"), prefix="narrator").grammar(LISTEN)
    assert grammar.automaton.accepts("narrator pause")
    assert not grammar.automaton.accepts("pause")
    assert grammar.automaton.accepts("ben")


def test_who_types_a_command_types_no_prefix() -> None:
    made = Interpreter(SEATS, load_locale("en"), prefix="narrator")
    for text in ("pause", "narrator pause"):
        meaning = made.typed(LISTEN, text).meaning
        assert meaning is not None and meaning.intent == "command:pause"


def test_a_correction_is_listened_for_by_what_follows_a_grammar() -> None:
    for traits, heard in ((whisper.TRAITS, True), (vosk.TRAITS, False)):
        automaton = Interpreter(SEATS, load_locale("en"), traits).grammar(LISTEN).automaton
        assert automaton.accepts("ben no ana") is heard
        assert automaton.accepts("ben i mean ana") is heard
        assert not automaton.accepts("no ana") and not automaton.accepts("pause no skip")


def test_it_works_in_korean() -> None:
    assert intent("건너뛰기", "사회자", "ko") is None
    assert intent("사회자 건너뛰기", "사회자", "ko") == "command:skip"
