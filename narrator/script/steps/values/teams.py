"""`teams`: players put into teams by chance."""

from __future__ import annotations

from typing import ClassVar

from pydantic import Field

from narrator.core.game import Step
from narrator.core.steps.values.teams import Teams
from narrator.script.compiler.builder import Builder
from narrator.script.reading.fields import Several, Text
from narrator.script.reading.nodes import Items
from narrator.script.steps.kind import StepShape, kind


class TeamsShape(StepShape):
    """Put players into teams of as equal a size as can be."""

    verb: ClassVar[str] = "teams"
    teams: Text
    names: Several
    players: Several | None = Field(None, alias="in")


def teams(b: Builder, shape: TeamsShape) -> list[Step]:
    """`teams: variable`, `names: [north, south]`."""
    name = b.name(shape)
    names = b.reference(shape.names)
    if isinstance(shape.names, Items):
        _enough(b, shape, shape.names)
    players = (
        b.reference(shape.players) if shape.players is not None else b.written("seats", shape.teams)
    )
    return [Teams(name, b.variable(shape.teams), names, players)]


def _enough(b: Builder, shape: TeamsShape, names: Items) -> None:
    different = {getattr(word, "text", "") for word in names}
    if not names or len(different) < len(names):
        b.report.add(
            "NS027",
            shape.at("names"),
            what="Every team has a name of its own, and there is one at least",
        )
    elif shape.players is None and len(names) > b.script.players.low:
        few = b.script.players.low
        b.report.add(
            "NS027", shape.at("names"), what=f"{len(names)} teams cannot be made of {few} players"
        )


kind(TeamsShape, teams, makes=(Teams,))
