"""What simulated players do when their table misunderstands itself."""

import pytest

from narrator.app import rehearse
from narrator.app.games import load_game
from narrator.config.settings import Settings
from narrator.core.effects import Listen
from narrator.core.events import Transcript
from narrator.core.expect import Expectation, Meaning
from narrator.listening.interpreter import Interpreter
from narrator.ports.session import Asked
from narrator.script.files.locales import load_locale
from narrator.simulation.rehearsal import Rehearsal
from narrator.simulation.simulated_players import SimulatedPlayers
from narrator.simulation.text_world import TextWorld
from tests.core.small_game import SEATS
from tests.simulation.test_resumed_rehearsal import waits

pytestmark = pytest.mark.unit


class Misheard:
    """Takes babble for "wait" as soon as it can."""

    def __init__(self, world):
        self.world, self.done = world, False

    def observe(self, update):
        if not isinstance(update, Asked) or self.done or self.world.clock.now() <= 5.0:
            return
        if "pause" in update.buttons:
            self.done = True
            heard = Transcript("wait", Meaning("command:pause"), update.listen.listen)
            self.world.inbox.post(heard)


def test_a_pause_that_nobody_asked_for_is_ended():
    world = TextWorld(tuple(SEATS), load_locale("en"), Settings())
    misheard = Misheard(world)
    world.watch.add(misheard)
    report = Rehearsal(waits(), SEATS, SimulatedPlayers(SEATS), world).run()
    assert misheard.done
    assert report.ended == "complete"
    assert any(said.who != "narrator" for said in report.spoken)


def test_nobody_speaks_where_nothing_is_asked():
    listen = Listen(1, (Expectation("command:pause", "command"),), "night/wait")
    grammar = Interpreter(SEATS, load_locale("en")).grammar(listen)
    assert SimulatedPlayers(SEATS).reply(listen, grammar, 1) is None


def asked(people, listen):
    grammar = Interpreter(SEATS, load_locale("en")).grammar(listen)
    return people.reply(listen, grammar, 1)


def vote(people, step, voter):
    listen = Listen(
        1, (Expectation("seat", "seat", allowed=tuple(s.name for s in SEATS)),), step,
        seat=voter, into="votes", key=voter,
    )  # fmt: skip
    return asked(people, listen).means.value


def test_who_was_misheard_is_named_and_says_the_same_again():
    people = SimulatedPlayers(SEATS, seed=3)
    names = [seat.name for seat in SEATS]
    meant = {name: vote(people, "votes/ask", name) for name in names}
    misheard = names[1]
    told = {**meant, misheard: next(n for n in names if n != meant[misheard])}
    sure = Listen(2, (Expectation("yesno", "yesno"),), "right", reads_back={"votes": told})
    assert asked(people, sure).means.value is False
    whose = Listen(3, (Expectation("seat", "seat", allowed=tuple(names)),), "whose", into="_wrong")
    assert asked(people, whose).means.value == misheard
    assert vote(people, "corrected/ask-again", misheard) == meant[misheard]


TWICE = """
narrator: 1
title: Twice
players: {min: 3, max: 3}
phases:
  only:
    steps:
      - repeat: 2
        count: round
        steps:
          - if: round == 1
            then:
              - ask: Who was it?
                answer: seat
                among: "{{ [seats | first] }}"
                into: who
            else:
              - ask: Say ready.
                hear: [ready]
              - set: {who: "{{ seats | last }}"}
          - score: round
            read back: "It was {{ who }}."
scoring:
  round:
    needs: {who: seat}
    give: {who: "{{ who }}", points: "{{ [who] | each(1) }}"}
result: {totals: "{{ totals }}"}
"""


def test_what_a_script_sets_later_is_not_compared_with_an_answer_of_an_earlier_round(tmp_path):
    path = tmp_path / "twice" / "game.yaml"
    path.parent.mkdir()
    path.write_text(TWICE, encoding="utf-8")
    first, _, last = seats = SEATS[:3]
    plan = rehearse.Plan(seats, seed=1)
    report, _ = rehearse.rehearse_in_text(load_game(str(path)), plan)
    assert report.ended == "complete"
    assert [answer.value for answer in report.answers if answer.of_what_was_read_back] == [True] * 2
    assert report.totals == {first.name: 1, last.name: 1}


def test_one_vote_is_corrected_after_all_were_agreed_to():
    people = SimulatedPlayers(SEATS, seed=3)
    names = [seat.name for seat in SEATS]
    meant = {name: vote(people, "votes/ask", name) for name in names}
    sure = Listen(2, (Expectation("yesno", "yesno"),), "right", reads_back={"votes": meant})
    people.agreed(sure, asked(people, sure).means)
    again = vote(people, "corrected/ask-again", names[0])
    for told, right in (({**meant, names[0]: again}, True), ({**meant, names[0]: ""}, False)):
        sure = Listen(3, (Expectation("yesno", "yesno"),), "right", reads_back={"votes": told})
        assert asked(people, sure).means.value is right
