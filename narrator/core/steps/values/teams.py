"""Players put into teams by chance."""

from __future__ import annotations

from dataclasses import dataclass

from narrator.core import library
from narrator.core.game import Step
from narrator.core.steps.context import StepContext
from narrator.core.steps.rule import Quiet, register
from narrator.core.steps.values.draw import chosen
from narrator.core.values import Expression, Value


@dataclass(frozen=True, slots=True)
class Teams(Step):
    """Put players into teams whose sizes differ by one at most."""

    variable: str
    """Gets a map from each team to its players, clockwise."""
    names: Expression
    """The teams, as a list."""
    players: Expression


class TeamsRule(Quiet):
    """Draw the teams, and go on at once."""

    def begin(self, context: StepContext) -> None:
        """Set who is in which team."""
        step = context.step
        if isinstance(step, Teams):
            _draw(context, step)
        context.over = True


def _draw(context: StepContext, step: Teams) -> None:
    names = [str(name) for name in context.items(step.names)]
    players = context.items(step.players)
    if not 0 < len(names) <= len(players):
        context.show_fault(f"{len(names)} teams cannot be made of {len(players)} players")
    shuffled, _ = chosen(context.state, players, len(players))
    seats = context.state.names()
    # Which team is larger is chance as well: the order in which they are named decides nothing.
    order, _ = chosen(context.state, list(range(len(names))), len(names))
    teams: dict[str, Value] = dict.fromkeys(names)
    for place, index in enumerate(order):
        team = shuffled[place :: len(names)]
        teams[names[int(str(index))]] = library.in_seat_order(seats, team)
    context.state.variables[step.variable] = teams


register("teams", Teams, TeamsRule())
