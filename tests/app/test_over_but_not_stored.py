"""An evening whose process was killed between its last event and the storing of its end."""

from __future__ import annotations

import pytest

from narrator.adapters.journal.archive import Archive
from narrator.app import rehearse
from narrator.app.games import load_game
from narrator.app.records.journal_store import JournalStore, open_file
from narrator.core.record import Record
from narrator.language.messages import Messages
from narrator.script.files.locales import load_locale
from narrator.simulation.report import Report
from tests.app.stored import store

pytestmark = pytest.mark.unit


class Silent:
    """A screen that nobody reads."""

    def line(self, text: str) -> None:
        """Show nothing."""


def messages() -> Messages:
    return load_locale("en").messages


def stored() -> Record:
    """Return the one evening there is."""
    file = open_file()
    try:
        (record,) = Archive(file).records()
        return record
    finally:
        file.close()


def resumed(game: str) -> Report:
    """Go on with the one evening there is, as `narrator resume` does."""
    record = stored()
    keeping = JournalStore(Silent(), messages())
    journal, past = keeping.resumed(record)
    opening = record.opening
    plan = rehearse.Plan(opening.seats, opening.seed, journal=journal, past=past)
    report, _ = rehearse.rehearse_in_text(load_game(game), plan)
    journal.close()
    return report


def forget_saved_state() -> None:
    """Leave nothing but the events to rebuild the evening from."""
    file = open_file()
    with file.transaction() as db:
        db.execute("DELETE FROM snapshots")
    file.close()


@pytest.mark.parametrize("game", ["one-night-revolution", "subtext", "one-missing-briefing"])
@pytest.mark.parametrize("saved", [True, False])
def test_it_is_over_at_once_and_its_end_is_stored(game: str, saved: bool) -> None:
    whole = store(game, seed=4, broken_off=True)
    assert whole.ended == "complete"
    assert stored().ended == ""
    if not saved:
        forget_saved_state()
    report = resumed(game)
    assert (report.ended, report.result) == ("complete", whole.result)
    record = stored()
    assert record.ended == "complete"
    assert record.totals == whole.totals
    assert record.result == whole.result


def offered(game: str) -> int | None:
    """Return the number of the evening that `narrator play` would ask about."""
    keeping = JournalStore(Silent(), messages())
    found = keeping.found(load_game(game), None)
    keeping.close()
    return None if found is None else found.record.number


def drop_last_event() -> None:
    """Leave the evening as a kill just before its last event does."""
    file = open_file()
    with file.transaction() as db:
        db.execute("DELETE FROM entries WHERE number = (SELECT max(number) FROM entries)")
        db.execute("DELETE FROM snapshots")
    file.close()


@pytest.mark.parametrize("saved", [True, False])
def test_nobody_is_asked_about_a_game_that_is_over(saved: bool) -> None:
    whole = store("subtext", seed=4, broken_off=True)
    if not saved:
        forget_saved_state()
    assert offered("subtext") is None
    record = stored()
    assert (record.ended, record.result, record.totals) == ("complete", whole.result, whole.totals)
    assert record.finished and record.seconds > 0


def test_a_game_that_lacks_its_last_event_is_offered() -> None:
    store("subtext", seed=4, broken_off=True)
    drop_last_event()
    assert offered("subtext") == 1
    assert stored().ended == ""


def test_behind_a_game_that_is_over_the_one_before_is_offered() -> None:
    store("subtext", seed=3, broken_off=True)
    drop_last_event()
    store("subtext", seed=4, broken_off=True)
    assert offered("subtext") == 1
