"""Whole games whose players only press, and what their pages are sent meanwhile."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import partial
from typing import Any

import pytest

from narrator.core.events import Key, Transcript
from narrator.core.values import Value
from narrator.ports.session import Asked
from narrator.session.outcome import Outcome
from tests.adapters.page.evening import NAMES, Evening, chosen
from tests.adapters.page.hands import Hand
from tests.patience import until

pytestmark = pytest.mark.slow
GAMES: list[tuple[str, dict[str, Value]]] = [
    ("one-night-revolution", {"discussion": 60.0}),
    ("subtext", {}),
]


def by_voice(game: str, options: Mapping[str, Value]) -> Outcome:
    """Play the same game with the same answers, spoken."""
    evening = Evening(game, options, page="off")

    def answer(asked: Asked) -> None:
        words, number = spoken(evening, asked), asked.listen.listen
        if words:
            evening.world.inbox.later.append(
                (evening.world.clock.now() + 4.0, lambda: say(number, words))
            )

    def say(number: int, words: str) -> None:
        listen = evening.world.ears.listen
        if listen is not None and listen.listen == number:
            evening.world.ears.say(words)

    evening.on_asked = answer
    with evening:
        outcome = evening.wait()
    assert all(e.source == "voice" for e in evening.journal.events if isinstance(e, Transcript))
    return outcome


def spoken(evening: Evening, asked: Asked) -> str:
    """Return the words for what a page would be pressed."""
    ask = evening.told(asked)
    if not ask["buttons"]:
        return ""
    line = chosen(ask)
    labels = {button: label for button, label, _ in ask["buttons"]}
    return labels.get(line) or line.replace(" ", " and ")


@pytest.mark.parametrize(("game", "options"), GAMES)
def test_six_hands_and_a_table_play_a_whole_game(game: str, options: dict[str, Value]) -> None:
    with Evening(game, options) as evening:
        hands = [Hand(evening.url, seat) for seat in ("", *NAMES)]
        played = evening.wait()
        for hand in hands:
            hand.close()
    heard = by_voice(game, options)
    assert (played.ended, played.result, played.totals) == ("complete", heard.result, heard.totals)
    answers = [e for e in evening.journal.events if isinstance(e, Transcript) and e.meaning]
    assert {e.source for e in answers} == {"page"}
    assert {e.by for e in answers} == set(NAMES)
    shown = [data["text"] for kind, data in hands[0].messages if kind == "line"]
    assert [text for text in evening.said if text not in shown] == []


def test_some_speak_and_some_press() -> None:
    evening = Evening("subtext", {})

    def answer(asked: Asked) -> None:
        if asked.seat not in NAMES[3:]:
            words, number = spoken(evening, asked), asked.listen.listen
            evening.world.inbox.later.append(
                (evening.world.clock.now() + 2.0, lambda: say(number, words))
            )

    def say(number: int, words: str) -> None:
        listen = evening.world.ears.listen
        if words and listen is not None and listen.listen == number:
            evening.world.ears.say(words)

    evening.on_asked = answer
    with evening:
        hands = [Hand(evening.url, seat) for seat in NAMES[3:]]
        played = evening.wait()
        for hand in hands:
            hand.close()
    assert played.result == by_voice("subtext", {}).result
    sources = {e.source for e in evening.journal.events if isinstance(e, Transcript)}
    assert sources == {"voice", "page"}


def night_at_the_wire(seed_of_roles: int) -> tuple[list[bytes], Outcome]:
    """Play a night by pages; return what each was sent with eyes closed, and the outcome."""

    def restless(listen: int, ask: Mapping[str, Any]) -> list[dict[str, Any]]:
        """Return presses of somebody whose card gives more to do, or who is clumsy."""
        line = chosen(ask)
        if ask["picking"] == "several":
            line = " ".join(NAMES[seed_of_roles : seed_of_roles + 2])
        right: dict[str, Any] = {"line": line, "listen": listen}
        if not ask["eyes_closed"] or not seed_of_roles:
            return [right]
        wrong = [{**right, "listen": listen - 1}, {**right, "line": "done"}, {"command": "undo"}]
        return [*wrong, right, {**right, "number": "twice"}, {**right, "number": "twice"}]

    with Evening("one-night-revolution", {"discussion": 60.0}) as evening:
        hands = [Hand(evening.url, seat, restless) for seat in ("", *NAMES)]
        outcome = evening.wait()
        for hand in hands:
            hand.close()
    return [closed(hand.wire) for hand in hands], outcome


def closed(wire: bytes) -> bytes:
    """Return the messages from eyes closed to eyes open, without the name of the server's run."""
    messages = [m for m in wire.split(b"\n\n") if b"event: beat" not in m]
    at_night = [b'"eyes_closed":true' in message for message in messages]
    first, last = at_night.index(True), len(at_night) - at_night[::-1].index(True)
    return b"\n\n".join(re.sub(rb"id: \w+\.", b"id: ", m) for m in messages[first:last])


def test_a_night_is_the_same_bytes_whatever_the_roles() -> None:
    calm, first = night_at_the_wire(0)
    restless, second = night_at_the_wire(3)
    assert first.result != second.result
    assert len(calm[0]) > 5_000
    assert set(calm) == set(restless)
    assert len(set(calm)) == 1


def may_be_pressed(hand: Hand, command: str) -> bool:
    """Whether a page had a button for it at any time."""
    return any(command in data["commands"] for kind, data in hand.messages if kind == "ask")


def test_commands_of_a_page_are_journalled_as_its_own() -> None:
    with Evening("subtext", {}) as evening:
        hand = Hand(evening.url, "Ben", lambda listen, ask: [])
        for key in (Key("pause"), Key("resume")):
            until(partial(may_be_pressed, hand, key.command))
            assert hand.press({"command": key.command}) == 202
            until(partial(evening.journal.events.__contains__, key))
    hand.close()
    keys = [e for e in evening.journal.events if isinstance(e, Key)]
    assert [(e.command, e.source, e.by) for e in keys] == [
        ("pause", "page", "Ben"), ("resume", "page", "Ben"),
    ]  # fmt: skip
