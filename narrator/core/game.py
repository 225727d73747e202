"""A compiled game: what a script becomes, and all the engine needs to know.

Plain data, never changed.

The authors' composite steps (`vote`, `part`, an `ask` that is read back) are unfolded by the
compiler into the few steps below, so that the engine stays small.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, ClassVar, Literal

from narrator.core.effects import SpeechRole
from narrator.core.values import Constant, Expression, ExpressionError

if TYPE_CHECKING:
    from narrator.core.steps.program import Program

SECOND = Constant(1.0)


@dataclass(frozen=True, slots=True)
class Place:
    """Where in its source a thing stands; lines and columns count from 1."""

    file: str = ""
    line: int = 0
    column: int = 0


@dataclass(frozen=True, slots=True)
class Line:
    """Something to be said."""

    id: str
    """Unique in the game and kept by translations."""
    text: Expression
    """Returns the text in a scope."""
    role: SpeechRole = "narration"
    place: Place = Place()
    style: str = ""
    """See `effects.STYLES`; empty: the phase's."""


@dataclass(frozen=True, slots=True)
class Nudge:
    """A reminder that depends on elapsed time alone, the same for every seat (RULES 0.3)."""

    after: Expression
    """Seconds of waiting before the first."""
    every: Expression
    """Seconds between further ones; 0: only once."""
    line: Line


@dataclass(frozen=True, slots=True)
class Step:
    """One step of a script; each kind is a class of its own in `core.steps`, beside its rule."""

    name: str
    is_container: ClassVar[bool] = False
    """Whether it only holds other steps, so that a game never rests at it."""
    loops: ClassVar[bool] = False
    """Whether what it holds may be run again."""
    marks_its_end: ClassVar[bool] = False
    """Whether a sound marks the moment when its time is over."""

    def blocks(self, path: str) -> list[tuple[str, tuple[Step, ...]]]:
        """Return the blocks of steps within it, each with its path, where its own is this."""
        return []

    def may_be_empty(self) -> bool:
        """Whether none of what it holds may be run."""
        return False

    def may_begin_again(self) -> bool:
        """Whether the table may call off what it holds, so that it starts over."""
        return False

    def after(self, program: Program, following: tuple[str, ...]) -> tuple[str, ...]:
        """Return the paths of those that may come after it, of which usually these follow."""
        return following


@dataclass(frozen=True, slots=True)
class Choice:
    """One answer of a `choice` question."""

    value: str
    phrases: tuple[str, ...]
    """hassil templates."""
    shown: str = ""
    """How it may be said, in plain words."""


@dataclass(frozen=True, slots=True)
class Need:
    """One thing a scoring must be told."""

    name: str
    kind: Literal[
        "votes", "seats", "seat", "number", "letter", "choice", "numbers", "letters", "yesno"
    ]
    """`votes`: seat -> seat; `numbers`, `letters`: seat -> number, letter."""
    optional: bool = False
    choices: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ScoringRefusal:
    """Input that no table can have produced, and why in plain words."""

    condition: Expression
    reason: Expression


@dataclass(frozen=True, slots=True)
class Scoring:
    """A named calculation of the script, used by `score` steps and by `narrator score` alike."""

    name: str
    needs: tuple[Need, ...]
    refusals: tuple[ScoringRefusal, ...]
    gives: tuple[tuple[str, Expression], ...]
    """In order; a later one sees the earlier. `points` (seat -> number) is added to the totals."""
    helpers: tuple[tuple[str, Expression], ...] = ()
    """Worked out in order before anything else, seen by all of it, and given to nobody."""
    condition: Expression | None = None
    """Where several scorings could be meant by the same input, the one that holds is; None: always.
    """


@dataclass(frozen=True, slots=True)
class Spoiled:
    """How the table may call off a run of a loop, or a phase, which then begins again."""

    line: Line
    """Said when it was called off."""
    before: int
    """Index of the step from which on it is too late."""
    condition: Expression | None = None
    """Whether the table plays by it; None: always."""
    phase: str = ""
    """Where the game goes on from after a phase that was called off."""


@dataclass(frozen=True, slots=True)
class Phase:
    """A run of steps under one condition of the table."""

    name: str
    steps: tuple[Step, ...]
    eyes_closed: bool = False
    """Only the expected phrase, repeat, pause and stop are heard."""
    cover: bool = False
    rate: float = 1.0
    """Speech rate, of normal."""
    place: Place = Place()
    style: str = ""
    """Of every line that has none of its own; see `effects.STYLES`."""
    spoiled: Spoiled | None = None
    """None: it cannot be called off."""


@dataclass(frozen=True, slots=True)
class Post:
    """A role that goes round the table, such as Dealer or Controller."""

    name: str
    first: Expression | None = None
    """Who holds it first; None: drawn by the seed."""
    next: Literal["left", "right", "stays"] = "left"
    """Where it goes for the next game."""


@dataclass(frozen=True, slots=True)
class Option:
    """A setting of the game that the table may choose."""

    name: str
    kind: Literal["duration", "number", "yesno", "choice", "text", "list"]
    """`list`: the words of each entry, by its name."""
    default: Expression
    low: Expression | None = None
    high: Expression | None = None
    choices: tuple[str, ...] = ()
    about: str = ""
    ask: Line | None = None
    """What asks the table for it before a game; None: it is asked for by nobody."""

    def question_for(self, players: int) -> str:
        """Return what asks a table of so many players for it; empty: nothing does."""
        if self.ask is None:
            return ""
        try:
            return " ".join(str(self.ask.text({"n": players})).split())
        except ExpressionError:  # it cannot be worked out for this table
            return ""

    def low_for(self, players: int) -> float | None:
        """Return the lowest number or seconds for so many players; None where nothing says it."""
        return _number_of(self.low, players)

    def high_for(self, players: int) -> float | None:
        """Return the highest number or seconds for so many players; None where nothing says it."""
        return _number_of(self.high, players)

    def default_for(self, players: int) -> float | None:
        """Return the usual number or seconds for so many players; None where nothing says it."""
        return _number_of(self.default, players)


def _number_of(expression: Expression | None, players: int) -> float | None:
    """Return what an expression of `n` alone comes to, if that is a number."""
    try:
        value = expression({"n": players}) if expression is not None else None
    except ExpressionError:  # it needs what is known only once the game has begun
        return None
    return value if isinstance(value, (int, float)) and not isinstance(value, bool) else None


@dataclass(frozen=True, slots=True)
class Ruling:
    """A question about the rules that the table may ask by day, and its answer."""

    name: str
    phrases: tuple[str, ...]
    """hassil templates."""
    shown: str
    """How it may be asked, in plain words."""
    answer: Line


@dataclass(frozen=True, slots=True)
class Game:
    """A compiled script.

    Step paths are phase name and step names joined by `/`; names have none.
    """

    id: str
    title: str
    language: str
    low: int
    """Smallest table."""
    high: int
    """Largest table."""
    phases: tuple[Phase, ...]
    posts: tuple[Post, ...] = ()
    options: tuple[Option, ...] = ()
    scorings: tuple[Scoring, ...] = ()
    result: tuple[tuple[str, Expression], ...] = ()
    """What the game ends with, by key; `winners` (list of seats) among them where somebody wins."""
    secrets: frozenset[str] = frozenset()
    """Variables that no public line may show before they are revealed; `totals` may be one."""
    own: Mapping[str, Expression] = field(default_factory=dict)
    """The narrator's own lines in the game's language, by id."""
    rulings: tuple[Ruling, ...] = ()
    """What the table may ask about the rules."""
    lesson: tuple[Line, ...] = ()
    """What teaches the game, in parts of a few sentences."""

    @property
    def asked_options(self) -> tuple[Option, ...]:
        """The options that the table should be asked for before a game, in the script's order."""
        return tuple(option for option in self.options if option.ask is not None)
