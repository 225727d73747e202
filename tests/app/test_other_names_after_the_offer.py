"""A game is declined, and others sit at the table: their names count, typed, heard and said."""

import os
from pathlib import Path

import pytest

from narrator.adapters.journal.memory import MemoryJournal
from narrator.app.games import load_game
from narrator.app.wiring import play
from narrator.config.settings import Settings
from narrator.core.effects import Listen
from narrator.core.expect import Expectation
from narrator.core.lobby import Lobby
from narrator.core.values import Seat
from narrator.listening.interpreter import Interpreter
from narrator.ports.session import Ended
from narrator.script.files.locales import load_locale
from narrator.speaking.respelling import Speakable
from narrator.testing.fakes import ListScreen

pytestmark = pytest.mark.unit

OLD = (Seat(1, "ana"), Seat(2, "Ben"))
GAME = """
narrator: 1
title: Who
players: {min: 2, max: 3}
phases:
  day:
    steps:
      - ask: Who, then?
        answer: seat
        into: who
result: {who: "{{ who }}"}
"""


class Endings:
    """Notes every end that an observer is told of."""

    def __init__(self):
        self.told = []

    def observe(self, update):
        if isinstance(update, Ended):
            self.told.append(update.how)


@pytest.mark.parametrize(
    ("seats", "typed", "who"),
    [
        ((Seat(1, "Ana"), Seat(2, "Ben")), "ana", "Ana"),
        ((Seat(1, "Zoe"), Seat(2, "Max")), "max", "Max"),
        ((Seat(1, "Zoe"), Seat(2, "Max"), Seat(3, "Kim")), "kim", "Kim"),
        ((Seat(1, "Ben"), Seat(2, "Ana")), "two", "Ana"),
    ],
)
def test_who_sits_down_after_a_declined_offer_is_understood(tmp_path: Path, seats, typed, who):
    script = tmp_path / "game.yaml"
    script.write_text(GAME, encoding="utf-8")
    loaded, settings = load_game(str(script)), Settings(speech=False, keyboard=True)
    fresh = play.Evening(loaded, seats, settings)
    lobby = Lobby(loaded.game, OLD, "Shall we go on?")
    chosen = ("chosen", "declined")
    follow = lambda o: play.Sitting(fresh, MemoryJournal()) if o.ended in chosen else None  # noqa: E731
    source, into = os.pipe()
    os.write(into, f"no\n{typed}\n".encode())
    os.close(into)
    screen = ListScreen()
    evening = play.Evening(loaded, OLD, settings)
    watching = Endings()
    outcome = play.play(
        evening,
        MemoryJournal(),
        screen,
        keyboard=source,
        lobby=lobby,
        follow=follow,
        observers=[watching],
    )
    os.close(source)
    assert watching.told == ["complete"], "the lobby and the game are one session, which ends once"
    assert (outcome.ended, dict(outcome.result)) == ("complete", {"who": who}), screen.lines


def test_ears_and_voice_follow_who_sits_at_the_table():
    chairs = [Seat(1, "Ana", say="Ahna")]
    heard, voice = Interpreter(chairs, load_locale("en")), Speakable(chairs, {"HQ": "head"})
    listen = Listen(1, (Expectation("answer", "seat"),), "day")
    assert "ana" in heard.grammar(listen).automaton.words()
    assert voice("Ana at HQ.") == "Ahna at head."
    chairs[:] = [Seat(1, "Zoe", say="Zo ee"), Seat(2, "Max")]
    words = heard.grammar(listen).automaton.words()
    assert {"zoe", "max"} <= set(words) and "ana" not in words
    assert voice("Zoe and Ana at HQ.") == "Zo ee and Ana at head."
