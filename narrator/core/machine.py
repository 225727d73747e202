"""The moderator: what it is doing at any moment, and what it may do next, as one state machine.

The only user of transitions. There is one machine in a thread; a `Moderator` is one evening's
place in it. Its names are prefixed, its callbacks are functions that cannot fail, and the return
value of a trigger, which is true even where nothing happened, is never used: `may` is asked first.
The result of firing a trigger from a place is remembered, so the machine itself is only asked about
each such pair once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextvars import ContextVar
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from transitions.extensions import HierarchicalMachine
from transitions.extensions.nesting import NestedState

CHOOSING = "lobby/choosing"
OFFERED = "lobby/offered"
PAUSED = "paused"
TEACHING = "teaching"
ENDED = "ended"


class Trigger(StrEnum):
    """What moves the moderator, or is at least heard by it."""

    OFFER = "lobby:offer"
    """Ask whether a game that was broken off goes on."""
    START = "event:start"
    SPEECH = "event:speech"
    """The line that was awaited is over."""
    TIMER = "event:timer"
    ANSWER = "event:answer"
    SLEPT = "event:slept"
    RESUMED = "event:resumed"
    """The program was started again."""
    SPEAK = "stage:speak"
    WAIT = "stage:wait"
    ASK = "stage:ask"
    TAKE_ANSWERS = "stage:take answers"
    INTRODUCE = "stage:introduce"
    TIME = "stage:time"
    ASK_HANDS = "stage:ask hands"
    COUNT = "stage:count"
    COMMAND = "command:any"
    """A command that changes nothing of what the moderator is doing."""
    TEACH = "command:teach"
    """Speak the script's lesson; the game stands still until it is over."""
    LEARNT = "lesson:over"
    PAUSE = "command:pause"
    RESUME = "command:resume"
    CONFIRM_END = "confirm:end"
    CONFIRM_SPOILED = "confirm:spoiled"
    CONFIRM_SLEPT = "confirm:slept"
    CONFIRM_UNDO = "confirm:undo"
    YES = "answer:yes"
    NO = "answer:no"
    FINISH = "finish"


STAGES = {
    Trigger.SPEAK: "running/speaking",
    Trigger.WAIT: "running/waiting",
    Trigger.ASK: "running/asking",
    Trigger.TAKE_ANSWERS: "running/answering",
    Trigger.INTRODUCE: "running/introducing",
    Trigger.TIME: "running/timing",
    Trigger.ASK_HANDS: "running/hands",
    Trigger.COUNT: "running/counting",
}
"""Where a step of the script may rest, by what takes it there."""
_CONFIRMS = {
    Trigger.CONFIRM_END: "confirming/end",
    Trigger.CONFIRM_SPOILED: "confirming/spoiled",
    Trigger.CONFIRM_SLEPT: "confirming/slept",
    Trigger.CONFIRM_UNDO: "confirming/undo",
}
_SOURCES = {
    Trigger.CONFIRM_END: ("running", PAUSED, TEACHING),
    Trigger.CONFIRM_SPOILED: ("running",),
    Trigger.CONFIRM_SLEPT: (STAGES[Trigger.TIME], STAGES[Trigger.ASK_HANDS]),
    Trigger.CONFIRM_UNDO: ("running",),
}
"""When each of them may be asked: a sleep counts only where a timer runs."""
_ASKING, _ANSWERING = STAGES[Trigger.ASK], STAGES[Trigger.TAKE_ANSWERS]
_TIMING, _HANDS = STAGES[Trigger.TIME], STAGES[Trigger.ASK_HANDS]


class _PathState(NestedState):
    """A state whose path is written with slashes: the default `_` would split a name in two."""

    separator = "/"


_Moved = tuple[str, tuple[str, ...]]
"""Where a moderator is after a trigger, and what it then returns to."""
_MOST_REMEMBERED = 10_000
"""An evening meets about two hundred; a journal that a stranger wrote may name any place."""


class _PathMachine(HierarchicalMachine):
    state_cls = _PathState
    memory: dict[tuple[str, tuple[str, ...], Trigger], _Moved | None]
    """What it did before, by where the moderator was and what was fired.

    Conditions and callbacks see nothing but that place, so it would do the same again; and firing
    it would take half of a step's time.
    """


class _Model:
    """The machine's one model: a moderator's place is put into it while a trigger is fired."""

    state: str
    back: list[str]
    trigger: Callable[[str], bool]
    may_trigger: Callable[[str], bool]


def _remember(event: Any) -> None:
    event.model.back.append(event.model.state)


def _forget(event: Any) -> None:
    event.model.back.pop()


def _came_from(path: str) -> Callable[[Any], bool]:
    def came(event: Any) -> bool:
        return bool(event.model.back[-1:] == [path])

    return came


def _stays(trigger: Trigger, *sources: str) -> Iterator[dict[str, Any]]:
    for source in sources:
        yield {"trigger": trigger, "source": source, "dest": None}


def _back(trigger: Trigger, source: str, *targets: str) -> Iterator[dict[str, Any]]:
    """Return from a pause or a question to wherever it was."""
    for target in targets:
        came = _came_from(target)
        yield {"trigger": trigger, "source": source, "dest": target,
               "conditions": came, "after": _forget}  # fmt: skip


def table() -> list[dict[str, Any]]:
    """Return every transition of the moderator, as transitions wants them."""
    found: list[dict[str, Any]] = [
        {"trigger": Trigger.OFFER, "source": CHOOSING, "dest": OFFERED},
        {"trigger": Trigger.YES, "source": OFFERED, "dest": CHOOSING},
        {"trigger": Trigger.NO, "source": OFFERED, "dest": CHOOSING},
        {"trigger": Trigger.START, "source": CHOOSING, "dest": "running"},
        {"trigger": Trigger.FINISH, "source": "lobby", "dest": ENDED},
        {"trigger": Trigger.FINISH, "source": "running", "dest": ENDED},
        {"trigger": Trigger.PAUSE, "source": "running", "dest": PAUSED, "before": _remember},
        {"trigger": Trigger.PAUSE, "source": TEACHING, "dest": PAUSED, "before": _remember},
        {"trigger": Trigger.TEACH, "source": "running", "dest": TEACHING, "before": _remember},
        # Somebody who says "stop" while a question is asked wants silence, not an end.
        {"trigger": Trigger.PAUSE, "source": "confirming", "dest": PAUSED,
         "conditions": _came_from(PAUSED), "after": _forget},
        {"trigger": Trigger.PAUSE, "source": "confirming", "dest": PAUSED},
        {"trigger": Trigger.YES, "source": "confirming/end", "dest": ENDED},
    ]  # fmt: skip
    found += _of_stages()
    found += [
        {"trigger": trigger, "source": source, "dest": path, "before": _remember}
        for trigger, path in _CONFIRMS.items()
        for source in _SOURCES[trigger]
    ]
    everywhere = tuple(STAGES.values())
    found += _back(Trigger.RESUME, PAUSED, *everywhere, TEACHING)
    found += _back(Trigger.LEARNT, TEACHING, *everywhere)
    found += _back(Trigger.NO, "confirming", *everywhere, PAUSED, TEACHING)
    found += _back(Trigger.RESUMED, "confirming", *everywhere, PAUSED, TEACHING)
    found += _back(Trigger.YES, "confirming/spoiled", *everywhere)
    found += _back(Trigger.YES, "confirming/undo", *everywhere)
    found += _back(Trigger.YES, "confirming/slept", _TIMING, _HANDS)
    found += _stays(Trigger.RESUMED, "running", PAUSED, TEACHING)
    found += _stays(Trigger.SLEPT, "running", PAUSED, TEACHING, "confirming", OFFERED)
    found += _stays(Trigger.COMMAND, "running", PAUSED, TEACHING, OFFERED)
    found += _stays(Trigger.SPEECH, OFFERED, TEACHING)
    found += _stays(Trigger.TIMER, OFFERED, TEACHING)
    return found


def _of_stages() -> list[dict[str, Any]]:
    """Return how a step goes from stage to stage, and what it can be told at each."""
    found: list[dict[str, Any]] = [
        {"trigger": trigger, "source": source, "dest": path}
        for trigger, path in STAGES.items()
        for source in ((_TIMING, _HANDS) if path == _HANDS else ("running",))
    ]
    awaits = (Trigger.SPEAK, Trigger.WAIT, Trigger.ASK, Trigger.TAKE_ANSWERS, Trigger.INTRODUCE,
              Trigger.COUNT)  # fmt: skip
    found += _stays(Trigger.SPEECH, *(STAGES[trigger] for trigger in awaits))
    found += _stays(Trigger.TIMER, STAGES[Trigger.WAIT], _ANSWERING, _TIMING, _HANDS)
    found += _stays(Trigger.ANSWER, _ASKING, _ANSWERING, _TIMING, _HANDS)
    return found


def build(transitions: list[dict[str, Any]]) -> _PathMachine:
    """Make a moderator's machine of a table of transitions."""
    stages = [path.partition("/")[2] for path in STAGES.values()]
    asked = [path.partition("/")[2] for path in _CONFIRMS.values()]
    states = [
        {"name": "lobby", "initial": "choosing", "children": ["choosing", "offered"]},
        # Between two steps, and before the first: a game never rests there.
        {"name": "running", "initial": "moving", "children": ["moving", *stages]},
        {"name": "confirming", "initial": asked[0], "children": asked},
        PAUSED,
        TEACHING,
        ENDED,
    ]
    made = _PathMachine(
        model=_Model(),
        states=states,
        initial=CHOOSING,
        transitions=transitions,
        auto_transitions=False,
        queued=True,
        send_event=True,
    )
    made.memory = {}
    return made


_MACHINE: ContextVar[_PathMachine] = ContextVar("the moderator's machine")
"""A context variable, for every thread has a context of its own: names are examined in the thread
that hears, while the session's thread plays, and a machine can be in one state only."""


def the_machine() -> _PathMachine:
    """Return the machine of this thread, built when it is first asked for."""
    machine = _MACHINE.get(None)
    if machine is None:
        machine = build(table())
        _MACHINE.set(machine)
    return machine


@dataclass(slots=True)
class Moderator:
    """Where one evening is in the machine."""

    at: str = CHOOSING
    """Path of the state."""
    back: list[str] = field(default_factory=list)
    """Where a pause, or a question that must be confirmed, returns to; the last is the next."""

    def may(self, trigger: Trigger) -> bool:
        """Whether a trigger is legal now."""
        model = self._model()
        return model.may_trigger(trigger)

    def fire(self, trigger: Trigger) -> bool:
        """Fire a trigger; return False, with nothing changed, where it is not legal now."""
        memory = the_machine().memory
        key = (self.at, tuple(self.back), trigger)
        if key not in memory:
            if len(memory) >= _MOST_REMEMBERED:
                memory.clear()
            memory[key] = self._fire(trigger)
        moved = memory[key]
        if moved is None:
            return False
        self.at, self.back = moved[0], [*moved[1]]
        return True

    def _fire(self, trigger: Trigger) -> _Moved | None:
        """Fire a trigger in the machine; return where that leads, None where it is not legal."""
        model = self._model()
        if not model.may_trigger(trigger):
            return None
        model.trigger(trigger)
        return model.state, tuple(model.back)

    def _model(self) -> _Model:
        model: _Model = the_machine().models[0]
        model.state, model.back = self.at, [*self.back]
        return model

    @property
    def _stage(self) -> str:
        """The stage of the step, also beneath a pause or a question."""
        return self.back[0] if self.back else self.at

    @property
    def is_ready(self) -> bool:
        """Whether the game has not begun."""
        return self.at == CHOOSING

    @property
    def is_over(self) -> bool:
        """Whether the evening has ended."""
        return self.at == ENDED

    @property
    def is_offered(self) -> bool:
        """Whether the table is asked if a game that was broken off goes on."""
        return self.at == OFFERED

    @property
    def is_playing(self) -> bool:
        """Whether a game is in progress; it may be paused."""
        return not (self.at == ENDED or self.at.startswith("lobby"))

    @property
    def is_paused(self) -> bool:
        """Whether everything stands still until somebody says to go on."""
        return self.at == PAUSED or PAUSED in self.back

    @property
    def is_confirming(self) -> bool:
        """Whether something waits for a yes or no before it is done."""
        return self.at.startswith("confirming")

    @property
    def is_teaching(self) -> bool:
        """Whether the script's lesson is being spoken."""
        return self.at == TEACHING

    @property
    def is_standing_still(self) -> bool:
        """Whether no timer runs: in a pause or a lesson, and while something is confirmed."""
        return bool(self.back)

    @property
    def is_asking(self) -> bool:
        """Whether a question is being spoken; like all that follow also beneath a pause."""
        return self._stage == _ASKING

    @property
    def is_answering(self) -> bool:
        """Whether an answer is waited for."""
        return self._stage == _ANSWERING

    @property
    def is_introducing(self) -> bool:
        """Whether a timer is being introduced."""
        return self._stage == STAGES[Trigger.INTRODUCE]

    @property
    def is_waiting(self) -> bool:
        """Whether a fixed window is open."""
        return self._stage == STAGES[Trigger.WAIT]

    @property
    def is_timing(self) -> bool:
        """Whether a public timer runs and nobody was asked how many want to end it."""
        return self._stage == _TIMING

    @property
    def is_counting_hands(self) -> bool:
        """Whether the table is asked how many want to end a timer."""
        return self._stage == _HANDS

    @property
    def confirms_end(self) -> bool:
        """Whether the end of the game waits for a yes."""
        return self.at == _CONFIRMS[Trigger.CONFIRM_END]

    @property
    def confirms_spoiled(self) -> bool:
        """Whether calling the round off waits for a yes."""
        return self.at == _CONFIRMS[Trigger.CONFIRM_SPOILED]

    @property
    def confirms_undo(self) -> bool:
        """Whether going back over a public phase waits for a yes."""
        return self.at == _CONFIRMS[Trigger.CONFIRM_UNDO]

    @property
    def confirms_slept(self) -> bool:
        """Whether the table is asked if the machine's sleep counts."""
        return self.at == _CONFIRMS[Trigger.CONFIRM_SLEPT]


_OLD_STAGES = {"": "moving", "running": "timing", "ending": "speaking"}


def of_format_1(mode: str, stage: str, paused: bool, confirming: str) -> Moderator:
    """Return what a state saved by 0.1 says in four fields."""
    if mode != "running":
        return Moderator(ENDED if mode == "ended" else CHOOSING)
    path = f"running/{_OLD_STAGES.get(stage, stage)}"
    back = []
    for under in (PAUSED if paused else "", f"confirming/{confirming}" if confirming else ""):
        if under:
            back.append(path)
            path = under
    return Moderator(path, back)
