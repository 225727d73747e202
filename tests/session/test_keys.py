"""Every command has a key and every key a command, and all of them are written down."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from narrator.adapters.terminal.keyboard import Keyboard
from narrator.cli.play.play import command
from narrator.core.commands.table import TABLE
from narrator.core.effects import Listen
from narrator.core.events import Key, Transcript
from narrator.core.expect import Expectation
from narrator.core.values import Seat
from narrator.listening.interpreter import Interpreter
from narrator.script.files.locales import load_locale
from narrator.session.keyboard_input import LISTEN_NOW, KeyboardInput
from narrator.session.keys import (
    CONTROLS,
    KEYS,
    TALK,
    TALK_LETTER,
    help_lines,
    pressed,
    words,
)
from tests.told import ENGLISH

pytestmark = pytest.mark.unit

README = Path(__file__).parents[2] / "README.md"
ANSWERS = {"yes", "no"}
UNDERSTANDING = Interpreter([Seat(1, "Robert"), Seat(2, "Yesenia")], load_locale("en"))


def test_every_voice_command_has_a_key_and_every_key_a_voice_command() -> None:
    assert {name for c in CONTROLS for name in c.commands} == {*TABLE} | ANSWERS
    assert all(c.at_once for c in CONTROLS if not ANSWERS & set(c.commands))
    assert set(KEYS.values()) == {c.commands[0] for c in CONTROLS}


def test_no_two_keys_are_alike_and_no_letter_acts_at_once() -> None:
    keys = [c.at_once for c in CONTROLS if c.at_once] + [c.letter for c in CONTROLS]
    assert len(keys) == len(set(keys))
    assert not any(pressed(c.at_once).isprintable() for c in CONTROLS if len(c.at_once) < 3)


@pytest.mark.parametrize("control", [c for c in CONTROLS if not ANSWERS & set(c.commands)])
def test_what_is_listed_as_said_is_heard_so(control) -> None:
    listen = Listen(1, tuple(Expectation(f"command:{n}", "command") for n in TABLE), "x")
    for said in words(control, ENGLISH).split(", "):
        meaning = UNDERSTANDING.typed(listen, said).meaning
        assert meaning is not None
        assert meaning.intent.removeprefix("command:") in control.commands


@pytest.mark.parametrize("line", ["Robert", "yesenia", "robert "])
def test_a_name_that_begins_like_a_key_is_a_name(line) -> None:
    listen = Listen(1, (Expectation("answer", "seat", allowed=("Robert", "Yesenia")),), "x")
    event = KeyboardInput(UNDERSTANDING, piped=False).event(listen, line)
    assert isinstance(event, Transcript) and event.meaning is not None


@pytest.mark.parametrize("control", CONTROLS)
def test_a_key_and_its_letter_give_the_command(control) -> None:
    listen = Listen(1, (Expectation("answer", "yesno"),), "x")
    typed = KeyboardInput(UNDERSTANDING, piped=False)
    given = [typed.event(listen, k) for k in (pressed(control.at_once), control.letter) if k]
    for event in given if control.at_once else given[1:]:
        if isinstance(event, Transcript):
            assert event.meaning is not None
            assert event.meaning.value == (control.commands[0] == "yes")
        else:
            assert event == Key(control.commands[0])


def test_the_keyboard_gives_the_keys_that_are_listed() -> None:
    given = set(Keyboard.AT_ONCE) - {TALK}
    assert {pressed(c.at_once) for c in CONTROLS if c.at_once} == given


def test_all_keys_are_in_the_help_and_in_the_readme() -> None:
    page = CliRunner().invoke(command, ["--help"]).output
    table = README.read_text(encoding="utf-8")
    for control in CONTROLS:
        said = words(control, ENGLISH)
        assert f"{said} " in page and any(
            line.endswith(f": {said}") for line in help_lines(ENGLISH)
        )
        row = f"| {said} | {control.at_once} | {control.letter} |".replace("|  |", "| |")
        assert row in table


def test_tab_listens_now_whatever_is_asked_and_is_written_down() -> None:
    listen = Listen(1, (Expectation("answer", "seat", allowed=("Robert",)),), "x")
    typed = KeyboardInput(UNDERSTANDING, piped=False)
    assert typed.event(listen, TALK) == LISTEN_NOW == typed.event(listen, TALK_LETTER)
    assert typed.event(None, TALK) == LISTEN_NOW
    assert TALK in Keyboard.AT_ONCE
    assert f"{ENGLISH.line('key talk')} " in CliRunner().invoke(command, ["--help"]).output
    assert f"| {ENGLISH.line('key talk')} | Tab | {TALK_LETTER} |" in README.read_text(
        encoding="utf-8"
    )


def test_its_letter_is_an_answer_where_letters_are_asked_for() -> None:
    listen = Listen(1, (Expectation("answer", "letter"),), "x")
    event = KeyboardInput(UNDERSTANDING, piped=False).event(listen, TALK_LETTER)
    assert isinstance(event, Transcript) and event.meaning and event.meaning.value == "L"
