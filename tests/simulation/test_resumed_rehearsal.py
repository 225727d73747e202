"""A resumed rehearsal: its clock continues from where it was."""

import random

import pytest

from narrator.config.settings import Settings
from narrator.core.events import Start
from narrator.core.game import Game, Phase
from narrator.core.record import Past
from narrator.core.steps.spoken.say import Say
from narrator.core.steps.spoken.wait import Wait
from narrator.core.values import Constant
from narrator.script.files.locales import load_locale
from narrator.simulation.rehearsal import Rehearsal
from narrator.simulation.simulated_players import SimulatedPlayers
from narrator.simulation.text_world import TextWorld
from tests.core.small_game import SEATS, text

pytestmark = pytest.mark.unit

MOST = 500
"""Moves of the clock in this game; fifty are enough."""
WAITS = 20


class Counted:
    """Ends the test where a loop moves the clock and gets nowhere."""

    moves = 0

    def next_moment(self):
        self.moves += 1
        assert self.moves < MOST, "time stands still"

    def tick(self):
        pass


def waits():
    steps = [
        step
        for n in range(WAITS)
        for step in (Say(f"say-{n}", text("Dark.")), Wait(f"wait-{n}", Constant(1.7 + n)))
    ]
    return Game("waits", "Waits", "en", 1, 10, (Phase("night", tuple(steps)),))


def resumed(now):
    """Play on what was broken off a second after its beginning."""
    past = Past(None, events=((now - 1.0, Start()),), now=now)
    world = TextWorld(tuple(SEATS), load_locale("en"), Settings(), now)
    world.inbox.movers.append(Counted())
    return Rehearsal(waits(), SEATS, SimulatedPlayers(SEATS), world, past=past).run()


def test_it_ends_wherever_it_was_broken_off():
    chance = random.Random(11)
    for _ in range(40):
        assert resumed(chance.uniform(1.0, 60.0)).ended == "complete"
