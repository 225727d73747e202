"""What a step of a game will listen for, without playing up to it."""

from __future__ import annotations

from collections.abc import Sequence

from narrator.core.commands import table
from narrator.core.expect import Expectation
from narrator.core.game import Game
from narrator.core.machine import Trigger
from narrator.core.state import State
from narrator.core.steps.blocks.for_each import ForEach
from narrator.core.steps.context import StepContext
from narrator.core.steps.program import Program
from narrator.core.steps.rule import listens, rule_of
from narrator.core.values import Constant, Seat, Value


def listening_steps(game: Game) -> list[str]:
    """Return the paths of all steps that listen for something of their own."""
    return [p for p, s in Program(game).steps.items() if listens(s)]


def expected_at(game: Game, seats: Sequence[Seat], path: str) -> tuple[Expectation, ...]:
    """Return what may be said at a step, commands included.

    Where that depends on how the game went, everything that may ever be said there is given.

    Raises:
        KeyError: There is no such step, or it listens for nothing.
    """
    return _Preview(game, seats).at(path)


def expected_anywhere(game: Game, seats: Sequence[Seat]) -> tuple[Expectation, ...]:
    """Return what may ever be said in a game, each once, commands included."""
    preview = _Preview(game, seats)
    return tuple(dict.fromkeys(e for path in preview.paths for e in preview.at(path)))


class _Preview:
    """A game at any of its steps; the machine is made once for all."""

    def __init__(self, game: Game, seats: Sequence[Seat]) -> None:
        self._program = Program(game)
        self.paths = listening_steps(game)
        state = State(list(seats), 0)
        state.moderator.fire(Trigger.START)
        state.variables = _loop_variables(self._program, seats)
        state.posts = {post.name: seats[0].name for post in game.posts}
        state.settings = {
            o.name: o.default.value for o in game.options if isinstance(o.default, Constant)
        }
        self._state = state

    def at(self, path: str) -> tuple[Expectation, ...]:
        """Return what may be said at a step. Raises KeyError where nothing is listened for."""
        if path not in self.paths:
            raise KeyError(path)
        context = StepContext(self._program, self._state, 0.0, path, commands=table.expectations)
        own = rule_of(context.step).anything(context)
        return (*own, *table.expectations(context))


def _loop_variables(program: Program, seats: Sequence[Seat]) -> dict[str, Value]:
    loops = [s for s in program.steps.values() if isinstance(s, ForEach)]
    return {loop.variable: seats[0].name for loop in loops}
