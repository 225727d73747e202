"""Test plans: what they can hold, what is wrong with them, and that each step can fail."""

import pytest

from narrator.script.files.locales import load_locale
from narrator.testing.plan import PlanError, plans_of, read_plan, settings_of
from narrator.testing.plan_run import run_plan
from tests.core.small_game import game

pytestmark = pytest.mark.unit

HEAD = "players: [Ana, Ben, Cy]\nsteps:\n"


@pytest.fixture
def plan_of(tmp_path):
    def write(text):
        path = tmp_path / "small" / "tests" / "plan.yaml"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        return path

    return write


def outcome(path, mode="plain"):
    return run_plan(read_plan(path), game(), load_locale("en"), mode)


NIGHT = """\
  - say: Eyes closed.
  - say: Ana.
    within: 5s
  - wait: 4s
  - hear: task complete
    as: Ana
  - say: Ben.
    next: yes
  - wait: 46s
  - say: Ben, two words.
  - play: {until: day, answers: {turn: task complete}}
"""
VOTES = """\
  - hear: we are done
  - hear: three
  - votes: {Ana: Ben, Ben: Ana, Cy: Ana}
  - expect: {at: ended, ended: complete, result: {totals: {Ben: 1, Ana: 1}}}
"""


@pytest.mark.parametrize("mode", ["plain", "saved", "replayed"])
def test_a_plan_that_holds_passes_in_every_mode(plan_of, mode):
    done = outcome(plan_of(HEAD + NIGHT + VOTES), mode)
    assert done.failure == ""
    assert done.events > 20


@pytest.mark.parametrize(
    ("steps", "line", "why"),
    [
        ("  - say: Good morning.\n", 3, '"Good morning." was not said within 60 seconds.'),
        ("  - say: Ana.\n    within: 2s\n", 3, '"Ana." was not said within 2 seconds.'),
        ("  - say: Ana.\n    next: yes\n", 3, '"Eyes closed." was said before "Ana.".'),
        ("  - wait: 10s\n  - not_say: Ana\n", 4, '"Ana" was said at 3.72 s: "Ana."'),
        ("  - wait: 10s\n  - silent: true\n", 4, '"Ana." was said at 3.72 s.'),
        ("  - wait: 2s\n  - silent: false\n", 4, "Nothing was said."),
        ("  - expect: {at: day}\n", 3, "at is 'night/close', not 'day'."),
        ("  - expect: {public: {votes: 1}}\n", 3, "public votes is 'absent', not 1."),
        ("  - expect: {paused: yes}\n", 3, "paused is False, not True."),
        ("  - play: {until: day}\n", 3, "The plan has no answer for `night/turns/turn`."),
        ("  - wait: 5s\n  - votes: {Ben: Ana}\n", 4, "Ana is asked, and the plan has no vote."),
    ],
)  # fmt: skip
def test_a_step_that_does_not_hold_tells_where_and_why_and_what_led_there(
    plan_of, steps, line, why
):
    path = plan_of(HEAD + steps)
    failure = outcome(path).failure
    assert failure.startswith(f"{path}:{line}:5: {why}\n")
    assert "says    Eyes closed." in failure


@pytest.mark.parametrize(
    ("text", "place", "why"),
    [
        (HEAD + "  - haer: done\n", "3:5", "did you mean `hear`?"),
        (HEAD + "  - hear: done\n    withn: 2s\n", "4:5", "`withn` means nothing here"),
        (HEAD + "  - hear: done\n    wait: 2s\n", "3:5", "this is two steps, `hear` and `wait`"),
        (HEAD + "  - done\n", "3:5", "a step has a key"),
        ("player: [Ana]\nsteps: []\n", "1:1", "did you mean `players`?"),
        ("players: [Ana, Ben, Ana]\nsteps: []\n", "1:21", "two players are called Ana"),
        ("players: Ana\nsteps: []\n", "1:1", "`players:` must be a list"),
        ("players: [Ana]\nplayers: [Ben]\nsteps: []\n", "2:1", "duplicate key"),
        ("players: [Ana\nsteps: []\n", "2:", "expected"),
        ("seed: lucky\nplayers: [Ana]\nsteps: []\n", "1:1", "`seed:` must be a whole number"),
        ("- say: hello\n", "1:1", "a plan has `players:` and `steps:`"),
    ],
)  # fmt: skip
def test_a_plan_that_cannot_be_read_is_told_with_its_place(plan_of, text, place, why):
    path = plan_of(text)
    with pytest.raises(PlanError) as error:
        read_plan(path)
    assert str(error.value).startswith(f"{path}:{place}")
    assert why in str(error.value)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    ("steps", "why"),
    [
        ("  - wait: soon\n", "`soon` is no length of time."),
        ("  - silent: perhaps\n", "`silent:` is yes or no."),
        ("  - expect: {place: night}\n", "`place` means nothing in `expect:`"),
        ("  - votes: Ben\n", "`votes:` has a seat and its vote on each line."),
    ],
)
def test_a_value_that_a_step_cannot_have_is_told_with_its_place(plan_of, steps, why):
    path = plan_of(HEAD + steps)
    with pytest.raises(PlanError) as error:
        outcome(path)
    assert f"{path}:3:5: " in str(error.value)
    assert why in str(error.value)


def test_settings_are_those_of_the_game(plan_of):
    path = plan_of("players: [Ana, Ben, Cy]\nsettings: {dealer: Cy}\nsteps: []\n")
    assert settings_of(read_plan(path), game()) == {"dealer": "Cy"}
    path = plan_of("players: [Ana, Ben, Cy]\nsettings: {deeler: Cy}\nsteps: []\n")
    with pytest.raises(PlanError, match=r"did you mean `dealer`\?"):
        outcome(path)


def test_a_table_of_the_wrong_size_is_refused(plan_of):
    with pytest.raises(PlanError, match="is for 3 to 5 players, and the plan has 1"):
        outcome(plan_of("players: [Ana]\nsteps: []\n"))


def test_players_can_have_spoken_forms(plan_of):
    path = plan_of(
        "players: [{name: Siobhan, say: shi vawn, hear: [shivon]}, Ben, Cy]\nsteps: []\n"
    )
    seat = read_plan(path).players[0]
    assert (seat.name, seat.say, seat.hear) == ("Siobhan", "shi vawn", ("shivon",))
    assert plans_of(path.parent.parent) == [path]
