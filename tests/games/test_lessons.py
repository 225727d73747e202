"""Every shipped game teaches itself in about two minutes and answers questions about its rules."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from narrator.app.games import Loaded, load_game
from narrator.core.effects import Say, Show
from narrator.core.game import Option
from narrator.core.values import Value
from narrator.language.grammar.templates import expand
from narrator.script.files.library import list_scripts
from narrator.testing.table import Table

pytestmark = pytest.mark.unit

GAMES = [entry.name for entry in list_scripts()]
PER_MINUTE = 150
"""Words that a voice says in a minute at the usual rate."""
LANGUAGES = {"one-night-revolution": ("en", "ko")}
NAMES = ("Robert", "Julia", "Oliver", "Hannah", "Martin", "Sophie", "Victor", "Nadia", "Simon",
         "Louisa", "Edgar", "Frieda", "Gordon", "Ingrid", "Jasper", "Katrin", "Leonard", "Miriam",
         "Norbert", "Olivia")  # fmt: skip


def values(option: Option) -> list[Value]:
    """Return both ends of what an option may be, for some table."""
    if option.kind == "yesno":
        return [True, False]
    return list(option.choices)


def begun(loaded: Loaded, players: int, chosen: dict[str, Value] | None = None) -> Table:
    """Begin an evening and wait for the first question of the day."""
    table = Table(loaded.game, NAMES[:players], seed=3, locale=loaded.locale, settings=chosen)
    table.start()
    assert table.wait_until(_asks(table))
    return table


def _called(table: Table, phrase: str) -> str:
    """Return a question as it is asked: while a discussion runs, with the narrator's name."""
    return f"narrator {phrase}" if table.listen and table.listen.timed else phrase


def _asks(table: Table) -> Callable[[], bool]:
    return lambda: table.asks() is not None and not table.speaking


@pytest.mark.parametrize("name", GAMES)
def test_it_takes_about_two_minutes_and_has_an_example(name: str) -> None:
    game = load_game(name).game
    table = begun(load_game(name), game.low)
    table.hear("teach us the game")
    assert table.wait_until(lambda: not table.engine.state.moderator.is_teaching)
    told = [line for line in table.said if line.line.startswith("teach/")]
    assert len(told) == len(game.lesson) >= 2
    words = sum(len(line.text.split()) for line in told)
    assert 0.3 * PER_MINUTE <= words <= 2.2 * PER_MINUTE


@pytest.mark.parametrize(
    ("name", "language"), [(n, le) for n in GAMES for le in LANGUAGES.get(n, ("en",))]
)
def test_every_question_about_the_rules_is_answered_however_it_is_asked(
    name: str, language: str
) -> None:
    loaded = load_game(name, language=language)
    assert len(loaded.game.rulings) >= 3
    for ruling in loaded.game.rulings:
        table = begun(loaded, loaded.game.low)
        for phrase in (p for template in ruling.phrases for p in expand(template)):
            effects = table.hear(_called(table, phrase))
            said = [e.line for e in effects if isinstance(e, Say)]
            assert said[:1] == [ruling.answer.id], phrase
            assert table.wait_until(_asks(table))


@pytest.mark.parametrize("name", GAMES)
def test_no_answer_has_a_fault_whatever_the_table_chose(name: str) -> None:
    loaded = load_game(name)
    chosen = [{o.name: v} for o in loaded.game.options for v in values(o)]
    for options in ({}, *chosen):
        for players in (loaded.game.low, loaded.game.high):
            table = begun(loaded, players, options)
            for ruling in loaded.game.rulings:
                effects = table.hear(_called(table, next(iter(expand(ruling.phrases[0])))))
                assert not [e for e in effects if isinstance(e, Show)]
                spoken = next(e.text for e in effects if isinstance(e, Say))
                assert spoken.endswith((".", "!")) and "None" not in spoken, spoken
