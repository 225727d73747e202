"""Chance, teams, the time of a timer and a part that calls itself, in a small game of its own."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from narrator.core.effects import Effect, Say, Show
from narrator.core.engine import Engine
from narrator.core.events import Key, Start
from narrator.core.game import Game
from narrator.core.values import Seat, Value
from narrator.script.compiler.compile import compile_script
from narrator.script.files.locales import load_locale
from narrator.testing.monkey import Monkeys
from narrator.testing.table import Table

PATH = Path(__file__).parents[2] / "fixtures" / "scripts" / "chance" / "game.yaml"
NAMES = ("Ana", "Ben", "Cy", "Dee", "Eve")
HEAD = "narrator: 1\ntitle: Test\nplayers: {min: 4, max: 8}\n"
CARDS = ["ace", "king", "queen", "jack", "ten"]

pytestmark = pytest.mark.unit


def compiled(steps: str, parts: str = "") -> tuple[Game | None, list[str]]:
    body = "".join(f"      {line}\n" for line in steps.strip("\n").splitlines())
    made = compile_script(f"{HEAD}{parts}phases:\n  play:\n    steps:\n{body}")
    return made.game, [f"{d.code} {d.message}" for d in made.diagnostics]


def played(steps: str, seed: int = 1) -> tuple[dict[str, Value], list[Effect]]:
    """Play steps that need nobody; return what the variables hold, and the effects."""
    game, faults = compiled(steps)
    assert game is not None, faults
    engine = Engine(game, [Seat(i, name) for i, name in enumerate(NAMES, 1)], seed=seed)
    return engine.state.variables, engine.step(Start(), 0.0)


def table(seed: int = 1, players: int = 4) -> Table:
    game = compile_script(PATH).game
    assert game is not None
    at = Table(game, NAMES[:players], seed=seed, locale=load_locale("en"))
    at.start()
    at.wait_until(lambda: at.at == "play/timer-1")  # all that is drawn is drawn
    return at


def texts(at: Table) -> list[str]:
    return [line.text for line in at.said]


def variables(at: Table) -> dict[str, Any]:
    return at.engine.state.variables


def test_every_card_is_drawn_once_and_the_rest_is_what_is_left() -> None:
    for seed in range(20):
        held = variables(table(seed))
        drawn = [*held["hand"], held["open_card"], *held["deck"]]
        assert sorted(drawn) == sorted(CARDS)
        assert len(held["hand"]) == 2
        assert len(held["deck"]) == 2


def test_the_seed_decides_and_another_seed_decides_otherwise() -> None:
    assert variables(table(5)) == variables(table(5))
    assert len({json.dumps(variables(table(seed))) for seed in range(12)}) == 12


def test_orders_are_drawn_evenly() -> None:
    steps = "- shuffle: order\n  from: [a, b, c]"
    seen = Counter(str(played(steps, seed)[0]["order"]) for seed in range(600))
    assert len(seen) == 6
    assert min(seen.values()) > 70  # 100 each; a fair shuffle is below 70 once in 2,000 tries


def test_dice_show_every_side_and_no_other() -> None:
    steps = "- roll: one\n- roll: many\n  dice: 3\n  sides: 4"
    rolls = [played(steps, seed)[0] for seed in range(200)]
    assert {held["one"] for held in rolls} == {1, 2, 3, 4, 5, 6}
    many = [held["many"] for held in rolls]
    assert all(isinstance(dice, list) and len(dice) == 3 for dice in many)
    assert {side for dice in many if isinstance(dice, list) for side in dice} == {1, 2, 3, 4}


@pytest.mark.parametrize("players", [4, 5])
def test_teams_hold_everybody_once_and_are_as_equal_as_can_be(players: int) -> None:
    seen = set()
    for seed in range(60):
        sides: dict[str, list[str]] = variables(table(seed, players))["sides"]
        sizes = sorted(map(len, sides.values()))
        assert sizes == [players // 2, players - players // 2]
        assert sorted([*sides["north"], *sides["south"]]) == list(NAMES[:players])
        assert all(team == sorted(team) for team in sides.values())  # clockwise, as the names are
        seen.add(len(sides["north"]))
    assert seen == {players // 2, players - players // 2}  # the larger team is chance, too


def test_team_of_and_by_team() -> None:
    held, _ = played(
        "- set: {sides: {red: [Ana, Cy], blue: [Ben]}}\n"
        "- set:\n"
        "    mine: \"{{ 'Cy' | team_of(sides) }}\"\n"
        "    none at all: \"{{ 'Dee' | team_of(sides) }}\"\n"
        "    sums: \"{{ {'Ana': 2, 'Cy': 3, 'Dee': 9} | by_team(sides) }}\""
    )
    assert held["mine"] == "red"
    assert held["none_at_all"] is None
    assert held["sums"] == {"red": 5, "blue": 0}


@pytest.mark.parametrize(
    ("steps", "told"),
    [
        ("- set: {deck: []}\n- draw: card\n  from: deck", "1 should be drawn from a list of 0"),
        ("- draw: hand\n  from: [a, b]\n  count: n", "5 should be drawn from a list of 2"),
        ("- roll: die\n  sides: \"{{ n - 4 }}\"", "a roll has 2 to 1000 sides, not 1"),
        ("- roll: die\n  dice: \"{{ n * 30 }}\"", "a roll has 1 to 100 dice, not 150"),
        ("- teams: sides\n  names: [a, b]\n  in: \"{{ [seats[0]] }}\"",
         "2 teams cannot be made of 1 players"),
    ],
)  # fmt: skip
def test_what_cannot_be_drawn_is_told_and_the_game_goes_on(steps: str, told: str) -> None:
    _, effects = played(f"{steps}\n- say: On we go.")
    shown = [effect.text for effect in effects if isinstance(effect, Show)]
    assert [text for text in shown if told in text], shown
    assert [effect.text for effect in effects if isinstance(effect, Say)] == ["On we go."]


@pytest.mark.parametrize(
    ("steps", "told"),
    [
        ("- roll: die\n  sides: 1", "NS027 Between 2 and 1000 sides a die has, not 1."),
        ("- roll: die\n  dice: 0", "NS027 Between 1 and 100 dice are rolled, not 0."),
        ("- draw: card\n  from: [a]\n  count: -1",
         "NS027 Between 0 and 500 things are drawn, not -1."),
        ("- draw: card", "NS021 `from` is missing here."),
        ("- shuffle: deck", "NS041 Nothing is called `deck` here."),
        ("- teams: sides\n  names: [a, a]",
         "NS027 Every team has a name of its own, and there is one at least."),
        ("- teams: sides\n  names: [a, b, c, d, e]", "NS027 5 teams cannot be made of 4 players."),
        ("- draw: n\n  from: [a]",
         "NS030 `n` cannot be a name: it is a post, an option, or one of n, seats, title and "
         "totals."),
    ],
)  # fmt: skip
def test_what_can_be_seen_beforehand_is_told_by_check(steps: str, told: str) -> None:
    assert told in compiled(steps)[1]


def test_a_timer_tells_how_long_it_ran_and_how_long_it_had_left() -> None:
    at = table()
    at.wait_until(lambda: at.engine.state.moderator.is_timing)
    at.wait(20.4)
    at.hear("we are done", at_once=True)
    held = variables(at)
    assert (held["used"], held["kept"]) == (20, 40)
    assert at.wait_until(lambda: "You used 20 seconds and kept 40 seconds." in texts(at))


def test_a_timer_that_ran_out_ran_its_whole_time_with_what_was_added() -> None:
    at = table()
    at.wait_until(lambda: at.engine.state.moderator.is_timing)
    at.wait(10.0)
    at.key("pause")
    at.wait(100.0)  # what is paused is not used
    at.key("resume")
    at.key("more_time")
    assert at.wait_until(lambda: any("kept 0 seconds" in text for text in texts(at)))
    assert variables(at)["used"] == 120  # 60, and the minute that "more time" gives
    assert "Time, after 2 minutes." in texts(at)


def test_a_timer_skipped_before_it_ran_has_all_its_time_left() -> None:
    at = table()
    at.wait_until(lambda: any(text == "Talk." for text in texts(at)))
    at.key("skip")
    assert (variables(at)["used"], variables(at)["kept"]) == (0, 60)


def test_a_part_calls_itself_as_often_as_it_may() -> None:
    at = table()
    at.wait_until(lambda: at.engine.state.moderator.is_timing)
    at.hear("we are done", at_once=True)
    for _ in range(3):  # the first time, and two more
        for seat, whom in zip(NAMES, ("Ben", "Ana", "Dee", "Cy"), strict=False):
            assert at.expect_next().seat == seat
            at.hear(whom)
    at.wait_until(lambda: at.finish is not None)
    assert at.finish is not None
    assert texts(at).count("A tie. Once more.") == 3
    assert at.engine.state.totals == dict.fromkeys(NAMES[:4], 5)


def test_a_part_within_itself_without_a_bound_or_beyond_all_bounds_is_told() -> None:
    parts = "parts:\n  round:\n    - say: Hello.\n    - part: round\n"
    assert compiled("- part: round", parts)[1] == [
        "NS051 The part `round` contains itself: round > round."
    ]
    for most in (0, 51):
        told = compiled("- part: round", f"{parts}      at most: {most}\n")[1]
        assert "NS027 A part calls itself between 1 and 50 times." in told
    game, faults = compiled("- part: round", f"{parts}      at most: 50\n")
    assert game is not None, faults


def test_a_part_that_calls_itself_twice_is_refused_before_it_multiplies() -> None:
    twice = "    - part: round\n      at most: 50\n" * 2
    parts = f"parts:\n  round:\n    - say: Hello.\n{twice}"
    assert [told[:5] for told in compiled("- part: round", parts)[1]] == ["NS008"]


def test_undo_takes_chance_back_so_that_nobody_can_draw_again() -> None:
    steps = (
        "- ask: Ready?\n  answer: yes/no\n  into: ready\n- roll: die\n  sides: 1000\n"
        '- say: "{{ die }}."\n- ask: Sure?\n  answer: yes/no\n  into: sure'
    )
    game, _ = compiled(steps)
    assert game is not None
    at = Table(game, NAMES[:4], seed=9, locale=load_locale("en"))
    at.start()
    at.wait_until(lambda: at.asks() is not None)
    at.hear("yes")
    first = variables(at)["die"]
    at.wait_for_silence()
    at.tell(Key("undo"))
    at.wait_until(lambda: at.engine.at().endswith("ask-1"))
    at.hear("yes")
    assert variables(at)["die"] == first


def test_an_evening_of_chance_is_saved_and_replayed() -> None:
    at = table(seed=11)
    at.wait_until(lambda: at.engine.state.moderator.is_timing)
    assert at.replay() is None
    again = Engine(at.engine.game, [Seat(i, n) for i, n in enumerate(NAMES[:4], 1)])
    again.restore(json.loads(json.dumps(at.engine.to_dict(at.now))), at.now)
    assert again.state.chance == at.engine.state.chance
    assert again.state.variables == at.engine.state.variables


def test_random_tables_always_come_to_an_end() -> None:
    game = compile_script(PATH).game
    assert game is not None
    monkeys = Monkeys(game, load_locale("en"))
    faults = [fault for seed in range(60) for fault in monkeys.run(seed).faults]
    assert faults == []
