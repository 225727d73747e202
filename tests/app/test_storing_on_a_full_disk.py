"""A full disk ends no game, neither a resumed nor a new one."""

import contextlib
import os

import pytest

from narrator.app.games import load_game
from narrator.app.records.journal_store import JournalStore, opening_of
from narrator.config.settings import Settings
from narrator.core.events import Key, Start
from narrator.core.values import Seat
from narrator.ports.errors import JournalError
from tests.told import ENGLISH, refused

resource = pytest.importorskip("resource", reason="Windows has no limit on the size of files.")
pytestmark = [
    pytest.mark.unit,
    pytest.mark.skipif(os.name != "posix", reason="Windows has no limit on the size of files."),
]


class Screen:
    def __init__(self):
        self.lines = []

    def line(self, text):
        self.lines.append(text)


@contextlib.contextmanager
def full_disk(room=1):
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (room, limits[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)


@pytest.fixture
def opening():
    loaded = load_game("scorekeeper")
    seats = tuple(Seat(n, name) for n, name in enumerate(["Ana", "Ben"], 1))
    return opening_of(loaded, seats, {}, Settings(), 1)


@pytest.fixture
def keeping(opening):
    """One evening was broken off."""
    journal = JournalStore(Screen(), ENGLISH).journal(opening)
    journal.append(0.0, Start(), [])
    journal.close()
    made = JournalStore(Screen(), ENGLISH)
    yield made
    made.close()


def test_a_declined_evening_is_resumed(keeping):
    record = keeping.record(None)
    keeping.decline(record)
    with full_disk():
        journal, past = keeping.resumed(record)
        assert past.events == ((0.0, Start()),)
        with refused(JournalError, match="the disk is full"):
            journal.append(1.0, Key("pause"), [])


def test_another_game_is_begun_instead_and_the_old_one_is_offered_again(keeping):
    record = keeping.record(None)
    with full_disk():
        keeping.decline(record)
    assert keeping.record(None).number == record.number


@pytest.mark.parametrize("room", [0, 5_000, 20_000])
def test_without_room_for_a_journal_it_is_said_and_played(room, opening):
    screen = Screen()
    with full_disk(room):
        keeping = JournalStore(screen, ENGLISH)
    assert len(screen.lines) == 1 and screen.lines[0].endswith(ENGLISH.then["not kept"])
    journal = keeping.journal(opening)
    journal.append(0.0, Start(), [])
    assert [entry.event for entry in journal.entries()] == [Start()]
    keeping.close()
