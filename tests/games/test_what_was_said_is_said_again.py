"""What the narrator says again: whole instructions, their numbers, and what was taken back.

No table hears a word that only the script knows, such as the value of an answer.
"""

from __future__ import annotations

import re

import pytest

from narrator.core.effects import Effect, Say, Show
from narrator.core.events import Key
from narrator.core.game import Game
from narrator.core.steps.asked.ask import Ask
from narrator.core.steps.program import Program
from narrator.language.grammar.templates import expand
from narrator.testing.table import Table
from tests.games.at_the_table import load_game, play, table_of
from tests.games.test_windows_have_one_length import GAMES, Rude

pytestmark = pytest.mark.unit

SEATS = ["Ana", "Ben", "Cy", "Dee"]


def since(table: Table, told: int) -> list[str]:
    return [line.text for line in table.said[told:]]


def do(table: Table, words: str) -> list[str]:
    """Say something, and return what is said until the table is silent."""
    told = len(table.said)
    table.hear(words)
    table.wait_for_silence()
    return since(table, told)


def press(table: Table, command: str) -> list[str]:
    told = len(table.said)
    table.tell(Key(command))
    table.wait_for_silence()
    return since(table, told)


def test_repeat_says_the_whole_instruction_and_the_numbers_alone() -> None:
    table = table_of("one-night-revolution", SEATS)
    table.expect_next()
    setup = [line.text for line in table.said]
    assert len(setup) > 4
    assert do(table, "repeat") == setup
    numbers = do(table, "what were the numbers")
    assert len(numbers) == 1
    assert "Mix 4 Rebel tokens with 3 Informant tokens." in numbers[0]
    assert "Look once" not in numbers[0]
    assert do(table, "repeat")[-1].startswith("Say ready")


def test_repeat_at_night_says_the_call_alone() -> None:
    table = table_of("one-night-revolution", SEATS, brief=False, controller="Ben")
    play(table, {"ready": "ready"}, "turn")
    assert do(table, "repeat") == ["Ben, open your eyes."]


def test_numbers_are_kept_until_there_are_others() -> None:
    table = table_of("detective-club", SEATS)
    assert press(table, "numbers") != []
    table.expect_next()
    before = do(table, "what were the numbers")
    assert any(sign.isdigit() for sign in before[0])


def test_undo_says_an_answer_as_it_was_said() -> None:
    table = table_of("one-missing-briefing", SEATS, **{"first_keeper": "Ana"})
    play(table, {"roles": "ready"}, "scene")
    table.hear("done")
    table.wait(1)
    told = len(table.said)
    table.tell(Key("undo"))
    table.wait_for_silence()
    assert "hidden" not in " ".join(since(table, told))
    assert "Taken back. That was Ana's answer, done." in since(table, told)


def test_undo_back_to_a_confirmation_says_again_what_is_to_be_confirmed() -> None:
    table = table_of("subtext", SEATS)
    table.expect_next()
    table.hear("Ben")
    table.expect_next()
    assert do(table, "yes")[0] != "Ben deals first."
    told = len(table.said)
    table.hear("undo")
    table.wait_for_silence()
    lines = since(table, told)
    assert lines[-2:] == ["Ben deals first.", "Is that right?"]


def test_a_pause_at_a_confirmation_says_again_what_is_to_be_confirmed() -> None:
    table = table_of("subtext", SEATS)
    table.expect_next()
    table.hear("Ben")
    table.expect_next()
    table.hear("pause")
    assert do(table, "go on")[-2:] == ["Ben deals first.", "Is that right?"]


def test_whose_turn_says_that_all_may_speak_only_where_they_may() -> None:
    table = table_of("one-night-revolution", SEATS, brief=False)
    play(table, {"ready": "ready"}, "turn")
    other = table_of("one-night-revolution", SEATS, brief=False)
    other.expect_next()
    other.hear("ready")
    other.wait_until(lambda: other.at == "night/say-2")
    other.tell(Key("whose_turn"))
    other.wait(8)
    assert not any("all of you may speak" in line.text for line in other.said)
    assert any(line.text.startswith("Nobody speaks now.") for line in other.said)


SCRIPTS_OWN = re.compile(r"\w_\w|[{}\[\]]|\b(?:None|True|False)\b|\bown/|[a-z]-\d\b")
"""What a script or Python writes and nobody says: names with `_`, maps and lists, step names."""


class Listener(Rude):
    """A rude table that keeps what it hears and reads, and takes back every other answer."""

    told: list[str]

    def take(self, effects: list[Effect]) -> None:
        super().take(effects)
        self.told = getattr(self, "told", [])
        self.told += [effect.text for effect in effects if isinstance(effect, (Say, Show))]

    def interrupt(self) -> None:
        if self.chance.random() < 0.5:
            self.tell(Key("undo"))
        else:
            super().interrupt()


def unsaid_values(game: Game) -> set[str]:
    """Return the values of answers that no table says in this word."""
    found: set[str] = set()
    for step in Program(game).steps.values():
        for choice in step.choices if isinstance(step, Ask) else ():
            if choice.value not in {w for p in choice.phrases for w in expand(p)}:
                found.add(choice.value)
    return found


@pytest.mark.parametrize("name", GAMES)
def test_no_line_holds_a_word_that_only_the_script_knows(name: str) -> None:
    game = load_game(name).game
    unsaid = unsaid_values(game)
    taken_back = 0
    for seed in range(8):
        table = Listener(game, seed, {}, rude=0.4)
        table.play()
        told = table.told
        wrong = [text for text in told if SCRIPTS_OWN.search(text)]
        assert wrong == []
        back = [t.rstrip(".").rpartition(", ")[2] for t in told if t.startswith("Taken back.")]
        assert [value for value in back if value in unsaid] == []
        taken_back += len(back)
    assert taken_back > 5
