"""A script's lesson and its answers about the rules: heard by day, and the game goes on behind."""

from __future__ import annotations

from dataclasses import replace

import pytest

from narrator.core.commands.lesson import GAP
from narrator.core.effects import Hush, Listen, Refusal, Refused, Say
from narrator.core.engine import Engine
from narrator.core.events import Event, Key, SpeechFinished, Start, TimerFired, Transcript
from narrator.core.expect import Meaning
from narrator.core.game import Game, Phase, Ruling
from narrator.core.state import LESSON, State
from narrator.core.steps.asked.ask import Ask
from narrator.core.steps.asked.hear import Hear
from narrator.core.steps.asked.timer import Timer
from narrator.core.steps.spoken.wait import Wait
from narrator.core.values import Constant
from tests.core.small_game import SEATS, Driver, text

pytestmark = pytest.mark.unit

TIE = Ruling("tie", ("what happens on a tie",), "what happens on a tie", text("Nobody wins."))


def game(*, night: bool = False) -> Game:
    day = (
        Ask("ask", text("Which number?", "question"), "number", "answer", high=Constant(9)),
        Timer("timer", Constant(300.0), text("Talk."), None, None, text("Time.")),
        Wait("window", Constant(20.0)),
    )
    dark = (Hear("dark", ("task complete",)),)
    phases = (Phase("night", dark, eyes_closed=True),) if night else (Phase("day", day),)
    return Game(
        "small", "Small", "en", 2, 4, phases, rulings=(TIE,), lesson=(text("One."), text("Two."))
    )


class Evening(Driver):
    def __init__(self, **wanted: bool) -> None:
        super().__init__(engine=Engine(game(**wanted), SEATS, seed=1))
        self.take(self.engine.step(Start(), self.now))

    def tell(self, event: Event) -> list[object]:
        effects = self.engine.step(event, self.now)
        self.take(effects)
        return list(effects)

    def heard(self) -> list[object]:
        return self.tell(SpeechFinished(self.engine.state.awaited))

    def say(self, name: str) -> list[object]:
        return self.tell(Transcript(name, Meaning(f"command:{name}"), self.engine.state.listen))

    def part(self) -> list[object]:
        return self.tell(SpeechFinished(self.engine.state.lesson_line))

    def gap(self) -> list[object]:
        self.now += GAP
        return self.tell(TimerFired(LESSON, self.engine.state.timers[LESSON].generation))


def lines(effects: list[object]) -> list[str]:
    return [effect.text for effect in effects if isinstance(effect, Say)]


@pytest.fixture
def evening() -> Evening:
    made = Evening()
    made.heard()
    return made


def test_a_question_about_the_rules_is_answered_and_the_open_question_asked_again(
    evening: Evening,
) -> None:
    assert lines(evening.say("rule:tie")) == ["Nobody wins.", "Which number?"]
    assert evening.engine.state.moderator.is_answering


def test_a_timer_runs_on_while_a_question_about_the_rules_is_answered(evening: Evening) -> None:
    evening.tell(Transcript("4", Meaning("answer", 4), evening.engine.state.listen))
    evening.heard()
    due = evening.engine.state.timers["step"].due
    effects = evening.say("rule:tie")
    assert lines(effects) == ["Nobody wins."]
    assert not any(isinstance(effect, Hush) for effect in effects)
    assert evening.engine.state.timers["step"].due == due


def test_the_lesson_lets_every_timer_stand_still(evening: Evening) -> None:
    evening.tell(Transcript("4", Meaning("answer", 4), evening.engine.state.listen))
    evening.heard()
    left = evening.engine.state.timers["step"].left(evening.now)
    assert lines(evening.say("teach"))[-1] == "One."
    evening.now += 60
    assert lines(evening.part()) == []
    assert lines(evening.gap()) == ["Two."]
    evening.now += 60
    evening.part()
    assert evening.engine.state.timers["step"].left(evening.now) == pytest.approx(left)
    assert evening.engine.state.moderator.is_timing
    assert LESSON not in evening.engine.state.timers


def test_the_lesson_can_be_left_paused_repeated_and_skipped(evening: Evening) -> None:
    evening.say("teach")
    assert lines(evening.say("repeat")) == ["One."]
    evening.say("pause")
    assert lines(evening.say("resume"))[-1] == "One."
    assert lines(evening.say("skip")) == ["Two."]
    assert lines(evening.say("to_the_game"))[-1] == "Which number?"
    assert evening.engine.state.moderator.is_answering
    assert evening.say("to_the_game")[0] == Refused("to_the_game", Refusal.NOT_NOW)


def test_next_in_the_silence_behind_a_part_says_the_part_that_is_due(evening: Evening) -> None:
    evening.say("teach")
    evening.part()
    assert lines(evening.say("skip")) == ["Two."]


def test_a_game_saved_between_two_parts_goes_on_with_the_next(evening: Evening) -> None:
    evening.say("teach")
    evening.part()
    evening.now += 1.0
    saved = evening.engine.state.to_dict(evening.now)
    evening.engine.state = State.from_dict(saved, evening.now)
    due = evening.engine.deadline()
    assert due is not None and due.due == pytest.approx(evening.now + GAP - 1.0)
    assert lines(evening.gap()) == ["Two."]


def test_an_answer_during_the_lesson_is_none(evening: Evening) -> None:
    evening.say("teach")
    effects = evening.tell(Transcript("4", Meaning("answer", 4), evening.engine.state.listen))
    assert any(isinstance(effect, Refused) for effect in effects)
    assert "answer" not in evening.engine.state.variables


def test_neither_is_heard_at_night() -> None:
    dark = Evening(night=True)
    effects = [*dark.say("rule:tie"), *dark.say("teach"), *dark.tell(Key("rule:tie"))]
    assert lines(effects) == []
    listen = Evening(night=True).engine.step(Start(), 0.0)
    assert all(
        "rule:" not in e.intent for le in listen if isinstance(le, Listen) for e in le.expectations
    )


def test_a_fixed_window_is_not_stretched_by_a_question(evening: Evening) -> None:
    evening.tell(Transcript("4", Meaning("answer", 4), evening.engine.state.listen))
    evening.heard()
    evening.tell(Key("stop_the_timer"))
    while not evening.engine.state.moderator.is_waiting:
        evening.heard()
    due = evening.engine.state.timers["step"].due
    evening.say("rule:tie")
    evening.say("teach")
    assert evening.engine.state.moderator.is_waiting
    assert evening.engine.state.timers["step"].due == due


def test_a_game_without_either_says_so() -> None:
    bare = Evening()
    bare.engine = Engine(replace(game(), rulings=(), lesson=()), SEATS, seed=1)
    bare.tell(Start())
    bare.heard()
    assert lines(bare.say("teach")) == ["no lesson"]
    assert lines(bare.say("rules")) == ["no rulings"]
    assert bare.say("rule:tie")[0] == Refused("rule:tie", Refusal.NOT_NOW)
