"""The lobby: "go on?" is asked, answered, repeated, silenced and left."""

from __future__ import annotations

from typing import Any

import pytest

from narrator.core.commands.table import TABLE, When
from narrator.core.effects import (
    Adjust,
    Chosen,
    Effect,
    Finish,
    Hush,
    Listen,
    Refusal,
    Refused,
    Say,
)
from narrator.core.events import (
    Key,
    PortFailed,
    Slept,
    SpeechCut,
    SpeechFinished,
    Start,
    TimerFired,
    Transcript,
)
from narrator.core.expect import Meaning
from narrator.core.lobby import APART, Lobby
from tests.core.small_game import SEATS, game

pytestmark = pytest.mark.unit

OFFER = "Small was broken off on Friday. Go on with it?"


class Asked:
    """A lobby in which the question was asked."""

    def __init__(self) -> None:
        self.lobby, self.now = Lobby(game(), SEATS, OFFER), 0.0
        self.effects: list[Effect] = []
        self.tell(Start())

    def tell(self, event: Any) -> list[Effect]:
        self.effects = self.lobby.step(event, self.now)
        return self.effects

    def heard(self) -> None:
        self.now += 3.0
        self.tell(SpeechFinished(self.lobby.awaited))

    def say(self, value: Any, intent: str = "answer", listen: int | None = None) -> list[Effect]:
        number = self.lobby.state.listen if listen is None else listen
        return self.tell(Transcript("…", Meaning(intent, value), number))

    def said(self) -> list[str]:
        return [effect.text for effect in self.effects if isinstance(effect, Say)]


def test_it_asks_and_listens_for_yes_no_and_its_own_commands() -> None:
    asked = Asked()
    assert asked.said() == [OFFER]
    listen = next(e for e in asked.effects if isinstance(e, Listen))
    own = {f"command:{row.name}" for row in TABLE.values() if When.LOBBY in row.when}
    assert {e.intent for e in listen.expectations} == {"answer", *own}
    assert own >= {"command:repeat", "command:stop", "command:help", "command:end_the_game"}
    assert listen.listen > APART and asked.lobby.awaited > APART
    assert asked.lobby.at() == "lobby"


@pytest.mark.parametrize("value", [True, False])
@pytest.mark.parametrize("heard", [True, False])
def test_an_answer_is_what_was_chosen_even_before_the_question_is_over(
    value: bool, heard: bool
) -> None:
    for by_key in (True, False):
        asked = Asked()
        if heard:
            asked.heard()
        effects = asked.tell(Key("yes" if value else "no")) if by_key else asked.say(value)
        assert effects == [Hush(), Chosen(value)]
        assert asked.lobby.deadline() is None
        assert asked.say(value) == [Refused("Transcript", Refusal.NOT_BEGUN)]


def test_it_waits_for_a_person_and_says_so() -> None:
    asked = Asked()
    lobby = asked.lobby
    assert (lobby.is_offered, lobby.is_asking, lobby.is_stuck) == (True, True, True)
    asked.heard()
    after = lobby.is_asking, lobby.awaits_answer(asked.now)
    assert after == (False, True)
    assert (lobby.is_running, lobby.is_over) == (False, False)


def test_the_question_is_asked_again_after_a_while_and_again() -> None:
    asked = Asked()
    asked.heard()
    for wait in (20.0, 30.0, 30.0):
        due = asked.lobby.deadline()
        assert due is not None and due.due == pytest.approx(asked.now + wait)
        early = asked.tell(TimerFired(due.name, due.generation))
        assert early == [Refused("TimerFired", Refusal.TIMER_NOT_DUE)]
        asked.now = due.due
        asked.tell(TimerFired(due.name, due.generation))
        assert asked.said() == [OFFER]
        again = asked.tell(TimerFired(due.name, due.generation))
        assert again == [Refused("TimerFired", Refusal.STALE_TIMER)]


@pytest.mark.parametrize("name", ["pause", "stop"])
def test_stop_silences_it_at_once_and_the_key_once_more_asks_again(name: str) -> None:
    asked = Asked()
    asked.say(None, f"command:{name}", listen=0)
    assert asked.effects[0] == Hush() and asked.lobby.deadline() is None
    asked.tell(SpeechCut(APART + 1, 0.4))
    assert asked.lobby.deadline() is None
    asked.tell(Key("pause"))
    assert asked.said() == [OFFER]


def test_repeat_asks_again() -> None:
    asked = Asked()
    asked.heard()
    asked.say(None, "command:repeat")
    assert asked.said() == [OFFER] and asked.lobby.is_asking


def test_what_is_not_understood_is_asked_for_again_and_what_is_late_is_refused() -> None:
    asked = Asked()
    unclear = Transcript("mumble", None, asked.lobby.state.listen, unclear=True)
    assert Refused("Transcript", Refusal.NOT_UNDERSTOOD) in asked.tell(unclear)
    assert asked.said()
    assert asked.say(True, listen=3) == [Refused("Transcript", Refusal.OLDER_QUESTION)]
    assert asked.say("Ana") == [Refused("Meaning", Refusal.NO_ANSWER_TO_THIS)]


@pytest.mark.parametrize("name", [row.name for row in TABLE.values()])
@pytest.mark.parametrize("by_key", [True, False])
def test_every_command_does_something_or_says_not_now(name: str, by_key: bool) -> None:
    asked = Asked()
    effects = asked.tell(Key(name)) if by_key else asked.say(None, f"command:{name}")
    refused = Refused(name, Refusal.NOT_NOW) in effects
    assert refused != (When.LOBBY in TABLE[name].when)
    assert asked.said()
    if name == "louder":
        assert Adjust("volume", "up") in effects


def test_it_can_be_left_with_nothing_played() -> None:
    asked = Asked()
    assert asked.tell(Key("end_the_game"))[-1] == Finish({}, "stopped")
    assert asked.lobby.is_over
    assert asked.tell(Key("yes")) == [Refused("Key", Refusal.GAME_OVER)]


def test_a_sleep_and_a_fault_change_nothing() -> None:
    asked = Asked()
    assert asked.tell(Slept(9.0)) == []
    failed = PortFailed("microphone", "The microphone is gone.")
    assert asked.tell(failed) == [Refused("PortFailed", Refusal.PORT_FAILED)]
    assert asked.tell(Key("yes"))[-1] == Chosen(True)
