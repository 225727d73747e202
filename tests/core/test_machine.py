"""The moderator's machine: what it does at a table, and that each of its transitions is needed."""

from __future__ import annotations

import re
import sys
import threading
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from transitions.extensions import HierarchicalMachine

import narrator
from narrator.core import machine
from narrator.core.effects import Effect
from narrator.core.engine import Engine
from narrator.core.events import (
    Key,
    PortFailed,
    Resumed,
    Slept,
    SpeechFinished,
    Start,
    TimerFired,
    Transcript,
)
from narrator.core.expect import Meaning
from narrator.core.game import Game, Phase, Spoiled
from narrator.core.lobby import APART, Lobby
from narrator.core.machine import STAGES, Moderator, Trigger
from narrator.core.steps.asked.ask import Ask
from narrator.core.steps.asked.hear import Hear
from narrator.core.steps.asked.timer import Early, Timer
from narrator.core.steps.blocks.repeat import Repeat
from narrator.core.steps.spoken.countdown import Countdown
from narrator.core.steps.spoken.say import Say as SayStep
from narrator.core.steps.spoken.wait import Wait
from narrator.core.values import Constant
from tests.core.small_game import SEATS, Driver, text

pytestmark = pytest.mark.unit


def game_that_rests_everywhere() -> Game:
    """Return a game of one run that may be called off, with every stage there is."""
    early = Early(("we are done",), Constant(2), text("How many?", "question"))
    steps = (
        Ask("before", text("How many?", "question"), "number", "many", high=Constant(9)),
        Wait("tea", Constant(90.0)),
        SayStep("say", text("Hello.")),
        Wait("wait", Constant(90.0)),
        Ask("ask", text("Which number?", "question"), "number", "answer", high=Constant(9)),
        Hear("hear", ("task complete",)),
        Wait("water", Constant(90.0)),
        Timer("timer", Constant(300.0), text("Talk."), None, early, text("Time.")),
        Countdown("count", text("three two one")),
    )
    run = Repeat("run", steps, times=Constant(1), spoiled=Spoiled(text("Once more."), len(steps)))
    lesson = (text("One."), text("Two."))
    return Game("all", "All", "en", 3, 5, (Phase("day", (run,)),), lesson=lesson)


class Evening:
    """One evening with a machine of its own, and everything it did."""

    def __init__(self) -> None:
        self.driver = Driver(engine=Engine(game_that_rests_everywhere(), SEATS, seed=1))
        self.told: list[tuple[str, list[Effect]]] = []

    def tell(self, event: Any) -> None:
        engine, driver = self.driver.engine, self.driver
        effects = engine.step(event, driver.now)
        driver.take(effects)
        self.told.append((engine.state.moderator.at, effects))

    def heard(self) -> None:
        self.driver.now += 1.0
        self.tell(SpeechFinished(self.driver.engine.state.awaited))

    def due(self) -> None:
        due = self.driver.engine.deadline()
        if due is not None:
            self.driver.now = max(self.driver.now, due.due)
            self.tell(TimerFired(due.name, due.generation))

    def answer(self, value: Any, intent: str = "answer") -> None:
        self.tell(Transcript("…", Meaning(intent, value), self.driver.engine.state.listen))

    def key(self, command: str) -> None:
        self.tell(Key(command))

    def act(self, act: Any) -> None:
        """Let something happen: an event, the end of a lesson's part, or else a key."""
        if act == PART:
            self.driver.now += 1.0
            self.tell(SpeechFinished(self.driver.engine.state.lesson_line))
            self.due()
        elif isinstance(act, str):
            self.key(act)
        else:
            self.tell(act)

    def begin(self) -> None:
        """Answer and wait, so that there is something to go back over."""
        self.tell(Start())
        self.answer(2)
        self.due()

    def both(self) -> None:
        self.answer(4)
        self.answer("task complete", "phrase")
        self.due()

    def stop_talking(self) -> None:
        self.driver.now += 10
        self.answer(3)

    def to(self, stage: Trigger) -> None:
        """Play on until a stage is reached."""
        ways: dict[Trigger, Callable[[], None]] = {
            Trigger.SPEAK: self.begin,
            Trigger.WAIT: self.heard,
            Trigger.ASK: self.due,
            Trigger.TAKE_ANSWERS: self.heard,
            Trigger.INTRODUCE: self.both,
            Trigger.TIME: self.heard,
            Trigger.ASK_HANDS: lambda: self.answer("we are done", "phrase"),
            Trigger.COUNT: self.stop_talking,
        }
        for trigger, way in ways.items():
            way()
            if trigger is stage:
                return


def to_the_end(evening: Evening) -> None:
    evening.to(Trigger.COUNT)
    evening.heard()
    evening.key("pause")


def time_out(evening: Evening) -> None:
    """Let warnings, a question of hands and the time itself run out."""
    evening.to(Trigger.TIME)
    evening.due()
    evening.answer("we are done", "phrase")
    evening.due()
    for _ in range(8):
        evening.due()
    evening.heard()


def nobody_answers(evening: Evening) -> None:
    evening.to(Trigger.TAKE_ANSWERS)
    evening.due()
    evening.due()


def an_answer_before_the_question_is_over(evening: Evening) -> None:
    evening.to(Trigger.ASK)
    evening.answer(4)


def after_the_stage(evening: Evening) -> None:
    """Whatever was interrupted goes on in every way that it can."""
    evening.heard()
    evening.answer(4)
    evening.due()


def evenings() -> Iterator[tuple[str, Callable[[Evening], None]]]:
    """Give every way of interrupting every stage; each says what it does by its effects."""
    yield "to the end", to_the_end
    yield "time out", time_out
    yield "nobody answers", nobody_answers
    yield "an early answer", an_answer_before_the_question_is_over
    for stage in STAGES:
        for name, acts in INTERRUPTIONS.items():

            def play(evening: Evening, stage=stage, acts=acts) -> None:
                evening.to(stage)
                for act in acts:
                    evening.act(act)
                after_the_stage(evening)

            yield f"{name} at {stage}", play


PART = "a part of the lesson is over"
STOP = Transcript("stop", Meaning("command:stop"), 0)
INTERRUPTIONS: dict[str, tuple[Any, ...]] = {
    "nothing": (),
    "pause": ("pause", "resume"),
    "pause, help and sleep": ("pause", "help", Slept(9.0), Resumed(5.0), "resume"),
    "a question of the end": ("end_the_game", Slept(9.0), "no"),
    "the end": ("end_the_game", "yes"),
    "the end out of a pause": ("pause", "end_the_game", "no", "resume"),
    "broken off in a question": ("end_the_game", Resumed(5.0)),
    "broken off in a question out of a pause": ("pause", "end_the_game", Resumed(5.0), "resume"),
    "broken off": (Resumed(5.0),),
    "spoiled": ("spoiled_round", "yes"),
    "not spoiled": ("spoiled_round", "no"),
    "sleep that counts": (Slept(9.0), "yes"),
    "sleep that does not count": (Slept(9.0), "no"),
    "stop in a question": ("end_the_game", STOP, "resume"),
    "stop in a question out of a pause": ("pause", "end_the_game", STOP, "resume"),
    "undo": ("undo", "yes"),
    "no undo": ("undo", "no"),
    "repeat": ("repeat",),
    "a lesson": ("teach", PART, PART),
    "a lesson that is cut short": ("teach", "help", Slept(9.0), "skip", "to_the_game"),
    "a lesson with a pause": ("teach", PART, "pause", "resume", PART),
    "a lesson that is broken off": ("teach", Resumed(5.0), PART, PART),
    "no end in a lesson": ("teach", "end_the_game", "no", PART, PART),
    "a lesson broken off in a question": ("teach", "end_the_game", Resumed(5.0), PART, PART),
    "a port": (PortFailed("microphone", "The microphone is gone."),),
}


def offered(answers: tuple[Any, ...]) -> Callable[[Evening], None]:
    """Ask whether a game goes on, and let these things happen."""

    def play(evening: Evening) -> None:
        lobby = Lobby(game_that_rests_everywhere(), SEATS, "Go on?")
        for event in (Start(), SpeechFinished(APART + 1), *answers):
            due = lobby.deadline()
            if event == "due" and due is not None:
                event = TimerFired(due.name, due.generation)
            effects = lobby.step(event, 0.0 if due is None else due.due)
            evening.told.append((lobby.state.moderator.at, effects))

    return play


OFFERS: dict[str, tuple[Any, ...]] = {
    "yes": (Key("yes"),),
    "no": (Key("no"),),
    "nobody answers": ("due",),
    "help": (Key("help"),),
    "sleep": (Slept(9.0),),
    "leave": (Key("end_the_game"), Key("yes")),
}


def played(play: Callable[[Evening], None]) -> list[tuple[str, list[Effect]]]:
    evening = Evening()
    try:
        play(evening)
    except Exception as fault:  # where the machine lacks something, anything may happen
        evening.told.append((repr(fault), []))
    return evening.told


PLAYS = {
    **{f"offered: {name}": offered(answers) for name, answers in OFFERS.items()},
    **dict(evenings()),
}


def row(transition: dict[str, Any]) -> str:
    return f"{transition['trigger'].value}: {transition['source']} -> {transition['dest']}"


TABLE = machine.table()


def _with(monkeypatch: pytest.MonkeyPatch, transitions: list[dict[str, Any]]) -> Any:
    made = machine.build(transitions)
    monkeypatch.setattr(machine, "the_machine", lambda: made)
    return made


@pytest.fixture(scope="module")
def fired() -> dict[int, set[str]]:
    """Find in which plays each transition is made."""
    found: dict[int, set[str]] = {number: set() for number in range(len(TABLE))}
    now = [""]

    def noting(number: int) -> Callable[[Any], None]:
        return lambda event: found[number].add(now[0])

    noted = [
        {**transition, "prepare": [], "after": [*_listed(transition.get("after")), noting(number)]}
        for number, transition in enumerate(machine.table())
    ]
    with pytest.MonkeyPatch.context() as patch:
        _with(patch, noted)
        for name, play in PLAYS.items():
            now[0] = name
            played(play)
    return found


def _listed(thing: Any) -> list[Any]:
    return [] if thing is None else [thing]


@pytest.mark.parametrize("number", range(len(TABLE)), ids=[row(t) for t in TABLE])
def test_an_evening_shows_when_a_transition_is_missing(
    number: int, fired: dict[int, set[str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert fired[number], f"No evening makes the transition {row(TABLE[number])}."
    name = min(fired[number])
    whole = played(PLAYS[name])
    _with(monkeypatch, [t for n, t in enumerate(machine.table()) if n != number])
    assert played(PLAYS[name]) != whole


@pytest.mark.parametrize("name", PLAYS)
def test_no_evening_has_a_fault(name: str) -> None:
    assert all("Error" not in at for at, _ in played(PLAYS[name]))


def test_the_machine_is_one_and_hierarchical() -> None:
    made = machine.the_machine()
    assert isinstance(made, HierarchicalMachine)
    assert made is machine.the_machine()
    assert len(made.models) == 1


def test_what_is_remembered_of_a_firing_is_what_the_machine_does() -> None:
    """Every trigger at every place, each twice: what is remembered, against the machine alone."""
    stages = list(STAGES.values())
    backs: list[list[str]] = [[], *([stage] for stage in stages)]
    backs += [[stage, path] for stage in stages for path in (machine.PAUSED, machine.TEACHING)]
    places = [
        (name, back) for name in machine.the_machine().get_nested_state_names() for back in backs
    ]
    moved = 0
    for at, back in places:
        for trigger in Trigger:
            expected = _by_the_machine_alone(at, back, trigger)
            for _ in range(2):
                moderator = Moderator(at, [*back])
                legal = moderator.fire(trigger)
                assert (legal, moderator.at, moderator.back) == expected, (at, back, trigger)
            moved += expected[0]
    assert moved > 300


def _by_the_machine_alone(
    at: str, back: list[str], trigger: Trigger
) -> tuple[bool, str, list[str]]:
    model: Any = _another_machine().models[0]
    model.state, model.back = at, [*back]
    if not model.may_trigger(trigger):
        return False, at, back
    model.trigger(trigger)
    return True, model.state, model.back


@cache
def _another_machine() -> Any:
    return machine.build(machine.table())


def test_a_moderator_that_is_changed_by_hand_does_not_change_what_is_remembered() -> None:
    for _ in range(2):
        moderator = Moderator(STAGES[Trigger.ASK])
        assert moderator.fire(Trigger.PAUSE)
        assert moderator.back == [STAGES[Trigger.ASK]]
        moderator.back.append("nonsense")


def test_two_evenings_do_not_meet_in_it() -> None:
    one, other = Evening(), Evening()
    one.to(Trigger.ASK)
    other.to(Trigger.TIME)
    one.key("pause")
    assert other.driver.engine.is_timing and not other.driver.engine.is_paused
    one.key("resume")
    assert one.driver.engine.is_asking


@pytest.mark.parametrize("stage", STAGES, ids=str)
@pytest.mark.parametrize("words", ["pause", "stop"])
def test_a_pause_returns_to_where_it_was(stage: Trigger, words: str) -> None:
    evening = Evening()
    evening.to(stage)
    moderator = evening.driver.engine.state.moderator
    before = replace(moderator, back=list(moderator.back))
    evening.answer(None, f"command:{words}")
    assert moderator.at == "paused" and moderator.is_standing_still
    evening.key("resume")
    after = "running/answering" if stage is Trigger.TAKE_ANSWERS else before.at
    assert (moderator.at, moderator.back) == (after, [])


@pytest.mark.parametrize("stage", STAGES, ids=str)
def test_a_state_is_saved_as_its_path_and_restored_silently(stage: Trigger) -> None:
    evening = Evening()
    evening.to(stage)
    evening.key("pause")
    evening.key("end_the_game")
    saved = evening.driver.engine.to_dict(evening.driver.now)
    assert saved["moderator"] == {"at": "confirming/end", "back": [STAGES[stage], "paused"]}
    other = Engine(game_that_rests_everywhere(), SEATS)
    other.restore(saved, 0.0)
    assert other.state.moderator == evening.driver.engine.state.moderator
    assert other.state.moderator.back is not evening.driver.engine.state.moderator.back


OLD = {
    ("ready", "", False, ""): Moderator("lobby/choosing"),
    ("ended", "", False, ""): Moderator("ended"),
    ("running", "speaking", False, ""): Moderator("running/speaking"),
    ("running", "running", False, ""): Moderator("running/timing"),
    ("running", "ending", False, ""): Moderator("running/speaking"),
    ("running", "hands", True, ""): Moderator("paused", ["running/hands"]),
    ("running", "asking", False, "end"): Moderator("confirming/end", ["running/asking"]),
    ("running", "running", False, "slept"): Moderator("confirming/slept", ["running/timing"]),
    ("running", "answering", True, "end"): Moderator(
        "confirming/end", ["running/answering", "paused"]
    ),
}


@pytest.mark.parametrize(("old", "moderator"), OLD.items(), ids=str)
def test_a_state_that_0_1_saved_is_read(
    old: tuple[str, str, bool, str], moderator: Moderator
) -> None:
    assert machine.of_format_1(*old) == moderator
    names = set(machine.the_machine().get_nested_state_names())
    assert {moderator.at, *moderator.back} <= names


def test_nobody_else_compares_the_names_of_states() -> None:
    root = Path(narrator.__file__).parent
    names = r"\.(stage|mode|paused|confirming)|moderator\.(at|back)"
    attribute = re.compile(rf"({names})\s*(==|!=|\bin\b)")
    found = [
        f"{path.relative_to(root)}: {line.strip()}"
        for path in root.rglob("*.py")
        if path.name != "machine.py"
        for line in path.read_text(encoding="utf-8").splitlines()
        if attribute.search(line)
    ]
    assert found == []


def test_two_threads_never_meet_in_the_machine() -> None:
    """Names are examined in the thread that hears, while the session's own fires triggers."""
    switches = sys.getswitchinterval()
    wrong: list[str] = []

    def play() -> None:
        for _ in range(400):
            moderator = machine.Moderator()
            try:
                begun = moderator.fire(machine.Trigger.START)
            except Exception as fault:
                wrong.append(type(fault).__name__)
            else:
                if not begun or moderator.at == machine.CHOOSING:
                    wrong.append(moderator.at)

    threads = [threading.Thread(target=play) for _ in range(2)]
    sys.setswitchinterval(1e-6)
    try:
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    finally:
        sys.setswitchinterval(switches)
    assert wrong == []
