"""The last ten seconds counted aloud: each at its moment, and silent for what else is said."""

from dataclasses import replace

import pytest

from narrator.core.effects import CountDown, Hush, Say
from narrator.core.engine import Engine
from narrator.core.events import Key
from narrator.core.game import Option
from narrator.core.steps.asked.timer import AHEAD, Timer
from narrator.core.values import Constant
from tests.core.small_game import SEATS, Driver, game

pytestmark = pytest.mark.unit

NUMBERS = ("ten", "nine", "eight", "seven", "six", "five", "four", "three", "two", "one")
TALK = 300.0
OPTIONS = (Option("last_ten", "yesno", Constant(False)),)


def at_the_timer(written=Constant(True), **settings):
    made = game()
    night, day = made.phases
    timer = day.steps[0]
    assert isinstance(timer, Timer)
    talk = replace(timer, last_ten=written)
    phases = (night, replace(day, steps=(talk, *day.steps[1:])))
    own = {**made.own, "last ten": Constant(", ".join(NUMBERS))}
    engine = Engine(
        replace(made, phases=phases, own=own, options=OPTIONS), SEATS, seed=1, settings=settings
    )
    driver = Driver(engine=engine).to_the_day()
    driver.over = driver.now + driver.engine.state.timers["step"].left(driver.now)
    return driver


def counts(driver):
    return [effect for effect in driver.effects if isinstance(effect, CountDown)]


def test_the_numbers_belong_to_their_seconds_and_replace_the_last_warning():
    driver = at_the_timer()
    already = len(driver.said)
    driver.wait(TALK - 10 - AHEAD + 0.01)
    (count,) = counts(driver)
    assert count.words == NUMBERS and count.beat == 1.0
    assert count.begins == pytest.approx(driver.over - 10)
    assert len(driver.said) - already == 3  # half, 60 and 30
    driver.wait(12)
    assert driver.engine.at() != "day/talk"
    assert "Time." in driver.said


@pytest.mark.parametrize(
    ("written", "chosen", "counted"),
    [(None, True, True), (None, False, False), (Constant(False), True, False)],
)
def test_the_table_chooses_where_the_script_does_not(written, chosen, counted):
    driver = at_the_timer(written, last_ten=chosen)
    driver.wait(TALK - 5)
    assert bool(counts(driver)) == counted


def test_what_else_is_said_silences_the_count_which_goes_on_with_the_number_due_then():
    driver = at_the_timer()
    driver.wait(TALK - 7.5)
    driver.effects.clear()
    driver.command("how_long_left")
    kinds = [type(e) for e in driver.effects if isinstance(e, Hush | Say | CountDown)]
    assert kinds == [Hush, Say, CountDown]
    (count,) = counts(driver)
    assert count.words == NUMBERS[3:]
    assert count.begins == pytest.approx(driver.over - 7)


def test_more_time_ends_the_count_and_it_comes_again_later():
    driver = at_the_timer()
    driver.wait(TALK - 5)
    driver.effects.clear()
    driver.command("more_time", 60)
    assert any(isinstance(effect, Hush) for effect in driver.effects)
    assert not counts(driver)
    driver.wait(55)
    (count,) = counts(driver)
    assert count.words == NUMBERS
    assert count.begins == pytest.approx(driver.over + 60 - 10)


def test_a_pause_silences_the_count_and_going_on_takes_it_up():
    driver = at_the_timer()
    driver.wait(TALK - 4.2)
    driver.tell(Key("pause"))
    driver.effects.clear()
    driver.now += 100
    driver.tell(Key("resume"))
    (count,) = counts(driver)
    assert count.words == NUMBERS[6:]
    assert count.begins == pytest.approx(driver.over + 100 - 4)


def test_while_hands_are_counted_no_number_is_said():
    driver = at_the_timer()
    driver.wait(TALK - 8.5)
    driver.effects.clear()
    driver.hear("we are done", "phrase", settle=False)
    assert any(isinstance(effect, Hush) for effect in driver.effects)
    assert not counts(driver)
    driver.now += 2
    driver.hear(0, settle=False)
    assert counts(driver)[-1].words == NUMBERS[4:]


@pytest.mark.parametrize(
    ("free", "left", "begins"),
    [(0.0, 10, 90.0), (90.0, 10, 90.0), (91.2, 8, 92.0), (200.0, 0, None)],
)
def test_stale_numbers_are_left_out(free, left, begins):
    words, at = CountDown(1, NUMBERS, 1.0, begins=90.0).following(free)
    assert words == NUMBERS[10 - left :]
    assert begins is None or at == begins


def test_a_count_that_belongs_to_no_moment_is_never_shortened():
    assert CountDown(1, NUMBERS, 1.0).following(5.0) == (NUMBERS, 5.0)
