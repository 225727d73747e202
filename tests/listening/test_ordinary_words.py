"""What people say to each other in a discussion does nothing to the game that they discuss."""

from __future__ import annotations

from itertools import islice

import pytest

from narrator.core.commands.table import TABLE
from narrator.core.effects import Listen
from narrator.core.expect import Expectation
from narrator.core.values import Seat
from narrator.language.grammar.templates import expand
from narrator.listening.interpreter import Interpreter
from narrator.script.files.locales import LocaleError, load_locale

pytestmark = pytest.mark.unit

SEATS = (Seat(1, "Robert"), Seat(2, "Julia"))
TALK = Expectation("phrase", "phrase", ("we are done",))
RULE = Expectation("command:rule:tie", "command", ("what happens on a tie",))
COMMANDS = tuple(Expectation(row.intent, "command") for row in TABLE.values())


def understanding(prefix: str = "") -> Interpreter:
    return Interpreter(SEATS, load_locale("en"), prefix=prefix)


def discussion(seat: str | None = None, *, timed: bool = True) -> Listen:
    return Listen(1, (TALK, RULE, *COMMANDS), "day/talk", seat, timed=timed)


def meant(listen: Listen, words: str, prefix: str = "") -> str:
    meaning = understanding(prefix).said(listen, words).meaning
    return meaning.intent if meaning else ""


@pytest.mark.parametrize("language", ["en", "ko"])
def test_each_is_a_command_with_the_narrators_name_and_none_without(language: str) -> None:
    locale = load_locale(language)
    known = Interpreter(SEATS, locale)
    talk = Listen(1, COMMANDS, "day/talk", timed=True)
    assert locale.ordinary and locale.address
    for name, templates in locale.ordinary.items():
        for words in (w for t in templates for w in islice(expand(t, {}), 20)):
            assert known.said(talk, words).meaning is None, words
            called = known.said(talk, f"{locale.address} {words}").meaning
            assert called is not None and called.intent == f"command:{name.replace(' ', '_')}"


AT_ONCE = (
    "pause the game", "give us more time", "undo", "repeat that", "how long is left",
    "end the game", "teach us the game",
)  # fmt: skip


@pytest.mark.parametrize("words", AT_ONCE)
def test_what_nobody_says_to_another_player_works_at_once(words: str) -> None:
    assert meant(discussion(), words).startswith("command:")


def test_every_command_can_be_said_in_a_discussion() -> None:
    locale, said = load_locale("en"), understanding().grammar(discussion())
    for row in TABLE.values():
        words = next(iter(expand(locale.command(row.name)[0], {})))
        heard = (words, f"{locale.address} {words}")
        assert any(m.intent == row.intent for w in heard for m in said.interpret(w).meanings), words


def test_a_question_about_the_rules_is_meant_for_the_others_too() -> None:
    assert meant(discussion(), "what happens on a tie") == ""
    assert meant(discussion(), "narrator what happens on a tie") == "command:rule:tie"
    assert meant(discussion(timed=False), "what happens on a tie") == "command:rule:tie"


def test_outside_a_discussion_and_in_a_seats_own_time_nothing_changes() -> None:
    assert meant(discussion(timed=False), "wait") == "command:pause"
    assert meant(discussion("Robert"), "wait") == "command:pause"
    assert meant(discussion(), "we are done") == "phrase"


def test_who_types_needs_no_name() -> None:
    assert understanding().typed(discussion(), "wait").meaning is not None


def test_the_tables_own_prefix_is_what_has_to_be_said() -> None:
    assert meant(discussion(), "computer wait", "computer") == "command:pause"
    assert meant(discussion(), "narrator wait", "computer") == ""
    assert meant(discussion(), "pause the game", "computer") == ""


def test_a_language_cannot_call_ordinary_what_is_no_command(tmp_path) -> None:
    source = "language: en\nyes: [a]\nno: [b]\nnobody: [c]\neveryone: [d]\nseat numbers: []\n"
    (tmp_path / "en.yaml").write_text(
        source + "commands: {pause: [wait]}\nordinary: {pause: [hold on]}\n", encoding="utf-8"
    )
    with pytest.raises(LocaleError, match="`hold on` is no sentence of `pause`"):
        load_locale("en", tmp_path)
