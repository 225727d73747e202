"""A line that tells a number in digits has no other in words: "3 Rebel, three Informant"."""

from __future__ import annotations

import re

import pytest

from narrator.app.rehearse import Plan, rehearse_in_text
from narrator.core.effects import Say
from narrator.core.values import Seat
from narrator.script.files.library import list_scripts
from tests.games.at_the_table import load_game

GAMES = [entry.name for entry in list_scripts()]
WORDS = re.compile(
    r"\b(two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)\b|\bfrom one\b", re.IGNORECASE
)
"""Not `one`: most often it is no number but a pronoun or stands for `a`."""


def is_mixed(line: str) -> bool:
    return bool(re.search(r"\d", line) and WORDS.search(line))


@pytest.mark.unit
def test_there_are_games_and_mixed_lines_are_found() -> None:
    assert len(GAMES) >= 8
    assert is_mixed("Mix 3 Rebel tokens with three Informant tokens.")
    assert not is_mixed("Mix 3 tokens with 3 others.") and not is_mixed("Say the two words.")


@pytest.mark.slow
@pytest.mark.parametrize("name", GAMES)
def test_no_line_of_a_game_mixes_digits_and_words(name: str) -> None:
    loaded = load_game(name)
    lines: set[str] = set()
    for size in {loaded.game.low, min(loaded.game.high, loaded.game.low + 3)}:
        seats = [Seat(number, f"P{'ABCDEFGHIJ'[number - 1]}") for number in range(1, size + 1)]
        report, _ = rehearse_in_text(loaded, Plan(seats, seed=size))
        assert report.ended == "complete"
        said = (e for _, _, effects in report.journal for e in effects if isinstance(e, Say))
        lines |= {effect.text.replace(loaded.game.title, "") for effect in said}
    assert len(lines) > 5
    assert [line for line in sorted(lines) if is_mixed(line)] == []
