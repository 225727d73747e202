"""What the compiler unfolds is what the engine plays: the first game from beginning to end."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from narrator.core.effects import Finish, Listen, Say
from narrator.core.engine import Engine
from narrator.core.events import Event, SpeechFinished, Start, TimerFired, Transcript
from narrator.core.expect import Meaning
from narrator.core.values import Seat
from narrator.script.compiler.compile import compile_script

PATH = Path(__file__).parents[3] / "scripts" / "one-night-revolution" / "game.yaml"
NAMES = ("Ana", "Ben", "Cy", "Dee")

pytestmark = pytest.mark.unit


class Table:
    """Plays by answering each question by the path of its step, as often as it is asked."""

    def __init__(self, answers: dict[str, list[Any]], settings: dict[str, Any]) -> None:
        game = compile_script(PATH).game
        assert game is not None
        seats = [Seat(number, name) for number, name in enumerate(NAMES, 1)]
        self.engine = Engine(game, seats, seed=1, settings=settings)
        self.answers = answers
        self.now = 0.0
        self.said: list[str] = []
        self.listen: Listen | None = None
        self.finish: Finish | None = None

    def take(self, event: Event) -> None:
        for effect in self.engine.step(event, self.now):
            if isinstance(effect, Say):
                self.said.append(effect.text)
            elif isinstance(effect, Listen):
                self.listen = effect
            elif isinstance(effect, Finish):
                self.finish = effect

    def play(self) -> Finish:
        self.take(Start())
        for _ in range(2_000):
            if self.finish:
                return self.finish
            self.move()
        raise AssertionError(f"The game stands still at {self.engine.at()}.")

    def move(self) -> None:
        awaited, due = self.engine.state.awaited, self.engine.deadline()
        path, listen = self.engine.at(), self.listen
        if awaited:
            self.now += 1.0
            self.take(SpeechFinished(awaited))
        elif listen and self.engine.awaits_answer(self.now):
            intent = listen.expectations[0].intent
            value = self.answers[path].pop(0) if path in self.answers else "the words"
            self.take(Transcript("…", Meaning(intent, value), listen.listen))
        elif due:
            self.now = max(self.now, min(due.due, self.now + 1.0))
            if self.now >= due.due:
                self.take(TimerFired(due.name, due.generation))
        else:
            self.now += 1.0


def test_the_first_game_plays_to_its_end_with_a_vote_corrected() -> None:
    votes = "termination/votes"
    table = Table(
        {
            "day/morning": ["fine"],
            f"{votes}/ask": ["Cy", "Ben", "Ben", "Cy"],
            f"{votes}-check/right": [False, True],
            f"{votes}-check/wrong/then/whose": ["Dee"],
            f"{votes}-check/wrong/then/corrected/ask-again": ["Cy"],
            "termination/reveal/ask": [["Ana"], ["Cy"]],
            "termination/reveal/right": [False, True],
        },
        {"controller": "Ben"},
    )
    finish = table.play()
    assert dict(finish.result) == {
        "terminated": ["Cy"],
        "side": "rebels",
        "winners": ["Ana", "Ben", "Dee"],
    }
    assert not any(rest for rest in table.answers.values())
    night = table.said.index("Informants, eyes closed.")
    calls = [line for line in table.said[night:] if line.endswith(", open your eyes.")]
    assert calls == [f"{name}, open your eyes." for name in ("Ben", "Cy", "Dee", "Ana")]
    read_back = [line for line in table.said if line.count(" points at ") == 4]
    assert read_back[0].startswith("Ben points at Cy.")
    assert "Dee points at Ben." in read_back[0]
    assert "Dee points at Cy." in read_back[1]
    assert table.said[-1] == "For the next game, Cy is the Controller."
    assert "You have 5 minutes." in " ".join(table.said)
