"""A game that is taken up again: after a crash, after the machine slept, after an undo."""

import json
from dataclasses import replace

import pytest

from narrator.core.effects import Cover, Finish, Listen, Refused, Say
from narrator.core.engine import Engine
from narrator.core.events import Key, Resumed, Slept, SpeechFinished, Start
from narrator.core.game import Game, Phase
from narrator.core.steps.asked.ask import Ask
from narrator.core.values import Constant
from tests.core.small_game import SEATS, Driver, Of, game, text

pytestmark = pytest.mark.unit


def said(effects):
    return [effect.text for effect in effects if isinstance(effect, Say)]


def left(driver):
    return driver.engine.state.timers["step"].left(driver.now)


def test_the_open_question_is_said_again_and_what_was_answered_is_not_asked():
    driver = Driver().to_the_votes()
    driver.hear("Ben")
    effects = driver.engine.step(Resumed(), driver.now)
    assert said(effects) == ["Ben, whom?"]
    driver.take(effects)
    driver.settle()
    driver.hear("Ana")
    assert driver.engine.state.variables["votes"] == {"Ana": "Ben", "Ben": "Ana"}


def test_the_masking_sound_of_the_night_is_on_again():
    driver = Driver().start()
    assert Cover(True) in driver.engine.step(Resumed(), driver.now)


def test_a_timer_keeps_what_it_had_left_whatever_went_by_outside():
    driver = Driver().to_the_day()
    driver.wait(100)
    before = left(driver)
    driver.now += 500  # of another session on the same clock
    effects = driver.engine.step(Resumed(outside=500.0), driver.now)
    assert left(driver) == pytest.approx(before)
    assert said(effects) == [f"{round(before)} seconds left."] or "left" in said(effects)[0]


def test_a_pause_stays_a_pause():
    driver = Driver().to_the_day()
    driver.tell(Key("pause"))
    effects = driver.engine.step(Resumed(), driver.now)
    assert said(effects) == ["paused"] and driver.engine.is_paused
    driver.take(effects)
    driver.tell(Key("resume"))
    assert driver.engine.state.timers["step"].due is not None


def test_a_confirmation_that_was_open_is_asked_no_more():
    driver = Driver().to_the_day()
    driver.tell(Key("end_the_game"))
    driver.take(driver.engine.step(Resumed(), driver.now))
    assert not driver.engine.is_confirming
    assert driver.engine.state.timers["step"].due is not None


def over(driver):
    driver.to_the_votes()
    driver.tell(Key("end_the_game"))
    driver.tell(Key("yes"))
    return driver


@pytest.mark.parametrize("event", [Resumed(), Slept(60.0)])
def test_before_the_game_it_is_refused(event):
    assert isinstance(Driver().engine.step(event, 0.0)[0], Refused)


def test_a_sleep_after_the_game_is_refused():
    driver = over(Driver())
    assert isinstance(driver.engine.step(Slept(60.0), driver.now)[0], Refused)


def test_a_game_that_was_over_is_told_to_be_stopped_again():
    driver = over(Driver())
    effects = driver.engine.step(Resumed(), driver.now)
    assert said(effects) == ["ended"]
    assert effects[-1] == Finish({}, "stopped")


@pytest.mark.parametrize("saved", [True, False])
def test_a_game_that_came_to_its_end_has_the_same_result_again(saved):
    steps = (Ask("who", text("Who?"), kind="seat", into="who"),)
    asks = replace(
        game(), phases=(Phase("only", steps),), result=(("who", Of(lambda scope: scope["who"])),)
    )
    driver = Driver(engine=Engine(asks, SEATS))
    driver.start()
    driver.hear("Ben")
    engine = driver.engine
    assert engine.is_over
    if saved:
        engine = Engine(asks, SEATS)
        engine.restore(json.loads(json.dumps(driver.engine.to_dict(driver.now))), driver.now)
    assert engine.step(Resumed(), driver.now) == [Finish({"who": "Ben"}, "complete")]


def test_taking_up_is_part_of_the_journal_and_replays_alike():
    journal = []
    driver = Driver()
    whole = driver.engine.step

    def step(event, now):
        effects = whole(event, now)
        journal.append((now, event, effects))
        return effects

    driver.engine.step = step  # type: ignore[method-assign]
    driver.to_the_day()
    driver.tell(Resumed(3.0))
    driver.tell(Slept(90.0))
    driver.tell(Key("yes"))
    driver.wait(400)
    again = Engine(game(), SEATS, seed=1)
    assert [again.step(event, now) for now, event, _ in journal] == [e for _, _, e in journal]


def test_after_a_sleep_the_table_decides_whether_it_counts():
    for answer, lost in ((True, 120.0), (False, 0.0)):
        driver = Driver().to_the_day()
        driver.wait(30)
        before = left(driver)
        driver.tell(Slept(120.0))
        assert driver.said[-1] == "really slept"
        driver.now += 20  # nobody loses time by thinking about it
        driver.hear(answer)
        assert left(driver) == pytest.approx(before - lost)


def test_a_timer_that_would_be_over_ends_at_once_and_warns_of_nothing_past():
    driver = Driver().to_the_day()
    driver.tell(Slept(10_000.0))
    count = len(driver.said)
    driver.hear(True, settle=False)
    due = driver.engine.deadline()
    assert due is not None and due.due == driver.now and due.name == "step"
    driver.wait(0)
    assert "Time." in driver.said[count:]


def test_at_night_it_is_told_and_every_wait_keeps_its_length():
    driver = Driver().start()
    before = left(driver)
    effects = driver.engine.step(Slept(300.0), driver.now)
    assert said(effects) == ["slept"]
    assert not any(isinstance(effect, Listen) for effect in effects)
    assert left(driver) == before and not driver.engine.is_confirming


def test_a_sleep_while_a_line_is_said_does_not_cut_it():
    driver = Driver()
    driver.tell(Start())
    awaited = driver.engine.state.awaited
    driver.tell(Slept(60.0))
    driver.tell(SpeechFinished(awaited))
    assert driver.engine.at() == "night/dark"


def test_an_undo_tells_whose_answer_it_was_and_which():
    driver = Driver().to_the_votes()
    told: list[Say] = []
    original = driver.engine.step

    def step(event, now):
        effects = original(event, now)
        told.extend(e for e in effects if isinstance(e, Say) and e.line.startswith("own/undone"))
        return effects

    driver.engine.step = step
    driver.hear("Ben")
    snapshot = json.loads(json.dumps(driver.engine.to_dict(driver.now)))["history"][-1]
    assert (snapshot["told"], snapshot["teller"]) == ("Ben", "Ana")
    driver.command("undo")
    assert told[-1].line == "own/undone_answer_of"
    assert "votes" not in driver.engine.state.variables


def test_at_night_an_undo_tells_nothing():
    driver = Driver().start()
    driver.wait(3)
    driver.wait(3)
    driver.hear("task complete", "phrase")
    driver.effects.clear()
    driver.tell(Key("undo"))
    driver.wait(2)
    own = [e.line for e in driver.effects if isinstance(e, Say) and e.line.startswith("own/")]
    assert own == ["own/undone"]


def asked(within=20.0):
    """Ask for a number that must come in time, until the question was heard."""
    ask = Ask("count", text("How many?", "question"), "number", "n", within=Constant(within))
    more = Ask("more", text("More?", "question"), "number", "m")
    limited = Game("limited", "Limited", "en", 3, 5, (Phase("only", (ask, more)),))
    return Driver(engine=Engine(limited, SEATS, seed=1)).start()


def time_left(driver):
    return driver.engine.state.timers["limit"].left(driver.now)


def resumed(driver):
    driver.tell(Resumed())


def paused_for_a_while(driver):
    driver.tell(Key("pause"))
    driver.now += 100.0
    driver.tell(Key("resume"))


def saved_and_loaded(driver):
    saved = json.loads(json.dumps(driver.engine.to_dict(driver.now)))
    driver.now += 50.0
    driver.engine.restore(saved, driver.now)
    driver.tell(Resumed())


BREAKS = pytest.mark.parametrize("take_a_break", [resumed, paused_for_a_while, saved_and_loaded])


@BREAKS
def test_a_limited_answer_keeps_what_it_had_left_once_its_question_was_heard(take_a_break):
    driver = asked()
    driver.wait(13.0)
    take_a_break(driver)
    assert driver.engine.deadline() is None  # nobody loses time by being asked again
    driver.settle()
    assert time_left(driver) == pytest.approx(7.0)
    driver.wait(6.9)
    assert driver.engine.at() == "only/count"
    driver.wait(0.2)
    assert driver.engine.at() == "only/more" and driver.engine.state.variables["n"] is None


@BREAKS
def test_two_breaks_cost_no_more_than_one_and_the_answer_may_come_at_once(take_a_break):
    driver = asked()
    driver.wait(13.0)
    take_a_break(driver)
    take_a_break(driver)
    driver.settle()
    assert time_left(driver) == pytest.approx(7.0)
    take_a_break(driver)
    driver.hear(4)
    assert driver.engine.state.variables["n"] == 4 and driver.engine.at() == "only/more"


def test_who_is_asked_again_in_the_last_moment_has_time_to_answer():
    driver = asked()
    driver.wait(19.5)
    resumed(driver)
    driver.settle()
    assert time_left(driver) == pytest.approx(5.0)


def test_an_answer_that_is_taken_back_has_the_time_it_had():
    driver = asked()
    driver.wait(8.0)
    driver.hear(3)
    driver.command("undo")
    assert driver.engine.at() == "only/count"
    assert time_left(driver) == pytest.approx(12.0)
