"""The shape of a script, for validation and for editors; what it means is compiled later."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated, Any, TypeAlias, Union

from pydantic import BeforeValidator, Discriminator, Field, Tag

from narrator.script.diagnostics.report import closest
from narrator.script.reading.fields import (
    BARE,
    VERBS,
    VERBS_MEANT,
    Shape,
    Text,
    Texts,
    Truth,
    Whole,
    or_nothing,
)
from narrator.script.reading.nodes import Scalar, Table, first_key
from narrator.script.steps.all_kinds import ALL
from narrator.script.steps.blocks.spoiled import SpoiledPhaseShape
from narrator.script.steps.kind import StepShape


def _verb(node: Any) -> str | None:
    if isinstance(node, Scalar):
        return node.text if node.text in BARE else None
    if isinstance(node, Table):
        verb = next((verb for verb in VERBS if verb in node), None)
        return None if verb and misspelt_verb(node) else verb
    return None


def misspelt_verb(node: Table) -> str:
    """Return the verb meant by a misspelt first key of a step; empty if the key is a verb.

    Without it `timr: 60s` with a `say:` of its own would be a `say` with unknown keys.
    """
    first = first_key(node)
    is_key = first in VERBS or any(first in known.shape.keys() for known in ALL)
    meant = "" if is_key else VERBS_MEANT.get(first) or closest(first, VERBS)
    return "" if meant in node else meant


if TYPE_CHECKING:
    AnyStep: TypeAlias = StepShape
else:
    AnyStep = Annotated[
        Union[tuple(Annotated[known.shape, Tag(known.shape.verb)] for known in ALL)],  # noqa: UP007
        Discriminator(_verb),
    ]
    for known in ALL:  # those that hold steps of any kind were waiting for this
        vars(sys.modules[known.shape.__module__])["AnyStep"] = AnyStep


class PlayersShape(Shape):
    """How many can play."""

    low: Whole = Field(alias="min")
    high: Whole = Field(alias="max")


class PostShape(Shape):
    """A role that goes round the table."""

    first: Text | None = None
    next_game: Text | None = Field(None, alias="next game")


class OptionShape(Shape):
    """A setting that the table may choose."""

    kind: Text
    default: Text
    low: Text | None = Field(None, alias="from")
    high: Text | None = Field(None, alias="to")
    choices: Texts | None = None
    about: Text | None = None
    ask: Text | None = None


class PhaseShape(Shape):
    """A run of steps under one condition of the table."""

    condition: Text | None = Field(None, alias="if")
    eyes: Text | None = None
    cover: Truth = False
    rate: Text | None = None
    style: Text | None = None
    spoiled: SpoiledPhaseShape | None = None
    steps: list[AnyStep]


class RefuseShape(Shape):
    """Input that no table can have produced."""

    condition: Text = Field(alias="if")
    say: Text


class ScoringShape(Shape):
    """A named calculation."""

    condition: Text | None = Field(None, alias="if")
    needs: dict[str, Any] | None = None
    let: dict[str, Any] | None = None
    refuse: list[RefuseShape] | None = None
    give: dict[str, Any]


class RuleShape(Shape):
    """A question about the rules, and its answer."""

    ask: Texts
    say: Text


class ScriptShape(Shape):
    """A whole script."""

    narrator: Whole
    title: Text
    language: Text | None = None
    about: Text | None = None
    players: PlayersShape
    posts: dict[str, Annotated[PostShape | None, BeforeValidator(or_nothing)]] | None = None
    options: dict[str, OptionShape] | None = None
    secrets: Texts | None = None
    parts: dict[str, list[AnyStep]] | None = None
    phases: dict[str, PhaseShape]
    scoring: dict[str, ScoringShape] | None = None
    result: dict[str, Any] | None = None
    rules: dict[str, RuleShape] | None = None
    teach: Texts | None = None


def schema() -> Mapping[str, Any]:
    """Return the JSON schema of a script, for editors."""
    found = ScriptShape.model_json_schema(by_alias=True)
    _allow_bare_words(found)
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **found}


def _allow_bare_words(part: Any) -> None:
    """Let a step be the word alone where it may: `- end` is a text, and no mapping."""
    for inner in part.values() if isinstance(part, dict) else part:
        if isinstance(inner, (dict, list)):
            _allow_bare_words(inner)
    ways = part.get("oneOf", []) if isinstance(part, dict) else []
    if {"$ref": "#/$defs/EndShape"} in ways:
        ways.append({"enum": sorted(BARE)})
