"""The table of legal moves of a game, as a hierarchical state machine.

The only user of transitions.

Phases are states and steps are nested states. Moves between steps are transitions named
`to:PATH`; what a step can be told are internal transitions named `event:KIND`. Names that reach
transitions are prefixed, callbacks are none, and the return value of a trigger is never
believed.
"""

from __future__ import annotations

import copy
import re
from typing import Any

from transitions.extensions import HierarchicalMachine
from transitions.extensions.nesting import NestedState

from narrator.core.game import (
    Ask,
    Countdown,
    CoverStep,
    CueStep,
    Hear,
    Say,
    Step,
    Timer,
    Wait,
)
from narrator.core.program import CONTAINERS, Program

START = "ready"
END = "ended"

_TAKES: dict[type[Step], tuple[str, ...]] = {
    Say: ("speech", "command"),
    Wait: ("speech", "timer", "command"),
    Hear: ("timer", "answer", "command"),
    Ask: ("speech", "timer", "answer", "command"),
    Timer: ("speech", "timer", "answer", "command"),
    Countdown: ("speech", "command"),
    CueStep: ("command",),
    CoverStep: ("command",),
}


class _PathState(NestedState):
    """A state whose path is written with slashes: the default `_` would split a name in two."""

    separator = "/"


class _PathMachine(HierarchicalMachine):
    state_cls = _PathState


class _Model:
    """What transitions attaches its methods to."""

    state: str
    trigger: Any


def resting(program: Program) -> list[str]:
    """Return the paths of all steps in which a game can be, in order."""
    return [p for p, step in program.steps.items() if not isinstance(step, CONTAINERS)]


def _tree(program: Program) -> list[Any]:
    """Return the nested states transitions wants."""
    root: dict[str, Any] = {}
    for path in [*program.phases, *program.blocks, *program.steps]:
        level = root
        for part in path.split("/"):
            level = level.setdefault(part, {})

    def states(level: dict[str, Any]) -> list[Any]:
        return [{"name": k, "children": states(v)} if v else {"name": k} for k, v in level.items()]

    return [START, END, *states(root)]


class Moves:
    """The legal moves of one game, and where it is.

    The machine is the table. What is asked of it at every step is read out of it once: a trigger of
    a nested machine takes longer than everything else in a step together.
    """

    def __init__(self, program: Program) -> None:
        """Build the table."""
        machine = build(program)
        self._legal = frozenset(
            (name, state) for name, event in machine.events.items() for state in event.transitions
        )
        self.at = START
        """Path of the step the game is at; `ready` before, `ended` after."""

    def another(self) -> Moves:
        """Return the same table for another game, which is at its start."""
        other = copy.copy(self)
        other.at = START
        return other

    def takes(self, kind: str) -> bool:
        """Whether an event of this kind can be told to the step the game is at."""
        return (f"event:{kind}", self.at) in self._legal

    def may(self, path: str) -> bool:
        """Whether the game may move from where it is directly to this step (`""`: the end)."""
        return (f"to:{path or END}", self.at) in self._legal

    def move(self, path: str) -> None:
        """Move to a step (`""`: the end), whether or not that is legal: ask `may` first."""
        self.at = path or END


def build(program: Program) -> HierarchicalMachine:
    """Make the machine of a game, at its start."""
    return _PathMachine(
        model=_Model(),
        states=_tree(program),
        initial=START,
        transitions=_transitions(program),
        auto_transitions=False,
        queued=True,
        send_event=True,
    )


def _transitions(program: Program) -> list[dict[str, Any]]:
    moves: list[dict[str, Any]] = []
    for source, targets in program.successors().items():
        for target in targets:
            moves.append(
                {"trigger": f"to:{target or END}", "source": source or START, "dest": target or END}
            )
        if source:
            moves.append({"trigger": f"to:{END}", "source": source, "dest": END})
    for source, targets in program.restarts().items():
        for target in targets:
            moves.append({"trigger": f"to:{target}", "source": source, "dest": target})
    for path in resting(program):
        for kind in _TAKES.get(type(program.steps[path]), ()):
            moves.append({"trigger": f"event:{kind}", "source": path, "dest": None})
    return moves


def diagram(program: Program) -> str:
    """Return the machine's moves as a mermaid state diagram.

    Mermaid takes letters, digits and underscores in an id, and no two ids may be alike once a
    path is written so: each has a number of its own, and its path as the label.
    """
    paths = [START, *resting(program), END]
    ids = {path: f"s{n}_{_NO_ID.sub('_', path)}" for n, path in enumerate(paths)}
    lines = ["---", f"title: {_quoted(program.game.title)}", "---", "stateDiagram-v2"]
    lines += [f"  state {_quoted(path.replace('/', ' / '))} as {ids[path]}" for path in paths]
    lines.append(f"  [*] --> {ids[START]}")
    for source, targets in program.successors().items():
        lines += [f"  {ids[source or START]} --> {ids[target or END]}" for target in targets]
    lines.append(f"  {ids[END]} --> [*]")
    return "\n".join(lines)


_NO_ID = re.compile("[^A-Za-z0-9_]")


def _quoted(text: str) -> str:
    plain = " ".join(text.replace("\\", "/").replace('"', "'").split())
    return f'"{plain}"'
