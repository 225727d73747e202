"""The shape of a script, for validation and for editors; what it means is compiled later."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, ClassVar, TypeAlias

from pydantic import BeforeValidator, Discriminator, Field, Tag

from narrator.script.diagnostics.report import closest
from narrator.script.reading.fields import (
    BARE,
    VERBS,
    Several,
    Shape,
    Text,
    Texts,
    Truth,
    Whole,
    or_nothing,
)
from narrator.script.reading.nodes import Scalar, Table


class NudgeShape(Shape):
    """A reminder after so much waiting."""

    after: Text
    every: Text | None = None
    say: Text


class StepShape(Shape):
    """What every step has."""

    id: Text | None = None


class SayShape(StepShape):
    """Speak a line."""

    verb: ClassVar[str] = "say"
    say: Text


class WaitShape(StepShape):
    """A silence that nobody can shorten."""

    verb: ClassVar[str] = "wait"
    wait: Text


class HearShape(StepShape):
    """Wait for a phrase."""

    verb: ClassVar[str] = "hear"
    hear: Texts
    whose: Text | None = Field(None, alias="from")
    not_before: Text | None = Field(None, alias="not before")
    nudge: NudgeShape | None = None


class AskShape(StepShape):
    """Ask a question; the answer goes into a variable, or is one of a few phrases."""

    verb: ClassVar[str] = "ask"
    ask: Text
    hear: Texts | None = None
    into: Text | None = None
    answer: Any = None
    whose: Text | None = Field(None, alias="from")
    among: Several | None = None
    refuse: Text | None = None
    at_least: Text | None = Field(None, alias="at least")
    at_most: Text | None = Field(None, alias="at most")
    halves: Truth = False
    nobody: Truth = False
    others: dict[str, Texts] | None = Field(None, alias="or")
    read_back: Text | None = Field(None, alias="read back")
    final: Truth = False
    not_before: Text | None = Field(None, alias="not before")
    within: Text | None = None
    nudge: NudgeShape | None = None


class EarlyShape(Shape):
    """How a timer may end early."""

    hear: Texts
    ask: Text | None = None
    hands: Text | None = None


class TimerShape(StepShape):
    """A public timer."""

    verb: ClassVar[str] = "timer"
    timer: Text
    whose: Text | None = Field(None, alias="from")
    say: Text | None = None
    warnings: Texts | None = None
    end_early: EarlyShape | None = Field(None, alias="end early")
    cut_short: Truth = Field(True, alias="cut short")
    last_ten: Text | None = Field(None, alias="last ten")
    ended: Text | None = None


class CountdownShape(StepShape):
    """Words, one a beat."""

    verb: ClassVar[str] = "countdown"
    countdown: Texts
    beat: Text | None = None


class VoteShape(StepShape):
    """Everybody points at once, then each is asked."""

    verb: ClassVar[str] = "vote"
    vote: Text
    answer: Any = None
    at_least: Text | None = Field(None, alias="at least")
    at_most: Text | None = Field(None, alias="at most")
    say: Text | None = None
    countdown: Texts | None = None
    beat: Text | None = None
    begin: Text | None = Field(None, alias="from")
    voters: Several | None = Field(None, alias="in")
    ask: Text
    among: Several | None = None
    refuse: Text | None = None
    halves: Truth = False
    nobody: Truth = False
    echo: Text | None = None
    read_back: Text | None = Field(None, alias="read back")
    nudge: NudgeShape | None = None


class ForEachShape(StepShape):
    """Steps, once for each of a list."""

    verb: ClassVar[str] = "for each"
    variable: Text = Field(alias="for each")
    begin: Text | None = Field(None, alias="from")
    items: Several | None = Field(None, alias="in")
    steps: list[AnyStep]


class SpoiledShape(Shape):
    """How a run may be called off."""

    say: Text
    before: Text | None = None
    condition: Text | None = Field(None, alias="if")


class RepeatShape(StepShape):
    """Steps, a number of times or until something holds."""

    verb: ClassVar[str] = "repeat"
    repeat: Text | None = None
    until: Text | None = None
    count: Text | None = None
    spoiled: SpoiledShape | None = None
    steps: list[AnyStep]


class IfShape(StepShape):
    """One way or the other."""

    verb: ClassVar[str] = "if"
    condition: Text = Field(alias="if")
    then: list[AnyStep]
    otherwise: list[AnyStep] | None = Field(None, alias="else")


class SetShape(StepShape):
    """Put values into variables."""

    verb: ClassVar[str] = "set"
    set: dict[str, Any]


class ScoreShape(StepShape):
    """Apply a scoring."""

    verb: ClassVar[str] = "score"
    score: Text
    read_back: Text | None = Field(None, alias="read back")


class PartShape(StepShape):
    """The steps of a part, here."""

    verb: ClassVar[str] = "part"
    part: Text
    values: dict[str, Any] | None = Field(None, alias="with")


class AgainShape(StepShape):
    """Begin an enclosing loop's run, or the phase, from its beginning."""

    verb: ClassVar[str] = "again"
    again: Text | None = None


class CueShape(StepShape):
    """Play a short sound."""

    verb: ClassVar[str] = "cue"
    cue: Text


class CoverShape(StepShape):
    """Start or stop the masking sound."""

    verb: ClassVar[str] = "cover"
    cover: Truth


class EndShape(StepShape):
    """Finish the game."""

    verb: ClassVar[str] = "end"
    end: Text | None = None


def _verb(node: Any) -> str | None:
    if isinstance(node, Scalar):
        return node.text if node.text in BARE else None
    if isinstance(node, Table):
        verb = next((verb for verb in VERBS if verb in node), None)
        return None if verb and misspelt_verb(node) else verb
    return None


def misspelt_verb(node: Table) -> str:
    """Return the verb that a step's first key must mean, where it is none; empty where it is fine.

    Without it `timr: 60s` with a `say:` of its own would be a `say` with unknown keys.
    """
    first = next(iter(node), "")
    is_key = first in VERBS or any(first in shape.keys() for shape in StepShape.__subclasses__())
    meant = "" if is_key else closest(first, VERBS)
    return "" if meant in node else meant


AnyStep: TypeAlias = Annotated[
    Annotated[SayShape, Tag("say")]
    | Annotated[WaitShape, Tag("wait")]
    | Annotated[HearShape, Tag("hear")]
    | Annotated[AskShape, Tag("ask")]
    | Annotated[TimerShape, Tag("timer")]
    | Annotated[CountdownShape, Tag("countdown")]
    | Annotated[VoteShape, Tag("vote")]
    | Annotated[ForEachShape, Tag("for each")]
    | Annotated[RepeatShape, Tag("repeat")]
    | Annotated[IfShape, Tag("if")]
    | Annotated[SetShape, Tag("set")]
    | Annotated[ScoreShape, Tag("score")]
    | Annotated[PartShape, Tag("part")]
    | Annotated[AgainShape, Tag("again")]
    | Annotated[CueShape, Tag("cue")]
    | Annotated[CoverShape, Tag("cover")]
    | Annotated[EndShape, Tag("end")],
    Discriminator(_verb),
]


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


class PhaseShape(Shape):
    """A run of steps under one condition of the table."""

    condition: Text | None = Field(None, alias="if")
    eyes: Text | None = None
    cover: Truth = False
    rate: Text | None = None
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


def schema() -> Mapping[str, Any]:
    """Return the JSON schema of a script, for editors."""
    found = ScriptShape.model_json_schema(by_alias=True)
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **found}
