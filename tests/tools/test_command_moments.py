"""Every command at every kind of moment of every game: what docs/commands.md tells is so."""

from __future__ import annotations

import pytest

from tools.command_moments import CHANGES, NIGHT, PAGE, Tried, all_tried, page

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def found() -> list[Tried]:
    return all_tried()


def test_the_page_is_true(found: list[Tried]) -> None:
    assert PAGE.read_text(encoding="utf-8") == page(found)


def test_nothing_changes_by_a_command_that_must_not(found: list[Tried]) -> None:
    wrong = {(t.game, t.moment, t.command) for t in found if t.changed and t.command not in CHANGES}
    assert wrong == set()


def test_with_eyes_closed_only_the_safe_ones_are_heard(found: list[Tried]) -> None:
    heard = {t.command for t in found if NIGHT in t.moment and t.outcome != "not now"}
    assert heard == {"repeat", "pause", "stop"}


def test_the_end_is_never_unasked(found: list[Tried]) -> None:
    assert {t.outcome for t in found if t.command == "end_the_game"} <= {
        "asks first", "later", "not now",
    }  # fmt: skip
