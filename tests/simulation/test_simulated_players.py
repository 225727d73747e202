"""What simulated players do when their table misunderstands itself."""

import pytest

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
from tests.simulation.test_rehearsal_gone_on_with import waits

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
