"""Every worked scoring case of the rules comes out as told."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from narrator.core.game import Game
from narrator.script.authoring.score import score_case
from narrator.script.compiler.compile import compile_script

TESTS = Path(__file__).parents[2]
SCRIPTS = TESTS.parent / "scripts"
CASES: dict[str, list[dict[str, Any]]] = json.loads(
    (TESTS / "games" / "scoring-examples.json").read_text(encoding="utf-8")
)

pytestmark = pytest.mark.unit


def game(path: Path) -> Game:
    compiled = compile_script(path)
    assert compiled.game is not None, "\n".join(map(str, compiled.diagnostics))
    return compiled.game


def check(found: dict[str, Any], expected: dict[str, Any]) -> None:
    if expected.get("refused"):
        assert set(found) == {"refused"}
        assert found["refused"].endswith(".")
    else:
        assert found == expected


@pytest.fixture(scope="module")
def revolution() -> Game:
    return game(SCRIPTS / "one-night-revolution")


@pytest.mark.parametrize("case", CASES["one-night-revolution"], ids=lambda c: c["case"])
def test_one_night_revolution(case: dict[str, Any], revolution: Game) -> None:
    check(score_case(revolution, case["input"]), case["expect"])


OTHERS = sorted(set(CASES) - {"one-night-revolution"})


@pytest.mark.parametrize("name", OTHERS)
def test_the_language_carries_the_scoring_of_other_games(name: str) -> None:
    other = game(SCRIPTS / name)
    assert CASES[name]
    for case in CASES[name]:
        check(score_case(other, case["input"]), case["expect"])


@pytest.mark.parametrize(
    ("changed", "reason"),
    [
        ({"votes": {"A": "Z", "B": "A", "C": "B"}}, "there is no seat called Z"),
        ({"votes": {"A": "B", "B": "A"}}, "The vote of C is missing"),
        ({"votes": ["A", "B"]}, "something for each seat is wanted"),
        ({"informants": ["Q"]}, "there is no seat called Q"),
        ({"informants": ["A", "A"]}, "a seat is named twice"),
        ({"informants": "A"}, "a list of seats is wanted"),
        ({"seats": ["A", "A", "C"]}, "Two seats have the name"),
        ({"seats": ["A", "B"]}, "2 players are not 3 to 10"),
        ({"seats": "ABC"}, "The seats should be a list"),
        ({"vots": {}}, "Nothing in this game is called vots"),
    ],
)
def test_impossible_input_is_refused_in_plain_words(
    changed: dict[str, Any], reason: str, revolution: Game
) -> None:
    whole = {"seats": ["A", "B", "C"], "votes": {"A": "B", "B": "A", "C": "B"}, "informants": []}
    assert reason in str(score_case(revolution, whole | changed)["refused"])


def test_lacking_input_is_named(revolution: Game) -> None:
    found = score_case(revolution, {"seats": ["A", "B", "C"], "votes": {"A": "B"}})
    assert found == {"refused": "The input lacks informants."}
