"""The journal of the first release opens in every later one. The fixture is never changed."""

import shutil
from pathlib import Path

import pytest

from narrator.adapters.journal.archive import Archive
from narrator.adapters.journal.file import NAME
from narrator.adapters.journal.sqlite import SqliteJournal
from narrator.adapters.system.clock import local_moment
from narrator.app import rehearse
from narrator.app.records.journal_store import open_file, stored_game, with_script
from narrator.config.sources import data_folder
from narrator.core.events import Resumed
from narrator.simulation.simulated_players import Line

pytestmark = pytest.mark.unit

FIXTURE = Path(__file__).parents[1] / "fixtures" / "journal-0.1.0.sqlite3"


@pytest.fixture
def first_release():
    data_folder().mkdir(parents=True)
    shutil.copy(FIXTURE, data_folder() / NAME)
    file = open_file()
    yield file
    file.close()


def test_its_evenings_can_be_read(first_release):
    assert first_release.note == ""
    over, broken_off = Archive(first_release).records()
    assert (over.opening.game, over.ended) == ("two-truths-and-a-lie", "complete")
    assert over.result["winners"] == ["Robert", "Julia", "Oliver"]
    assert over.opening.begun == "2026-11-30T20:14:00+01:00"
    assert len(Archive(first_release).entries(over.number)) == 88
    assert (broken_off.opening.game, broken_off.ended) == ("scorekeeper", "")


def test_its_unfinished_evening_can_be_resumed_and_asks_nothing_again(first_release):
    archive = Archive(first_release)
    record, past = with_script(archive, archive.record(2)), archive.past(2)
    loaded = stored_game(record)
    journal = SqliteJournal(first_release, local_moment, evening=2)
    lines = [Line(text) for text in ("next round", "game over", "yes")]
    plan = rehearse.Plan(
        record.opening.seats, record.opening.seed, lines=lines, journal=journal, past=past
    )
    report, _ = rehearse.rehearse_in_text(loaded, plan)
    assert report.ended == "complete" and not report.faults
    stored = archive.entries(2)
    assert stored[12].event == Resumed()
    assert archive.record(2).totals == report.totals
    journal.close()
