"""The journal's file: what is stored, what is refused, and what no fault may destroy."""

import json
import os
import resource
import signal
import sqlite3
import stat
import subprocess
import sys
from dataclasses import replace

import pytest

from narrator.adapters.journal import file as journal_file
from narrator.adapters.journal.archive import Archive
from narrator.adapters.journal.file import JournalFile, NewerJournalError
from narrator.adapters.journal.lock import EveningLock
from narrator.adapters.journal.sqlite import SqliteJournal
from narrator.core.effects import Say
from narrator.core.engine import Engine
from narrator.core.events import Key, SpeechFinished, Start
from narrator.core.record import Opening
from narrator.core.values import Seat
from narrator.ports.errors import JournalError
from narrator.ports.storage import Entry
from tests.core.small_game import SEATS, Driver, game
from tests.told import refused

pytestmark = pytest.mark.unit

MOMENT = "2026-11-30T20:14:00+01:00"
OPENING = Opening(
    "small", "Small", "en", tuple(SEATS), {"look": 7.0}, {"rate": 165}, 5,
    {"game.yaml": "the script"}, "abc", "0.1.0", MOMENT,
)  # fmt: skip


def opened(path, migrations=journal_file.MIGRATIONS):
    return JournalFile(path, "0.1.0", MOMENT, migrations)


def journal(path, **how):
    file = opened(path)
    return SqliteJournal(file, lambda: MOMENT, **(how or {"opening": OPENING}))


@pytest.fixture
def path(tmp_path):
    return tmp_path / "data" / "journal.sqlite3"


def test_an_evening_comes_back_as_it_was_stored(path):
    kept = journal(path)
    kept.append(0.0, Start(), [Say(1, "Eyes closed.")])
    kept.append(2.5, SpeechFinished(1), [])
    kept.close()
    file = opened(path)
    record = Archive(file).record(1)
    assert record.opening == replace(OPENING, script={})
    assert Archive(file).script(record) == OPENING.script
    assert (record.ended, record.is_over()) == ("", False)
    assert Archive(file).entries(1) == [
        Entry(0, 0.0, Start(), (Say(1, "Eyes closed."),)),
        Entry(1, 2.5, SpeechFinished(1), ()),
    ]
    file.close()


def test_an_event_is_in_the_file_before_anything_else_happens(path):
    kept = journal(path)
    kept.append(0.0, Start(), [])
    other = opened(path)
    assert Archive(other).count(1) == 1
    kept.append(1.0, Key("pause"), [])
    assert Archive(other).count(1) == 2
    other.close()
    kept.close()


def test_nothing_is_stored_of_an_evening_that_never_began(path):
    journal(path).close()
    file = opened(path)
    assert Archive(file).records() == []
    file.close()


def test_file_and_folder_are_private(path):
    kept = journal(path)
    kept.append(0.0, Start(), [])
    for part in path.parent.iterdir():
        assert stat.S_IMODE(part.stat().st_mode) == 0o600, part
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
    kept.close()


def test_a_file_that_others_could_read_becomes_private(path):
    journal(path).close()
    path.chmod(0o644)
    journal(path).close()
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_a_commit_waits_for_the_disk_and_writers_do_not_wait_for_readers(path):
    file = opened(path)
    assert file.db.execute("PRAGMA journal_mode").fetchone()[0] == "wal"
    assert file.db.execute("PRAGMA synchronous").fetchone()[0] == 2
    file.close()


def test_one_evening_has_one_writer_and_two_tables_play_at_once(path):
    first, second = journal(path), journal(path)
    first.append(0.0, Start(), [])
    second.append(0.0, Start(), [])
    first.append(1.0, Key("pause"), [])
    assert (first.evening, second.evening) == (1, 2)
    with refused(JournalError, match="Evening 1 is being played by another Narrator"):
        journal(path, evening=1)
    first.close()
    journal(path, evening=1).close()
    second.close()


def test_the_lock_of_a_process_that_was_killed_is_free(path):
    journal(path).close()
    code = (
        "import sys, time; from pathlib import Path\n"
        "from narrator.adapters.journal.lock import EveningLock\n"
        "lock = EveningLock(Path(sys.argv[1]), 1); print(lock.take(), flush=True); time.sleep(60)"
    )
    with subprocess.Popen(
        [sys.executable, "-c", code, str(path.parent)], stdout=subprocess.PIPE, text=True
    ) as other:
        assert other.stdout is not None and other.stdout.readline() == "True\n"
        assert not EveningLock(path.parent, 1).take()
        other.send_signal(signal.SIGKILL)
        other.wait()
    lock = EveningLock(path.parent, 1)
    assert lock.take()
    lock.release(remove=True)
    assert not (path.parent / "evening-1.lock").exists()


def test_a_game_is_rebuilt_from_its_saved_state_and_the_events_after_it(path):
    kept = journal(path)
    driver = Driver()
    whole = driver.engine.step

    def step(event, now):
        effects = whole(event, now)
        kept.append(now, event, effects)
        if kept._number == 6:
            kept.keep(now, driver.engine.to_dict(now))
        return effects

    driver.engine.step = step  # type: ignore[method-assign]
    driver.to_the_votes()
    kept.beat(driver.now + 7.0)
    kept.close()
    file = opened(path)
    past = Archive(file).past(1)
    file.close()
    engine = Engine(game(), SEATS, seed=99)
    assert past.state is not None and len(past.events) > 3
    engine.restore(past.state, past.saved)
    for now, event in past.events:
        engine.step(event, now)
    assert json.dumps(engine.to_dict(0)) == json.dumps(driver.engine.to_dict(0))
    assert past.now == driver.now + 7.0


def test_a_newer_file_is_refused_with_the_version_it_needs_and_stays_as_it_is(path):
    later = (*journal_file.MIGRATIONS, ("CREATE TABLE sounds (name TEXT)",))
    JournalFile(path, "0.7.0", MOMENT, later).close()
    before = path.read_bytes()
    with refused(NewerJournalError, match=r"0\.7\.0.*install 0\.7\.0 or later"):
        opened(path)
    assert path.read_bytes() == before


def test_an_older_file_is_migrated_in_order_and_keeps_its_evenings(path):
    kept = journal(path)
    kept.append(0.0, Start(), [])
    kept.close()
    later = (
        *journal_file.MIGRATIONS,
        ("ALTER TABLE evenings ADD COLUMN place TEXT NOT NULL DEFAULT 'home'",),
        ("UPDATE evenings SET place = place || ' and away'",),
    )
    file = JournalFile(path, "0.3.0", MOMENT, later)
    assert file.db.execute("SELECT place FROM evenings").fetchall() == [("home and away",)]
    assert file.db.execute("PRAGMA user_version").fetchone()[0] == len(later)
    assert Archive(file).record(1).opening == replace(OPENING, script={})
    file.close()


def test_a_migration_that_fails_leaves_the_file_at_the_version_before(path):
    opened(path).close()
    broken = (*journal_file.MIGRATIONS, ("CREATE TABLE half (a)", "CREATE NONSENSE"))
    with pytest.raises(JournalError):
        JournalFile(path, "0.3.0", MOMENT, broken)
    file = opened(path)
    assert file.db.execute("SELECT name FROM sqlite_master WHERE name = 'half'").fetchall() == []
    file.close()


@pytest.mark.parametrize("damage", ["other", "head", "empty pages"])
def test_a_damaged_file_is_set_aside_twice_and_never_overwritten(path, damage):
    for count in range(2):
        kept = journal(path)
        for number in range(40):
            kept.append(float(number), Key("pause"), [Say(number, "word " * 200)])
        kept.close()
        whole = path.read_bytes()
        harmed = {
            "other": b"a letter to my aunt, " * 500,
            "head": b"\0" * 100 + whole[100:],
            "empty pages": whole[:4096] + b"\xff" * (len(whole) - 4096),
        }[damage]
        path.write_bytes(harmed)
        file = opened(path)
        assert "It was set aside as" in file.note
        saved = count + 1 if damage == "head" else 0  # of the others no row is left
        assert [len(Archive(file).entries(r.number)) for r in Archive(file).records()] == (
            [40] * saved
        )
        file.close()
        asides = sorted(path.parent.glob("journal-damaged-2026-11-30T20-14-00*.sqlite3"))
        assert len(asides) == count + 1
        assert harmed in [aside.read_bytes() for aside in asides]


def test_another_programs_database_is_left_alone(path):
    path.parent.mkdir()
    with sqlite3.connect(path) as db:
        db.execute("CREATE TABLE mine (a)")
    db.close()
    with refused(JournalError, match="is not a journal of Narrator"):
        opened(path)


def test_a_place_where_nothing_can_be_written_is_one_sentence(tmp_path):
    blocked = tmp_path / "file"
    blocked.write_text("no folder")
    with refused(JournalError, match=r"cannot be used.*Set NARRATOR_DATA to another folder"):
        opened(blocked / "journal.sqlite3")


@pytest.mark.skipif(os.name != "posix", reason="Windows has no limit on the size of files.")
def test_what_a_full_disk_refused_is_stored_as_soon_as_there_is_room(path):
    kept = journal(path)
    kept.append(0.0, Start(), [])
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1, limits[1]))
    try:
        for number in range(3):
            with refused(JournalError, match="the disk is full or fails"):
                kept.append(float(number), Key("pause"), [])
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    kept.append(9.0, Key("resume"), [])
    assert [entry.now for entry in kept.entries()] == [0.0, 0.0, 1.0, 2.0, 9.0]
    kept.close()


def test_how_it_ended_is_stored_and_the_saved_state_dropped(path):
    kept = journal(path)
    kept.append(0.0, Start(), [])
    kept.keep(0.0, {"a": 1})
    kept.finish(61.0, "complete", {"winners": ["Ana"]}, {"Ana": 5})
    kept.close()
    file = opened(path)
    record = Archive(file).record(1)
    assert (record.ended, record.seconds, record.finished) == ("complete", 61.0, MOMENT)
    assert (record.result, record.totals) == ({"winners": ["Ana"]}, {"Ana": 5})
    assert file.db.execute("SELECT count(*) FROM snapshots").fetchone()[0] == 0
    assert Archive(file).unfinished() is None
    file.close()


def test_only_what_was_broken_off_is_found_again_until_it_is_declined(path):
    for ended in ("complete", ""):
        kept = journal(path)
        kept.append(0.0, Start(), [])
        if ended:
            kept.finish(1.0, ended, {}, {})
        kept.close()
    file = opened(path)
    archive = Archive(file)
    found = archive.unfinished("small")
    assert found is not None and found.number == 2
    assert archive.unfinished("other") is None
    archive.decline(2)
    assert archive.unfinished() is None
    archive.reopen(2)
    assert archive.unfinished() is not None
    file.close()


def everything(folder):
    return b"".join(part.read_bytes() for part in folder.iterdir())


def test_an_evening_that_is_forgotten_is_in_no_byte_of_the_file(path):
    for name in ("Zebedee", "Ana"):
        opening = Opening(
            "g", "G", "en", (Seat(1, name),), {}, {}, 5, {"game.yaml": name}, name, "0.1.0", MOMENT
        )
        kept = journal(path, opening=opening)
        for number in range(30):
            kept.append(float(number), Key(f"{name} said"), [])
        kept.close()
    assert b"Zebedee" in everything(path.parent)
    file = opened(path)
    Archive(file).forget([1])
    assert [r.number for r in Archive(file).records()] == [2]
    assert b"Zebedee" not in everything(path.parent)
    file.close()
    assert b"Zebedee" not in everything(path.parent)
    assert b"Ana said" in everything(path.parent)


def test_a_player_who_is_forgotten_leaves_the_outcome_to_the_others(path):
    seats = (Seat(1, "Zebedee", "zeb"), Seat(2, "Ben"))
    opening = Opening(
        "g",
        "G",
        "en",
        seats,
        {"dealer": "Zebedee"},
        {},
        5,
        {"game.yaml": "x"},
        "x",
        "0.1.0",
        MOMENT,
    )
    for ended in ("complete", ""):
        kept = journal(path, opening=opening)
        kept.append(0.0, Key("zebedee has two"), [Say(1, "Zebedee.")])
        kept.keep(0.0, {"who": "Zebedee"})
        if ended:
            kept.finish(9.0, ended, {"winners": ["Zebedee"]}, {"Zebedee": 3, "Ben": 1})
        kept.close()
    file = opened(path)
    assert Archive(file).forget_player("zebedee") == (1, 1)
    record = Archive(file).record(1)
    assert record.names() == ["Somebody 1", "Ben"]
    assert record.totals == {"Somebody 1": 3, "Ben": 1}
    assert record.result == {"winners": ["Somebody 1"]}
    assert record.opening.options == {"dealer": "Somebody 1"}
    assert Archive(file).entries(1) == []
    file.close()
    assert b"zeb" not in everything(path.parent).lower()
