"""Whatever went wrong can be said while it can still be mended, in every game."""

from __future__ import annotations

import pytest

from narrator.core.effects import Listen
from narrator.core.events import Key
from narrator.testing.table import Table
from tests.games.at_the_table import Answer, play, table_of

pytestmark = pytest.mark.unit

SEATS = ["Ana", "Ben", "Cy", "Dee", "Eli"]


def ended_early(listen: Listen) -> str:
    """End a talk: say so, and then how many hands are up."""
    return "five" if any(e.kind == "number" for e in listen.answers) else "we are done"


NIGHT: dict[str, Answer] = {
    "ready": "ready",
    "night-ready": "ready",
    "turn": "task complete",
    "controller-looks": "task complete",
    "morning": "all is well",
    "declare": "done",
    "discussion": ended_early,
    "ask": lambda listen: next(s for s in SEATS if s != listen.seat),
    "right": "yes",
}


def call_off(table: Table) -> str:
    """Say that something went wrong and mean it; return what is then said first."""
    table.hear("something went wrong")
    table.wait_for_silence()
    told = len(table.said)
    assert table.said[-1].text.endswith("Yes or no."), table.story()
    table.hear("yes")
    table.wait_for_silence()
    return table.said[told].text


@pytest.mark.parametrize("step", ["declare", "discussion", "ask"])
def test_a_night_is_played_again_with_the_same_controller_until_the_votes_are_counted(
    step: str,
) -> None:
    table = table_of("one-night-revolution", SEATS, controller="Cy")
    if step == "discussion":
        play(table, NIGHT, "declare")
        for _ in SEATS:
            table.expect_next()
            table.wait(2.5)
            table.hear("done")
        table.wait_until(lambda: table.at == "day/discussion" and not table.speaking)
        table.hear("narrator, something went wrong")
        table.wait_for_silence()
        told = len(table.said)
        table.hear("yes")
        table.wait_for_silence()
        assert table.said[told].text.startswith("Then give all")
    else:
        play(table, NIGHT, step)
        assert call_off(table).startswith("Then give all tokens and cards back. Cy stays")
    assert table.at.startswith("setup")
    listen = play(table, NIGHT, "turn")
    assert isinstance(listen, Listen) and listen.seat == "Cy"
    play(table, NIGHT, "reveal")


def test_it_is_too_late_once_a_token_is_turned() -> None:
    table = table_of("one-night-revolution", SEATS, controller="Cy")
    play(table, NIGHT, "reveal")
    table.tell(Key("spoiled_round"))
    table.wait_for_silence()
    assert table.said[-1].text == (
        "No round can be called off now. Say undo to take back the last answer."
    )


def test_a_night_of_mafia_is_played_again_until_somebody_is_out() -> None:
    table = table_of("mafia", SEATS)
    play(table, {"ready": "ready"}, "said")
    table.hear("all is well")
    play(table, {}, "red")
    assert call_off(table).startswith("Then this night counts for nobody.")
    assert table.at.startswith("night")
    play(table, {"said": "all is well", "red": "Ana", "blue": "no"}, "card")
    table.tell(Key("spoiled_round"))
    table.wait_for_silence()
    assert table.said[-1].text.startswith("No round can be called off now.")


def test_a_turn_of_a_game_without_a_night_begins_again_for_the_same_player() -> None:
    table = table_of("two-truths-and-a-lie", SEATS, first_teller="Ben")
    listen = play(table, {"thinking": ended_early}, "statement")
    assert isinstance(listen, Listen) and listen.seat == "Ben"
    table.hear("done")
    table.expect_next()
    assert call_off(table) == "This turn counts for nobody. Ben begins it again."
    listen = table.expect_next()
    assert (listen.seat, table.said[-1].text) == ("Ben", "Ben, your first statement.")
    told = play(
        table, {"statement": "done", "talk": ended_early, "ask": "two", "right": "yes"}, "lie"
    )
    assert told is not None


def test_a_word_of_fictionary_counts_for_nobody() -> None:
    table = table_of("fictionary", SEATS, first_picker="Ben")
    play(table, {"word": "done", "known": "no"}, "known")
    assert call_off(table) == "This word counts for nobody. Ben picks another."
    listen = table.expect_next()
    assert (listen.step.rpartition("/")[2], listen.seat) == ("word", "Ben")
