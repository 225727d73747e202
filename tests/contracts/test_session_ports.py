"""What every clock, inbox, screen and journal promises, asked of each there is."""

from __future__ import annotations

import io
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from narrator.adapters.journal.file import JournalFile
from narrator.adapters.journal.memory import JournalPair, MemoryJournal
from narrator.adapters.journal.sqlite import SqliteJournal
from narrator.adapters.system.clock import SessionClock
from narrator.adapters.system.inbox import ThreadInbox
from narrator.adapters.terminal.plain_screen import PlainScreen
from narrator.core.effects import Say
from narrator.core.events import (
    Event,
    Key,
    PortFailed,
    SpeechFinished,
    Start,
    TimerFired,
    Transcript,
)
from narrator.core.record import Opening
from narrator.core.values import Seat
from narrator.ports.session import Clock, Inbox, Screen
from narrator.ports.storage import Journal
from narrator.simulation.clock import VirtualClock
from narrator.simulation.virtual_inbox import VirtualInbox
from tests.patience import limit

pytestmark = pytest.mark.unit

MOMENT = "2026-11-30T20:14:00+01:00"
OPENING = Opening(
    "small", "Small", "en", (Seat(1, "Ana"),), {}, {}, 5, {"game.yaml": "x"}, "abc", "0.1.0", MOMENT
)


# --- clocks

CLOCKS: dict[str, Callable[[], Clock]] = {"session": SessionClock, "virtual": VirtualClock}


@pytest.fixture(params=CLOCKS)
def clock(request: pytest.FixtureRequest) -> Clock:
    return CLOCKS[request.param]()


def test_a_clock_starts_at_nothing_and_never_goes_back(clock: Clock) -> None:
    times = [clock.now() for _ in range(2000)]
    assert 0.0 <= times[0] < 1.0
    assert times == sorted(times) and times[-1] < 5.0


# --- inboxes


@pytest.fixture(params=["threads", "virtual"])
def inbox(request: pytest.FixtureRequest) -> Inbox:
    if request.param == "threads":
        return ThreadInbox()
    return VirtualInbox(VirtualClock())


def test_an_inbox_gives_what_is_urgent_first_and_else_in_order(inbox: Inbox) -> None:
    posted: list[Event] = [
        Transcript("yes", None, 1),
        SpeechFinished(3),
        PortFailed("speaker", "It is gone."),
        Transcript("no", None, 1),
        TimerFired("talk", 2),
        Key("pause"),
        Start(),
    ]
    for event in posted:
        inbox.post(event)
    wanted = [posted[n] for n in (5, 6, 2, 1, 4, 0, 3)]
    assert [inbox.take(0) for _ in posted] == wanted
    assert inbox.take(0) is None


def test_an_inbox_takes_from_many_threads_and_loses_nothing(inbox: Inbox) -> None:
    def post(first: int) -> None:
        for number in range(first, first + 40):
            inbox.post(SpeechFinished(number))

    threads = [threading.Thread(target=post, args=(100 * n,)) for n in range(1, 6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(limit(10))
    taken = [inbox.take(0) for _ in range(200)]
    numbers = [event.utterance for event in taken if isinstance(event, SpeechFinished)]
    assert len(numbers) == 200 and inbox.take(0) is None
    for n in range(1, 6):  # each thread's own stay in order
        own = [number for number in numbers if number // 100 == n]
        assert own == sorted(own)


def test_a_flood_of_one_kind_does_not_push_out_another(inbox: Inbox) -> None:
    inbox.post(SpeechFinished(1))
    for _ in range(5000):
        inbox.post(Transcript("murmur", None, 1))
    inbox.post(Key("stop"))
    assert [inbox.take(0), inbox.take(0)] == [Key("stop"), SpeechFinished(1)]
    left = 0
    while inbox.take(0) is not None:
        left += 1
    assert 0 < left < 1000


# --- screens


def test_screens_take_any_text_as_one_line() -> None:
    out = io.StringIO()
    screens: list[tuple[Screen, Callable[[], list[str]]]] = [
        (PlainScreen(out), lambda: out.getvalue().splitlines()),
    ]
    for screen, lines in screens:
        for text in ("Night.", "", "two\nlines", "\x1b[31mred\x07", "민수 wins", "\ud800 odd"):
            screen.line(text)
        shown = lines()
        assert len(shown) == 6
        assert shown[0] == "Night." and "민수 wins" in shown
        assert not any(ord(sign) < 32 for line in shown for sign in line)


# --- journals


@pytest.fixture(params=["memory", "memory and a file", "sqlite", "a pair"])
def journal(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Journal]:
    def stored() -> Journal:
        file = JournalFile(tmp_path / "journal.sqlite3", "0.1.0", MOMENT)
        return SqliteJournal(file, lambda: MOMENT, opening=OPENING)

    makers: dict[str, Callable[[], Journal]] = {
        "memory": MemoryJournal,
        "memory and a file": lambda: MemoryJournal(tmp_path / "log.jsonl"),
        "sqlite": stored,
        "a pair": lambda: JournalPair(stored(), MemoryJournal()),
    }
    made = makers[request.param]()
    yield made
    made.close()


def test_a_journal_gives_back_what_it_was_given_in_order(journal: Journal) -> None:
    journal.append(0.0, Start(), [Say(1, "Eyes closed.")])
    journal.keep(0.5, {"mode": "running"})
    journal.beat(1.0)
    journal.append(2.5, Transcript("yes", None, 1), iter([Say(2, "Good."), Say(3, "Go.")]))
    journal.append(2.5, Key("pause"), ())
    entries = journal.entries()
    assert [entry.number for entry in entries] == [0, 1, 2]
    assert [entry.now for entry in entries] == [0.0, 2.5, 2.5]
    assert [entry.event for entry in entries] == [Start(), Transcript("yes", None, 1), Key("pause")]
    assert entries[1].effects == (Say(2, "Good."), Say(3, "Go."))
    assert entries[2].effects == ()


def test_a_journal_can_be_finished_and_closed_twice(journal: Journal) -> None:
    journal.append(0.0, Start(), ())
    journal.finish(9.0, "complete", {"winners": ["Ana"]}, {"Ana": 3})
    assert len(journal.entries()) == 1
    journal.close()
    journal.close()
