"""Random play finds what it is there to find, and nothing where there is nothing."""

from dataclasses import replace

import pytest

from narrator.core.game import Line, Phase
from narrator.core.steps.asked.ask import Ask
from narrator.core.steps.asked.hear import Hear
from narrator.core.steps.blocks.repeat import Repeat
from narrator.core.steps.spoken.say import Say
from narrator.core.steps.spoken.wait import Wait
from narrator.core.values import Constant, ExpressionError
from narrator.testing.monkey import Monkeys, run
from tests.core.small_game import Of, game, text

pytestmark = pytest.mark.unit


def faults(broken, seeds=range(6)):
    monkeys = Monkeys(broken)
    return {fault for seed in seeds for fault in monkeys.run(seed).faults}


def with_night(*steps, secrets=frozenset({"hidden"})):
    whole = game()
    night = Phase("night", steps, eyes_closed=True)
    return replace(whole, phases=(night, *whole.phases[1:]), secrets=secrets)


def choose(name="choose"):
    """Ask at night for somebody whom nobody may hear of."""
    return Ask(
        name, text("Whom?", "question"), "seat", "hidden", allowed=Of(lambda s: list(s["seats"]))
    )


def raises(scope):
    raise ExpressionError("there is no such thing")


def test_a_sound_game_has_no_fault_and_is_finished():
    monkeys = Monkeys(game())
    reports = [monkeys.run(seed) for seed in range(10)]
    assert [r.faults for r in reports] == [[]] * 10
    assert {r.ended for r in reports} <= {"complete", "stopped"}
    assert {r.players for r in reports} == {3, 4, 5}


def test_one_seed_is_one_game():
    assert run(game(), 3) == run(game(), 3)
    assert run(game(), 3) != run(game(), 4)


def test_a_line_that_names_a_secret_at_night_is_found():
    leaking = with_night(choose(), Say("leak", text("{hidden}, beware.")))
    assert any("depends on a secret" in fault for fault in faults(leaking))
    assert faults(with_night(choose(), Say("mute", text("Somebody, beware.")))) == set()


def test_a_wait_that_depends_on_a_secret_is_found():
    slow = Wait("wait", Of(lambda s: 9.0 if s["hidden"] == s["seats"][0] else 3.0))
    found = faults(with_night(choose(), slow), seeds=range(12))
    assert any("`night/wait`" in fault for fault in found)


def test_a_loop_without_an_end_is_found():
    forever = Repeat("forever", (Say("on", text("On.")),), until=Constant(False))
    assert any("does not end" in fault for fault in faults(with_night(forever), range(2, 5)))


def test_a_question_that_nothing_answers_is_found():
    nobody = replace(choose(), allowed=Constant([]))
    assert any("nobody can answer this" in fault for fault in faults(with_night(nobody), range(2)))


def test_a_fault_of_the_script_is_found():
    broken = with_night(Say("line", Line("x", Of(raises))))
    assert any("there is no such thing" in fault for fault in faults(broken, range(2)))


def test_an_expression_that_raises_anything_else_is_found():
    broken = with_night(Say("line", Line("x", Of(lambda s: s["nothing"]))))
    assert any("The engine raised KeyError" in fault for fault in faults(broken, range(2)))


def test_an_answer_that_nobody_can_say_is_found(english):
    mute = with_night(Hear("hear", ("[",)))
    report = Monkeys(mute, english).run(0)
    assert any("nobody can be understood" in fault for fault in report.faults)


def test_a_report_keeps_what_led_to_the_fault():
    report = run(with_night(Say("line", Line("x", Of(raises)))), 0)
    assert report.faults
    assert "Start()" in report.story[-1]
