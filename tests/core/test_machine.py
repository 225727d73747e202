"""The table of legal moves, compared with the state machine that it was read from."""

from typing import Any

import pytest
from transitions.extensions import HierarchicalMachine

from narrator.core.machine import END, START, Moves, build, diagram, resting
from narrator.core.program import Program
from tests.core.small_game import game

pytestmark = pytest.mark.unit


def program() -> Program:
    return Program(game())


def machine_of() -> Any:
    # Its model gets its methods at run time, invisible to a type checker.
    return build(program())


def test_every_move_of_the_table_is_made_by_the_machine_itself():
    table, machine = Moves(program()), machine_of()
    assert isinstance(build(program()), HierarchicalMachine)
    tried = 0
    for source in [START, *resting(program())]:
        for target in [*resting(program()), ""]:
            machine.set_state(source)
            table.move(source)
            legal = table.may(target)
            assert bool(machine.model.may_trigger(f"to:{target or END}")) == legal
            if legal:
                machine.model.trigger(f"to:{target or END}")
                assert machine.model.state == (target or END)
                tried += 1
    assert tried > 20


def test_every_step_takes_what_its_kind_takes_and_nothing_else():
    table, machine = Moves(program()), machine_of()
    for path in resting(program()):
        machine.set_state(path)
        table.move(path)
        for kind in ("speech", "timer", "answer", "command", "nonsense"):
            named = f"event:{kind}"
            known = named in machine.events
            assert table.takes(kind) == (known and bool(machine.model.may_trigger(named)))


def test_a_path_is_one_state_whatever_its_names_hold():
    machine = machine_of()
    machine.set_state("day/until-right/votes/vote")
    assert machine.model.state == "day/until-right/votes/vote"


def test_the_diagram_names_every_step():
    drawn = diagram(program())
    assert "stateDiagram" in drawn
    assert all(path.replace("/", " / ") in drawn for path in resting(program()))
