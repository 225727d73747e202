"""A damaged journal: nothing that is whole is lost, and what is lost is told."""

import os
import shutil
import sqlite3
import struct

import pytest

from narrator.adapters.journal import file as journal_file
from narrator.adapters.journal.archive import Archive
from narrator.adapters.journal.file import JournalFile, NewerJournalError
from narrator.adapters.journal.lock import EveningLock
from narrator.adapters.journal.salvage import shapes
from narrator.adapters.journal.sqlite import SqliteJournal
from narrator.core.effects import Say
from narrator.core.events import Key, SpeechFinished
from narrator.core.record import Opening
from narrator.core.values import Seat
from narrator.ports.errors import JournalError
from narrator.script.files.locales import load_locale
from tests.told import refused

pytestmark = pytest.mark.unit

MOMENT = "2026-11-30T20:14:00+01:00"
NAMES = ("Ana", "Ben", "Cy")
EVENTS = 30


@pytest.fixture
def path(tmp_path):
    """A journal with three evenings, the last broken off."""
    path = tmp_path / "data" / "journal.sqlite3"
    for name in NAMES:
        store(path, name, over=name != "Cy")
    return path


def store(path, name, *, over, keep=False):
    opening = Opening(
        "g", f"Game of {name}", "en", (Seat(1, name),), {}, {}, 5, {"game.yaml": name}, name,
        "0.1.0", MOMENT,
    )  # fmt: skip
    kept = SqliteJournal(opened(path), lambda: MOMENT, opening=opening)
    for number in range(EVENTS):
        kept.append(float(number), Key("pause"), [Say(number, f"word {number} " * 50)])
    if over:
        kept.finish(61.0, "complete", {"winners": [name]}, {name: 5})
    if keep:
        return kept
    kept.close()
    return None


def opened(path, *, reading=False):
    return JournalFile(path, "0.1.0", MOMENT, reading=reading)


def names_in(file):
    return [(r.names()[0], len(Archive(file).entries(r.number))) for r in Archive(file).records()]


def asides(path):
    return [p for p in path.parent.iterdir() if "damaged" in p.name]


def head_gone(path):
    path.write_bytes(b"\0" * 100 + path.read_bytes()[100:])


def tables_gone(path):
    path.write_bytes(b"\xff" * 4096 + path.read_bytes()[4096:])


def as_of_later(path):
    raw = bytearray(path.read_bytes())
    raw[60:64] = struct.pack(">I", 200)
    path.write_bytes(raw)


def as_of_earlier(path):
    raw = bytearray(path.read_bytes())
    raw[60:64] = struct.pack(">I", 0)
    path.write_bytes(raw)


def as_of_others(path):
    raw = bytearray(path.read_bytes())
    raw[68] ^= 1
    path.write_bytes(raw)


def kind_of_every_page_gone(path):
    raw = bytearray(path.read_bytes())
    for at in range(4096, len(raw), 4096):
        raw[at] = 77
    path.write_bytes(raw)


def table_renamed(path):
    raw = path.read_bytes()
    path.write_bytes(raw.replace(b"evenings", b"evenangs"))


@pytest.mark.parametrize(
    "damage",
    [head_gone, tables_gone, as_of_later, as_of_earlier, as_of_others, kind_of_every_page_gone,
     table_renamed],
)  # fmt: skip
def test_what_is_whole_is_read_and_then_saved(path, damage):
    damage(path)
    harmed = path.read_bytes()
    file = opened(path, reading=True)
    assert names_in(file) == [(name, EVENTS) for name in NAMES]
    assert "is damaged. 3 evenings with 90 events could be saved." in file.note
    assert file.note in Archive(file).notes()
    file.close()
    assert path.read_bytes() == harmed and not asides(path)
    file = opened(path)
    assert names_in(file) == [(name, EVENTS) for name in NAMES]
    assert [Archive(file).script(r) for r in Archive(file).records()] == [
        {"game.yaml": name} for name in NAMES
    ]
    (aside,) = asides(path)
    assert f"set aside as {aside}" in file.note and "3 evenings with 90 events" in file.note
    assert aside.read_bytes() == harmed
    file.close()
    later = opened(path, reading=True)
    assert later.note == "" and str(aside) in Archive(later).notes()[0]
    later.close()
    aside.unlink()
    later = opened(path, reading=True)
    assert Archive(later).notes() == []
    later.close()


@pytest.mark.parametrize("part", [0.3, 0.5, 0.8])
def test_of_a_file_that_was_cut_everything_before_the_cut_is_left(path, part):
    length = int(path.stat().st_size * part)
    os.truncate(path, length)
    file = opened(path, reading=True)
    found = names_in(file)
    told = file.note
    file.close()
    assert "is damaged" in told and path.stat().st_size == length
    if part > 0.5:  # the evenings stand on the fourth page of all
        assert [name for name, _ in found] == list(NAMES)
        assert 0 < sum(count for _, count in found) < EVENTS * len(NAMES)


def test_an_empty_file_with_a_full_log_beside_it_gives_its_evenings_back(path):
    kept = store(path, "Dee", over=False, keep=True)
    place = path.parent.parent / "copy"
    shutil.copytree(path.parent, place)
    kept.close()
    copy = place / path.name
    os.truncate(copy, 0)
    (place / f"{path.name}-shm").unlink()
    log = (place / f"{path.name}-wal").read_bytes()
    file = opened(copy, reading=True)
    assert ("Dee", EVENTS) in names_in(file)
    assert "is damaged" in file.note
    file.close()
    assert (place / f"{path.name}-wal").read_bytes() == log
    file = opened(copy)
    assert ("Dee", EVENTS) in names_in(file)
    file.close()


def test_a_bad_byte_amid_the_log_costs_no_evening_after_it(path):
    kept = store(path, "Dee", over=False, keep=True)
    place = path.parent.parent / "copy"
    shutil.copytree(path.parent, place)
    kept.close()
    log = place / f"{path.name}-wal"
    raw = bytearray(log.read_bytes())
    raw[32 + 24 + 4000] ^= 255  # of the first frame's page: SQLite takes none of them then
    log.write_bytes(raw)
    file = opened(place / path.name, reading=True)
    assert ("Dee", EVENTS) in names_in(file)
    assert "is damaged" in file.note
    file.close()


@pytest.mark.parametrize(
    ("change", "left"),
    [
        ("UPDATE evenings SET seats = substr(seats, 1, 9) WHERE id = 2", ["Ana", "Cy"]),
        (
            "UPDATE evenings SET seats = '[{\"number\": 1, \"name\": 7}]' WHERE id = 2",
            ["Ana", "Cy"],
        ),
        ("UPDATE evenings SET totals = 'NaN' WHERE id = 2", ["Ana", "Cy"]),
        ("UPDATE evenings SET title = x'ff' WHERE id = 2", ["Ana", "Cy"]),
        ("UPDATE evenings SET title = char(27) || '[31m' WHERE id = 2", ["Ana", "Ben", "Cy"]),
        ("UPDATE evenings SET title = cast(x'41ff' AS TEXT) WHERE id = 2", ["Ana", "Cy"]),
        ("UPDATE evenings SET seed = 'x' WHERE id = 2", ["Ana", "Cy"]),
        ("UPDATE evenings SET begun = '' WHERE id = 2", ["Ana", "Cy"]),
        ("UPDATE evenings SET seats = '[{\"number\": 1, \"name\": \"Ben\"}]' WHERE id = 2",
         ["Ana", "Ben", "Cy"]),
        ("DELETE FROM scripts", ["Ana", "Ben", "Cy"]),
    ],
)  # fmt: skip
def test_a_bad_row_is_told_and_stepped_over_and_can_be_forgotten(path, change, left):
    change_in(path, change)
    file = opened(path)
    archive = Archive(file)
    assert [record.names()[0] for record in archive.records()] == left
    lost = "Ben" not in left
    assert bool(archive.notes()) == lost
    if lost:
        assert archive.notes()[0].startswith("Evening 2 cannot be read: its ")
        with pytest.raises(JournalError) as fault:
            archive.record(2)
        told = load_locale("en").messages.fault(fault.value.code, fault.value.fields)
        assert "damaged" in str(told) and "narrator forget 2" in str(told)
    archive.forget([2])
    assert [record.names()[0] for record in archive.records()] == ["Ana", "Cy"]
    assert not archive.has(2)
    file.close()


def test_a_player_is_forgotten_in_a_damaged_evening_as_well(path):
    change_in(path, "UPDATE evenings SET totals = '{' WHERE id = 2")
    file = opened(path)
    assert Archive(file).damaged_with("ben") == [2]
    assert Archive(file).forget_player("Ben") == (0, 1)
    assert not Archive(file).has(2)
    file.close()


@pytest.mark.parametrize(
    "change",
    [
        "UPDATE entries SET event = substr(event, 1, 5)",
        'UPDATE entries SET event = \'{"is": "Nothing"}\'',
        'UPDATE entries SET event = \'{"is": "Say", "utterance": 1, "text": "x"}\'',
        "UPDATE entries SET event = x'fe'",
        "UPDATE entries SET effects = substr(effects, 1, 9)",
        "UPDATE entries SET effects = x''",
        "UPDATE entries SET now = 'soon'",
        "DELETE FROM entries",
    ],
)
def test_of_a_bad_event_the_others_are_told_and_the_game_goes_on_before_it(path, change):
    change_in(path, f"{change} WHERE evening = 3 AND number = 11")
    file = opened(path)
    archive = Archive(file)
    assert [e.number for e in archive.entries(3)] == [n for n in range(EVENTS) if n != 11]
    assert archive.notes() == ["1 event of evening 3 cannot be read."]
    assert len(archive.raw(3)) == 11 and len(archive.raw(1)) == EVENTS
    if "effects" in change:
        assert archive.past(3).count() == EVENTS
        file.close()
        return
    past = archive.past(3)
    assert (past.count(), past.now) == (11, 10.0)
    kept = SqliteJournal(file, lambda: MOMENT, evening=3, number=past.count())
    kept.append(11.0, SpeechFinished(1), [])
    assert [e.number for e in archive.entries(3)] == list(range(12))
    kept.close()


def test_a_bad_saved_state_is_rebuilt_from_the_events(path):
    change_in(path, "REPLACE INTO snapshots VALUES (3, 20, 19.0, x'789c')")
    file = opened(path)
    archive = Archive(file)
    past = archive.past(3)
    assert (past.state, past.first, past.count()) == (None, 0, EVENTS)
    assert archive.notes() == ["The saved state of evening 3 is damaged; its events are used."]
    file.close()


def test_a_later_journal_without_what_it_needs_is_one_clear_sentence(path):
    later = (*journal_file.MIGRATIONS, ("CREATE TABLE sounds (name TEXT)",))
    JournalFile(path, "0.7.0", MOMENT, later).close()
    for change in ("DELETE FROM about", "UPDATE about SET value = ''", "DROP TABLE about"):
        change_in(path, change)
        for reading in (False, True):
            with refused(NewerJournalError, match=r"later Narrator\. This is 0\.1\.0"):
                opened(path, reading=reading)


def test_a_damaged_file_that_somebody_plays_with_stays_where_it_is(path):
    head_gone(path)
    lock = EveningLock(path.parent, 3)
    assert lock.take()
    with refused(JournalError, match=r"another Narrator is playing.*End that game first"):
        opened(path)
    assert not asides(path)
    lock.release(remove=True)
    opened(path).close()
    assert asides(path)


def test_what_is_damaged_while_it_is_played_is_saved_and_the_game_goes_on_in_the_new_file(path):
    kept = store(path, "Dee", over=False, keep=True)
    kept._file.db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    raw = bytearray(path.read_bytes())
    for at in range(4096, len(raw), 4096):
        raw[at] = 77
    path.write_bytes(raw)
    kept._file.db.execute("PRAGMA shrink_memory")
    for number in range(EVENTS, EVENTS + 5):
        kept.append(float(number), Key("pause"), [])
    kept.close()
    file = opened(path)
    assert names_in(file) == [*((name, EVENTS) for name in NAMES), ("Dee", EVENTS + 5)]
    file.close()


def test_to_read_makes_nothing_and_reads_an_old_journal_as_it_is(tmp_path, path):
    file = opened(tmp_path / "none" / "journal.sqlite3", reading=True)
    assert Archive(file).records() == []
    file.close()
    assert not (tmp_path / "none").exists()
    later = (*journal_file.MIGRATIONS, ("CREATE TABLE sounds (name TEXT)",))
    before = path.read_bytes()
    file = JournalFile(path, "0.7.0", MOMENT, later, reading=True)
    assert len(Archive(file).records()) == 3
    file.close()
    assert path.read_bytes() == before


def test_a_number_that_was_forgotten_is_no_other_evening_s_after_the_rescue(path):
    file = opened(path)
    Archive(file).forget([3])
    file.close()
    head_gone(path)
    opened(path).close()
    store(path, "Dee", over=True)
    file = opened(path)
    assert [r.number for r in Archive(file).records()] == [1, 2, 4]
    file.close()


def test_no_two_tables_have_rows_of_one_shape():
    """What is saved of a damaged file is put into its table by its shape alone."""
    db = sqlite3.connect(":memory:")
    for statements in journal_file.MIGRATIONS:
        for statement in statements:
            db.execute(statement)
    found = [(len(s.names), s.alias is None, s.kinds) for s in shapes(db)]
    db.close()
    assert len(found) >= 4 and len(set(found)) == len(found)


def test_to_ask_who_plays_leaves_no_file_behind(path):
    file = opened(path, reading=True)
    assert [Archive(file).is_played(n) for n in range(50)] == [False] * 50
    file.close()
    assert not list(path.parent.glob("evening-*.lock")) or [
        p.name for p in path.parent.glob("evening-*.lock")
    ] == ["evening-3.lock"]


def change_in(path, statement):
    with sqlite3.connect(path) as db:
        db.execute(statement)
    db.close()
