"""Random evenings against a model of the game that is too plain to be wrong."""

import json
from typing import Any

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from narrator.core.commands.acts import MOST_PASSED
from narrator.core.engine import Engine
from narrator.core.events import Key, Resumed
from narrator.core.game import Game, Phase
from narrator.core.state import UNDO_LEVELS
from narrator.core.steps.asked.ask import Ask
from narrator.core.steps.asked.timer import LEAST_LEFT, Timer
from narrator.core.steps.blocks.for_each import ForEach
from narrator.core.steps.blocks.repeat import Repeat
from narrator.core.values import Constant, Seat
from tests.core.small_game import Driver, Of, text

SEATS = [Seat(n, name) for n, name in enumerate(("Ana", "Ben", "Cy"), 1)]
ROUNDS = 12
TALK = 60.0


def game() -> Game:
    """Three numbers and a minute's talk, twelve times."""
    asks = ForEach(
        "turns",
        "seat",
        Constant(["Ana", "Ben", "Cy"]),
        (
            Ask(
                "number", text("{seat}, how many?", "question"), "number", "given",
                key=Of(lambda s: f"{s['seat']} {s['round']}"), seat=Of(lambda s: s["seat"]),
                low=Constant(0), high=Constant(9),
            ),
        ),
    )  # fmt: skip
    talk = Timer("talk", Constant(TALK), text("Talk."), Constant([]), None, None)
    rounds = Repeat("rounds", (asks, talk), times=Constant(ROUNDS), counter="round")
    return Game("plain", "Plain", "en", 3, 3, (Phase("day", (rounds,)),))


GAME = game()
LIKE = Engine(GAME, SEATS)


class Evening(RuleBasedStateMachine):
    """The engine on one side; a list of numbers, a place and a time on the other."""

    def __init__(self) -> None:
        super().__init__()
        self.driver = Driver(engine=Engine(GAME, SEATS, like=LIKE))
        self.driver.start()
        self.place = 0
        """Of twelve times: 0 to 2 a question, 3 the talk."""
        self.given: dict[str, int] = {}
        self.left = TALK
        self.paused = False
        self.undo: list[tuple[int, dict[str, int], float]] = []
        self.spent = 0.0
        """Seconds of a talk since the last answer."""
        self.used = 0.0
        """Seconds of talk that were gone back over: they are not given again."""

    @property
    def is_over(self) -> bool:
        return self.place >= 4 * ROUNDS

    @property
    def is_talk(self) -> bool:
        return self.place % 4 == 3

    @rule(number=st.integers(0, 9))
    def answer(self, number: int) -> None:
        self.driver.hear(number)
        if self.paused or self.is_talk or self.is_over:
            return
        self.undo = [*self.undo, (self.place, dict(self.given), self.spent)][-UNDO_LEVELS:]
        self.given[f"{SEATS[self.place % 4].name} {self.place // 4 + 1}"] = number
        self.place, self.left, self.spent = self.place + 1, TALK, 0.0
        if self.place % 4 == 3:
            self.left, self.used = max(LEAST_LEFT, TALK - self.used), 0.0

    @precondition(lambda self: not (self.paused or self.is_over))
    @rule()
    def answer_until_they_talk(self) -> None:
        while not self.is_talk:
            self.answer(self.place % 4)

    @rule(seconds=st.sampled_from([0.0, 1.5, 19.0, 45.0]))
    def wait(self, seconds: float) -> None:
        before = self.driver.now
        self.driver.wait(seconds)
        if self.is_talk and not (self.paused or self.is_over):
            self.left -= self.driver.now - before
            if self.left <= 1e-6 or self.driver.engine.at() != "day/rounds/talk":
                assert self.left <= 1e-6 + seconds
                self.place, self.left, self.spent = self.place + 1, TALK, TALK

    @rule()
    def pause(self) -> None:
        self.driver.tell(Key("pause"))
        self.driver.settle()
        self.paused = self.paused or not self.is_over

    @precondition(lambda self: self.paused)
    @rule()
    def go_on(self) -> None:
        self.driver.tell(Key("resume"))
        self.settle()
        self.paused = False

    @precondition(lambda self: not (self.paused or self.is_over))
    @rule()
    def take_back(self) -> None:
        talked = TALK - self.left if self.is_talk else self.spent
        self.driver.tell(Key("undo"))
        assert self.driver.engine.is_confirming == bool(self.undo and talked > MOST_PASSED)
        if self.driver.engine.is_confirming:
            self.driver.tell(Key("yes"))
        if self.undo:
            self.used = talked or self.used
            self.place, self.given, self.spent = self.undo.pop()
            self.left = TALK
        self.settle()

    @rule()
    def save_and_restore(self) -> None:
        saved = json.loads(json.dumps(self.driver.engine.to_dict(self.driver.now)))
        self.driver.engine = Engine(GAME, SEATS, like=LIKE)
        self.driver.engine.restore(saved, self.driver.now)

    @rule(outside=st.sampled_from([0.0, 500.0]))
    def killed_and_resumed(self, outside: float) -> None:
        self.save_and_restore()
        self.driver.now += outside
        self.driver.tell(Resumed(outside))
        self.settle()

    def settle(self) -> None:
        """Let what is being said be heard; time that goes by meanwhile is the talk's."""
        before = self.driver.now
        self.driver.settle()
        if self.is_talk and not self.paused and not self.is_over:
            # Only an introduction is awaited, and before its end no time runs.
            assert self.driver.now - before <= 1.0

    @invariant()
    def they_agree(self) -> None:
        state = self.driver.engine.state
        assert (state.variables.get("given") or {}) == self.given
        assert self.driver.engine.is_paused == self.paused
        assert len(state.history) == len(self.undo)
        at = self.driver.engine.at()
        wanted = "ended" if self.is_over else "day/rounds/talk" if self.is_talk else None
        assert at == wanted if wanted else at == "day/rounds/turns/number"
        if self.is_talk and not self.is_over and "step" in state.timers:
            left = state.timers["step"].left(self.driver.now)
            assert left == pytest.approx(self.left, abs=1e-6)


def run(examples: int, steps: int) -> None:
    how: Any = settings(max_examples=examples, stateful_step_count=steps, deadline=None)
    run_state_machine_as_test(Evening, settings=how)


@pytest.mark.unit
def test_a_hundred_random_evenings_are_as_the_model_says() -> None:
    run(100, 40)


@pytest.mark.slow
def test_a_thousand_random_evenings_are_as_the_model_says() -> None:
    """Play more of them; tools/bench_model.py plays five thousand, of seeds that are kept."""
    run(1_000, 40)
