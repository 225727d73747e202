from __future__ import annotations

import threading

import pytest

from narrator.adapters.system.inbox import Priority, ThreadInbox, priority_of
from narrator.core.events import (
    Event,
    Key,
    PortFailed,
    SpeechCut,
    SpeechFinished,
    Start,
    TimerFired,
    Transcript,
)
from narrator.core.expect import Meaning
from narrator.ports.session import Heard, Inbox

pytestmark = pytest.mark.unit


def said(text: str, intent: str = "answer") -> Transcript:
    return Transcript(text, Meaning(intent), listen=1)


def drain(inbox: ThreadInbox) -> list[Event | Heard]:
    taken = []
    while (event := inbox.take(0)) is not None:
        taken.append(event)
    return taken


@pytest.mark.parametrize(
    ("event", "priority"),
    [
        (Start(), Priority.OPERATOR),
        (Key("pause"), Priority.OPERATOR),
        (said("stop", "command:stop"), Priority.OPERATOR),
        (said("pause", "command:pause"), Priority.OPERATOR),
        (PortFailed("microphone", "device stopped"), Priority.FAULT),
        (TimerFired("turn", 1), Priority.TIMER),
        (SpeechFinished(1), Priority.TIMER),
        (SpeechCut(1, 0.5), Priority.TIMER),
        (said("repeat", "command:repeat"), Priority.TRANSCRIPT),
        (Transcript("huh", None, listen=1), Priority.TRANSCRIPT),
    ],
)
def test_every_event_has_its_class(event: Event, priority: Priority) -> None:
    assert priority_of(event) is priority


def test_urgent_first_and_first_come_within_a_class() -> None:
    inbox = ThreadInbox()
    posted: list[Event] = [
        said("one"),
        said("two"),
        TimerFired("a", 1),
        SpeechFinished(4),
        PortFailed("speaker", "device stopped"),
        said("stop", "command:stop"),
        Key("pause"),
    ]
    for event in posted:
        inbox.post(event)
    assert drain(inbox) == [posted[i] for i in (5, 6, 4, 2, 3, 0, 1)]


def test_nothing_comes_in_time() -> None:
    inbox: Inbox = ThreadInbox()
    assert inbox.take(0) is None
    assert inbox.take(-1) is None
    assert inbox.take(0.01) is None


def test_take_without_timeout_wakes_for_a_post_from_another_thread() -> None:
    inbox = ThreadInbox()
    poster = threading.Timer(0.6, inbox.post, [Key("pause")])  # longer than one slice of waiting
    poster.start()
    assert inbox.take(None) == Key("pause")
    poster.join()


def test_a_flood_drops_its_own_oldest_only() -> None:
    inbox = ThreadInbox(capacity=3)
    inbox.post(TimerFired("turn", 1))
    for number in range(5):
        inbox.post(said(str(number)))
    assert inbox.dropped == 2
    assert drain(inbox) == [TimerFired("turn", 1), said("2"), said("3"), said("4")]


def test_expiry_and_spoken_next_in_one_instant_a_thousand_times() -> None:
    for generation in range(1_000):
        inbox, together = ThreadInbox(), threading.Barrier(2)
        expiry, spoken = TimerFired("turn", generation), said("next")

        def post(
            event: Event, inbox: ThreadInbox = inbox, together: threading.Barrier = together
        ) -> None:
            together.wait()
            inbox.post(event)

        threads = [threading.Thread(target=post, args=[event]) for event in (spoken, expiry)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert drain(inbox) == [expiry, spoken]


def test_two_threads_lose_and_double_nothing_while_one_takes() -> None:
    inbox, each = ThreadInbox(capacity=100_000), 1_000

    def post(name: str) -> None:
        for generation in range(each):
            inbox.post(TimerFired(name, generation))

    threads = [threading.Thread(target=post, args=[name]) for name in "ab"]
    for thread in threads:
        thread.start()
    taken = [inbox.take(10) for _ in range(2 * each)]
    for thread in threads:
        thread.join()
    assert inbox.take(0) is None
    for name in "ab":
        order = [e.generation for e in taken if isinstance(e, TimerFired) and e.name == name]
        assert order == list(range(each))
