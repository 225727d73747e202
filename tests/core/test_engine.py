"""The engine by itself: order, floors, nudges, timers, votes, pause, undo, determinism."""

import json
from dataclasses import replace

import pytest

from narrator.core.codec import decode, encode
from narrator.core.effects import CountDown, Cover, Cue, Finish, Hush, Listen, Refused, Say
from narrator.core.engine import Engine
from narrator.core.events import Key, SpeechCut, SpeechFinished, Start, TimerFired, Transcript
from narrator.core.expect import Meaning
from narrator.core.game import Game, Phase
from narrator.core.steps.asked.ask import Ask
from narrator.core.steps.spoken.wait import Wait
from narrator.core.values import Constant
from tests.core.small_game import SEATS, Driver, game, text

pytestmark = pytest.mark.unit


def test_a_night_goes_round_the_table_in_order():
    driver = Driver().to_the_day()
    assert driver.said == ["Eyes closed.", "Ana.", "Ben.", "Cy.", "Talk."]
    covers = [e.on for e in driver.effects if isinstance(e, Cover)]
    assert covers == [True, False]


def test_a_phrase_before_the_floor_is_held_without_a_word_and_counts_at_the_floor():
    driver = Driver().start()
    driver.wait(3)
    before = list(driver.said)
    driver.now += 1
    driver.hear("task complete", "phrase")
    assert driver.engine.at() == "night/turns/turn"
    assert driver.said == before
    driver.wait(1)
    assert driver.engine.at() == "night/turns/turn"
    driver.wait(1.1)
    assert driver.engine.at() != "night/turns/turn"


def test_a_nudge_depends_on_elapsed_time_alone():
    driver = Driver().start()
    driver.wait(3 + 46)
    assert driver.said[-1] == "Ana, two words."
    driver.wait(31)
    assert driver.said[-2:] == ["Ana, two words."] * 2
    assert driver.engine.at() == "night/turns/turn"


def test_a_window_cannot_be_skipped_or_lengthened():
    driver = Driver().start()
    for name in ("skip", "more_time"):
        driver.tell(Key(name))
    assert driver.engine.at() == "night/dark"
    assert driver.engine.deadline().due == pytest.approx(driver.now + 3)


def test_the_timer_starts_after_its_introduction_was_heard():
    driver = Driver().to_the_day()
    assert driver.engine.deadline().name == "warning"
    assert driver.engine.state.timers["step"].left(driver.now) == pytest.approx(300)


def test_the_day_is_ended_by_a_majority_only():
    driver = Driver().to_the_day()
    driver.hear("we are done", "phrase")
    driver.hear(1)
    assert driver.engine.at() == "day/talk"
    driver.hear("we are done", "phrase")
    driver.hear(2)
    assert driver.engine.at() != "day/talk"


def test_an_expiry_and_a_majority_in_one_instant_advance_once():
    driver = Driver().to_the_day()
    driver.hear("we are done", "phrase")
    timer = driver.engine.state.timers["step"]
    late = TimerFired("step", timer.generation)
    driver.now = timer.due
    driver.hear(3, settle=False)
    at = driver.engine.at()
    driver.tell(late)
    assert driver.engine.at() == at == "day/count"
    assert isinstance(driver.effects[-1], Refused)


def test_warnings_come_at_half_60_30_and_10():
    driver = Driver().to_the_day()
    already = len(driver.said)
    driver.wait(299)
    assert len(driver.said) - already == 4
    driver.wait(1)
    assert "Time." in driver.said


def test_the_countdown_gives_its_words_and_beat():
    driver = Driver().to_the_votes()
    count = next(e for e in driver.effects if isinstance(e, CountDown))
    assert count.words == ("three", "two", "one", "vote")
    assert count.beat == 1.0


def test_a_vote_for_oneself_is_refused_neutrally_and_asked_again():
    driver = Driver().to_the_votes()
    driver.hear("Ana")
    assert driver.said[-1] == "Another, please."
    assert driver.engine.state.variables.get("votes") is None
    driver.hear("Ben")
    assert driver.engine.state.variables["votes"] == {"Ana": "Ben"}


@pytest.mark.parametrize("value", [["Ben"], {"Ben": 1}, 2, "", "Nobody Here", [], None])
def test_an_answer_of_another_kind_is_never_kept(value):
    driver = Driver().to_the_votes()
    driver.hear(value)
    assert driver.engine.state.variables.get("votes") is None
    assert driver.engine.at() == "day/until-right/votes/vote"


@pytest.mark.parametrize(
    ("value", "kept"), [(2.5, None), (2.0, None), (True, None), (6, None), (2, 2)]
)
def test_a_number_is_a_whole_one_within_its_limits(value, kept):
    count = Ask("count", text("How many?", "question"), "number", "count", high=Constant(5))
    counting = replace(game(), phases=(Phase("count", (count, Wait("on", Constant(9)))),))
    driver = Driver(engine=Engine(counting, SEATS)).start()
    driver.hear(value)
    assert driver.engine.state.variables.get("count") == kept


def test_a_no_to_the_reading_back_asks_again():
    driver = Driver().to_the_votes()
    for name in ("Ben", "Ana", "Ana"):
        driver.hear(name)
    assert driver.listen.reads_back == {"votes": {"Ana": "Ben", "Ben": "Ana", "Cy": "Ana"}}
    driver.hear(False)
    for name in ("Cy", "Cy", "Ana"):
        driver.hear(name)
    driver.hear(True)
    assert "Corrected." in driver.said
    finish = driver.effects[-1]
    assert isinstance(finish, Finish)
    assert finish.result["totals"] == {"Cy": 1, "Ana": 1}


def test_pause_freezes_speech_and_time_and_resume_says_the_line_again():
    driver = Driver().to_the_day()
    left = driver.engine.state.timers["step"].left(driver.now)
    driver.command("pause")
    assert any(isinstance(e, Hush) for e in driver.effects)
    assert driver.engine.deadline() is None
    driver.now += 600
    driver.command("resume")
    assert driver.engine.state.timers["step"].left(driver.now) == pytest.approx(left)


def test_a_line_cut_by_a_pause_is_said_again_in_full():
    driver = Driver()
    driver.tell(Start())
    cut = driver.engine.state.awaited
    driver.tell(Key("pause"))
    driver.tell(SpeechCut(cut, 0.4))
    driver.tell(Key("resume"))
    assert driver.said.count("Eyes closed.") == 2
    assert driver.engine.state.awaited not in (0, cut)


@pytest.mark.parametrize(
    "words", ["repeat", "pause", "stop", "undo", "end_the_game", "spoiled_round", "whose_turn"]
)
@pytest.mark.parametrize("by_key", [True, False])
def test_a_window_has_one_length_whatever_is_said(words, by_key):
    driver = Driver().start()
    due = driver.engine.deadline().due
    driver.now += 2
    driver.tell(Key(words)) if by_key else driver.command(words)
    driver.tell(Key(words)) if by_key else driver.command(words)
    assert driver.engine.at() == "night/dark" and not driver.engine.is_paused
    assert driver.engine.deadline().due == pytest.approx(due)


@pytest.mark.parametrize(
    ("words", "told"),
    [("repeat", "Ana."), ("pause", "paused"), ("end_the_game", "really end"), ("undo", "undo")],
)
def test_what_was_asked_for_in_a_window_is_done_once_behind_it(words, told):
    driver = Driver().start()
    driver.now += 1
    driver.tell(Key(words))
    driver.tell(Key(words))
    before = len(driver.said)
    driver.now = driver.engine.deadline().due
    driver.wait(0)
    driver.settle()
    assert driver.said[before] == "Ana."  # the line that ends the window comes first
    assert sum(told in line for line in driver.said[before + (told == "Ana.") :]) == 1


def test_a_long_wait_can_be_paused():
    long = Game("l", "L", "en", 1, 3, (Phase("a", (Wait("tea", Constant(600.0)),)),))
    driver = Driver(engine=Engine(long, SEATS)).start()
    driver.now += 100
    driver.command("pause")
    assert driver.engine.is_paused and driver.engine.deadline() is None
    driver.now += 1000
    driver.command("resume")
    assert driver.engine.deadline().due == pytest.approx(driver.now + 500)


def test_undo_returns_to_the_last_answer_twenty_levels_deep():
    driver = Driver().to_the_votes()
    for name in ("Ben", "Ana"):
        driver.hear(name)
    before = driver.engine.state.variables["votes"].copy()
    driver.hear("Ben")
    driver.command("undo")
    assert driver.engine.state.variables["votes"] == before
    assert driver.engine.at() == "day/until-right/votes/vote"
    for _ in range(25):
        driver.tell(Key("undo"))
    assert driver.engine.state.history == []
    assert driver.engine.at() == "day/talk"


def test_undo_never_leads_back_into_a_night_that_is_over():
    driver = Driver().to_the_day()
    driver.command("undo")
    assert driver.engine.at() == "day/talk"
    assert "nothing to undo" in driver.said[-2:]


def test_an_answer_to_an_older_question_is_stale():
    driver = Driver().to_the_votes()
    old = driver.listen.listen
    driver.hear("Ben")
    driver.tell(Transcript("cy", Meaning("answer", "Cy"), old))
    assert driver.engine.state.variables["votes"] == {"Ana": "Ben"}


def test_the_end_is_confirmed_first():
    driver = Driver().to_the_votes()
    driver.command("end_the_game")
    assert driver.engine.is_running
    driver.hear(False)
    assert driver.engine.at() == "day/until-right/votes/vote"
    driver.command("end_the_game")
    driver.hear(True)
    assert driver.effects[-1] == Finish({}, "stopped")


def test_by_night_only_the_phrase_repeat_pause_and_stop_are_heard():
    driver = Driver().start()
    driver.wait(3)
    assert {e.intent for e in driver.listen.expectations} == {
        "phrase", "command:repeat", "command:pause", "command:stop",
    }  # fmt: skip
    driver.command("scores")
    assert driver.said[-1] == "Ana."


def test_what_is_not_understood_at_night_is_met_by_a_cue_at_most():
    driver = Driver().start()
    driver.wait(6)
    said = list(driver.said)
    driver.tell(Transcript("mumble", None, driver.listen.listen, unclear=True))
    assert driver.said == said


def test_a_missing_answer_by_day_is_asked_for_in_growing_help():
    driver = Driver().to_the_votes()
    lines = []
    for _ in range(3):
        driver.tell(Transcript("mumble", None, driver.listen.listen, unclear=True))
        lines.append([e.line for e in driver.effects if isinstance(e, Say)][-1])
    assert lines == ["own/again_question", "own/again_seat", "own/again_key"]


def test_of_two_answers_it_was_like_both_are_asked_about_twice():
    driver = Driver().to_the_votes()
    said = []
    for _ in range(3):
        unclear = Transcript("eli", None, driver.listen.listen, unclear=True, likely=("Eli", "Ana"))
        driver.tell(unclear)
        said.append([e for e in driver.effects if isinstance(e, Say)][-1])
    assert [e.line for e in said] == ["own/either_or", "own/either_or", "own/again_key"]
    assert said[0].role == "question"


def test_what_fits_nothing_is_met_by_a_sound_and_counts_as_no_miss():
    driver = Driver().to_the_votes()
    said = list(driver.said)
    heard = Transcript("", None, driver.listen.listen, unclear=True, only_heard=True)
    driver.tell(heard)
    assert driver.effects[-1] == Cue("again") and driver.said == said
    driver.tell(Transcript("mumble", None, driver.listen.listen, unclear=True))
    assert [e.line for e in driver.effects if isinstance(e, Say)][-1] == "own/again_question"


def test_while_it_stands_still_what_fits_nothing_is_left_alone():
    driver = Driver().to_the_votes()
    driver.command("pause")
    before = driver.effects.count(Cue("again"))
    heard = Transcript("", None, driver.listen.listen, unclear=True, only_heard=True)
    driver.tell(heard)
    assert driver.effects.count(Cue("again")) == before


def test_a_long_question_is_not_said_again_where_two_words_will_do():
    long = "Ana, say " + "very " * 9 + "loudly whom you mean?"
    for words, line in ((long, "again"), ("All is said. Whom do you mean?", "again_question")):
        driver = Driver().to_the_votes()
        driver.engine.state.last = replace(driver.engine.state.last, text=words)
        driver.tell(Transcript("mumble", None, driver.listen.listen, unclear=True))
        assert [e.line for e in driver.effects if isinstance(e, Say)][-1] == f"own/{line}"


def test_every_command_in_every_step_acts_or_refuses_and_never_raises():
    names = (
        "repeat pause stop resume skip undo more_time how_long_left stop_the_timer back whose_turn "
        "scores help louder quieter faster slower end_the_game cover_louder cues_quieter yes no "
        "nonsense"
    ).split()
    reference = Driver().to_the_votes()
    places = [Driver(), Driver().start(), Driver().to_the_day(), reference]
    for place in places:
        saved = json.loads(json.dumps(place.engine.to_dict(place.now)))
        for name in names:
            engine = Engine(game(), SEATS)
            engine.restore(saved, 5.0)
            engine.step(Key(name), 6.0)
            engine.step(Key(name), 7.0)


def test_save_and_restore_after_every_event_changes_nothing():
    plain, saved = Driver(), Driver()
    for driver in (plain, saved):
        original = driver.engine.step

        def step(event, now, driver=driver, original=original):
            effects = original(event, now)
            if driver is saved:
                data = json.loads(json.dumps(driver.engine.to_dict(now)))
                driver.engine.restore(data, now)
            return effects

        driver.engine.step = step  # type: ignore[method-assign]
        driver.to_the_votes()
        for value in ("Ben", "Ana", "Ana", True):
            driver.hear(value)
    assert plain.effects == saved.effects
    assert isinstance(plain.effects[-1], Finish)


def test_a_game_that_was_saved_before_it_began_begins_like_any_other():
    saved = Engine(game(), SEATS, seed=5).to_dict(0.0)
    engine = Engine(game(), SEATS)
    engine.restore(json.loads(json.dumps(saved)), 0.0)
    assert engine.at() == "ready"
    assert engine.step(Start(), 0.0) == Engine(game(), SEATS, seed=5).step(Start(), 0.0)


def test_an_engine_like_another_shares_nothing_of_its_game():
    first = Driver().to_the_day()
    second = Driver(engine=Engine(game(), SEATS, seed=1, like=first.engine))
    assert second.engine.at() == "ready"
    assert second.to_the_day().effects == first.effects
    second.start()
    assert first.engine.at() == "day/talk"


def test_same_seed_same_effects_other_seed_other_draw():
    runs = [Driver(seed).to_the_votes().engine.state.posts["dealer"] for seed in range(12)]
    assert runs == [Driver(s).to_the_votes().engine.state.posts["dealer"] for s in range(12)]
    assert len(set(runs)) == len(SEATS)


def test_every_effect_and_event_survives_its_written_form():
    driver = Driver().to_the_votes()
    driver.hear("Ana")
    for thing in [*driver.effects, SpeechFinished(3), Key("x"), TimerFired("a", 2)]:
        assert decode(json.loads(json.dumps(encode(thing)))) == thing
    assert any(isinstance(e, Listen) for e in driver.effects)


def test_the_public_view_never_holds_a_secret():
    driver = Driver().start()
    driver.engine.state.variables["hidden"] = "Ben"
    assert "hidden" not in driver.engine.public()
