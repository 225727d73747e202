"""The table of commands: what is said of one in it is true everywhere."""

from __future__ import annotations

import pytest

from narrator.adapters.system.inbox import Priority, priority_of
from narrator.core.commands.table import TABLE, When
from narrator.core.events import Transcript
from narrator.core.expect import Meaning
from narrator.listening.listener import WHILE_SPEAKING
from narrator.script.files.locales import load_locale
from narrator.session.keys import CONTROLS
from narrator.testing.monkey_moves import COMMANDS
from tests.core.small_game import Driver
from tests.fresh_process import output_of

pytestmark = pytest.mark.unit

COMMAND_NAMES = tuple(TABLE)


def said(name: str) -> Transcript:
    return Transcript(name, Meaning(f"command:{name}"), 1)


def test_what_ends_or_stops_the_game_overtakes_everything() -> None:
    urgent = {name for name in TABLE if priority_of(said(name)) is Priority.OPERATOR}
    assert urgent == {"stop", "pause", "end_the_game"}


def test_what_is_heard_over_the_narrator_is_a_command_each() -> None:
    assert WHILE_SPEAKING == {
        f"command:{n}" for n in ("stop", "pause", "repeat", "skip", "to_the_game")
    }
    assert {intent.removeprefix("command:") for intent in WHILE_SPEAKING} <= set(TABLE)


@pytest.mark.parametrize("language", ["en", "ko"])
@pytest.mark.parametrize("name", COMMAND_NAMES)
def test_every_language_has_phrases_for_every_command(name: str, language: str) -> None:
    assert load_locale(language).command(name)


@pytest.mark.parametrize("language", ["en", "ko"])
def test_no_language_has_phrases_for_a_command_that_is_none(language: str) -> None:
    assert {name.replace(" ", "_") for name in load_locale(language).commands} == set(TABLE)


def test_random_play_draws_every_command() -> None:
    assert {*COMMANDS, "end_the_game"} >= set(TABLE)


@pytest.mark.parametrize("name", COMMAND_NAMES)
def test_a_command_has_a_key_of_its_own_or_shares_one_that_exists(name: str) -> None:
    row = TABLE[name]
    assert bool(row.key and row.letter) != bool(row.shares)
    if row.shares:
        assert TABLE[row.shares].key
    assert sum(name in control.commands for control in CONTROLS) == 1


@pytest.mark.parametrize("name", COMMAND_NAMES)
def test_it_is_listened_for_when_the_table_says_so(name: str) -> None:
    def heard(driver: Driver) -> bool:
        return any(e.intent == f"command:{name}" for e in driver.listen.expectations)

    at_night = Driver().start()
    assert heard(at_night) == (When.NIGHT in TABLE[name].when)
    by_day = Driver().to_the_votes()
    assert heard(by_day) == (When.DAY in TABLE[name].when)
    by_day.command("pause")
    assert heard(by_day) == (When.PAUSED in TABLE[name].when)


ONE_ROW_MORE = """
from dataclasses import replace

from narrator.core.commands import table
from narrator.core.commands.table import Command, When


def wave(context, value, rejoin):
    context.cue("listen")


row = Command("wave", When.DAY, wave, "Delete", "v", urgent=True, over_speech=True)
table.TABLE = {**table.TABLE, row.name: row}

from narrator.adapters.system.inbox import Priority, priority_of
from narrator.core.effects import Cue
from narrator.core.events import Key, Transcript
from narrator.listening.interpreter import Interpreter
from narrator.listening.listener import WHILE_SPEAKING
from narrator.script.files.locales import load_locale
from narrator.session.keyboard_input import KeyboardInput
from narrator.session.keys import CONTROLS, KEYS, pressed
from narrator.testing.monkey_moves import COMMANDS
from tests.core.small_game import SEATS, Driver

english = load_locale("en")
locale = replace(english, commands={**english.commands, "wave": ("wave [please]",)})
understanding = Interpreter(SEATS, locale)
driver = Driver().to_the_votes()
event = understanding.typed(driver.listen, "wave please")
assert isinstance(event, Transcript) and event.meaning.intent == "command:wave"
driver.tell(event)
assert driver.effects[-1] == Cue("listen")
assert priority_of(event) is Priority.OPERATOR
assert "command:wave" in WHILE_SPEAKING
assert KEYS["v"] == KEYS[pressed("Delete")] == "wave"
assert [c.commands for c in CONTROLS if c.at_once == "Delete"] == [("wave",)]
assert "wave" in COMMANDS
typed = KeyboardInput(understanding, piped=False)
assert typed.event(driver.listen, pressed("Delete")) == Key("wave")
driver.tell(Key("wave"))
assert driver.effects[-1] == Cue("listen")
print("one row")
"""


def test_a_command_is_one_row_and_its_phrases() -> None:
    assert output_of(ONE_ROW_MORE) == "one row"
