"""The table of the test kit: its voice takes time, its timers keep order, its journal replays."""

import pytest

from narrator.config.settings import Settings
from narrator.core.events import SpeechCut, SpeechFinished
from narrator.script.files.locales import load_locale
from narrator.speaking.line import SHORTEST
from narrator.testing.table import Table, TableError
from tests.core.small_game import game

pytestmark = pytest.mark.unit

NAMES = ["Ana", "Ben", "Cy"]


def table(**kwargs):
    made = Table(game(), NAMES, locale=load_locale("en"), **kwargs)
    made.start()
    return made


def to_the_day(made):
    while not made.at.startswith("day"):
        listen = made.expect_next()
        if made.at.startswith("day"):
            break
        made.wait(listen.opens_after)
        made.hear("task complete")
        made.wait_until(lambda: made.asks() is not None and not made.speaking)
    return made


def test_a_line_takes_as_long_as_it_is_long_and_reports_its_end():
    made = table()
    assert made.speaking
    line = made.said[0]
    assert line.seconds == pytest.approx(0.06 * len("Eyes closed."))
    made.wait(line.seconds + 0.01)
    assert not made.speaking
    assert made.at == "night/dark"
    assert SpeechFinished(line.utterance) in [record.event for record in made.journal]


def test_a_timer_fires_when_it_is_due_and_not_before():
    made = table()
    made.wait(made.said[0].seconds + 2.9)
    assert [line.text for line in made.said] == ["Eyes closed."]
    made.wait(0.2)
    assert made.said[-1].text == "Ana."
    assert made.said[-1].at == pytest.approx(made.said[0].seconds + 3.0)


def test_a_player_waits_until_the_narrator_has_been_silent():
    made = table()
    made.expect_next()
    made.wait(45)
    line = made.said[-1]
    assert "two words" in line.text
    made.hear("task complete")
    assert made.now == pytest.approx(line.at + line.seconds + Settings().guard_time)


def test_at_once_does_not_wait():
    made = table()
    made.hear("pause", at_once=True)
    assert made.now == 0.0
    assert made.engine.is_paused


def test_what_is_hushed_is_reported_as_cut_with_what_was_heard_of_it():
    made = table()
    made.wait(0.3)
    made.key("pause")
    cuts = [record.event for record in made.journal if isinstance(record.event, SpeechCut)]
    assert [cut.utterance for cut in cuts] == [made.said[0].utterance]
    assert cuts[0].at == pytest.approx(0.3)
    assert made.said[-1].line == "own/paused"


def test_a_countdown_lasts_its_beats():
    made = to_the_day(table())
    made.hear("we are done")
    made.hear("two")
    count = made.said[-1]
    assert count.text == "three two one vote"
    assert count.seconds == 3 * 1.0 + SHORTEST  # three beats, and the last word


def test_the_journal_replays_to_the_same_effects():
    made = to_the_day(table(seed=4))
    made.key("how_long_left")
    assert made.replay() is None


def test_a_replay_notices_an_effect_that_differs():
    made = to_the_day(table())
    record = made.journal[5]
    made.journal[5] = type(record)(record.now, record.event, record.effects + " ")
    assert made.replay().startswith("Event 6 ")


def test_a_game_that_is_saved_after_every_event_is_the_same_game():
    plain, saved = to_the_day(table(seed=2)), to_the_day(table(seed=2, saving=True))
    assert plain.effects == saved.effects
    assert plain.timeline == saved.timeline
    assert plain.engine.to_dict(plain.now) == saved.engine.to_dict(saved.now)


def test_waiting_for_a_question_that_never_comes_is_told_in_a_sentence():
    made = table()
    made.key("end_the_game")
    made.key("yes")
    with pytest.raises(TableError, match="Nothing is asked of the table"):
        made.expect_next()


def test_the_timeline_tells_who_did_what_when():
    made = table()
    made.expect_next()
    made.hear("mumble")
    story = made.story()
    for part in ("says    Eyes closed.", "step    night/dark", "timer   step", "hears   mumble"):
        assert part in story
