"""A compiled game: what a script becomes, and all the engine needs to know.

Plain data, never changed.

The authors' composite steps (`vote`, `part`, an `ask` that is read back) are unfolded by the
compiler into the few steps below, so that the engine stays small.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from narrator.core.effects import SpeechRole
from narrator.core.expect import AnswerKind
from narrator.core.values import Constant, Expression

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
    """Gives the text in a scope."""
    role: SpeechRole = "narration"
    place: Place = Place()


@dataclass(frozen=True, slots=True)
class Nudge:
    """A reminder that depends on elapsed time alone, the same for every seat (RULES 0.3)."""

    after: Expression
    """Seconds of waiting before the first."""
    every: Expression
    """Seconds between further ones; 0: only once."""
    line: Line


@dataclass(frozen=True, slots=True)
class Say:
    """Speak a line and go on when its last sample was played."""

    name: str
    line: Line


@dataclass(frozen=True, slots=True)
class Wait:
    """A silent window that nobody can shorten."""

    name: str
    seconds: Expression


@dataclass(frozen=True, slots=True)
class Hear:
    """Wait for one of a few phrases."""

    name: str
    phrases: tuple[str, ...]
    """hassil templates."""
    seat: Expression | None = None
    """Who is expected to say it; None: anybody."""
    not_before: Expression = Constant(0.0)
    """Seconds in which nothing counts."""
    nudge: Nudge | None = None


@dataclass(frozen=True, slots=True)
class Choice:
    """One answer of a `choice` question."""

    value: str
    phrases: tuple[str, ...]
    """hassil templates."""


@dataclass(frozen=True, slots=True)
class Ask:
    """Ask, and put the answer into a variable."""

    name: str
    line: Line | None
    """None: the question was asked by an earlier line."""
    kind: AnswerKind
    into: str
    key: Expression | None = None
    """Puts the answer into `into[key]` instead of `into`."""
    seat: Expression | None = None
    """Who answers; None: anybody."""
    allowed: Expression | None = None
    """For seats and letters: a list of those that are acceptable; None: all."""
    refuse: Line | None = None
    """The neutral re-ask where an answer was understood but is not allowed."""
    low: Expression = Constant(0)
    high: Expression = Constant(999)
    choices: tuple[Choice, ...] = ()
    templates: tuple[str, ...] = ()
    """Frames around the slot, hassil; empty: the language's own."""
    halves: bool = False
    """For numbers and points: whether "and a half" may follow."""
    nobody: bool = False
    confirms: tuple[str, ...] = ()
    """Variables that were just read aloud and that this yes or no confirms."""
    undoable: bool = True
    nudge: Nudge | None = None
    not_before: Expression = Constant(0.0)
    within: Expression | None = None
    """Seconds after which the answer is no value; None: it is waited for."""
    others: tuple[Choice, ...] = ()
    """Sentences that may be said instead of the answer; `into` then holds the choice's value."""
    slots: tuple[str, ...] = ()
    """Variables that the slots of those sentences fill: no value where nothing was said for one."""


@dataclass(frozen=True, slots=True)
class Early:
    """How the table may end a timer before its time."""

    phrases: tuple[str, ...] = ()
    """hassil templates; said once is enough, unless `hands` is given."""
    hands: Expression | None = None
    """How many hands it takes; the number raised is asked for and said."""
    question: Line | None = None
    """Asks how many hands are up."""


@dataclass(frozen=True, slots=True)
class Timer:
    """A public countdown of time; starts when its introduction was heard."""

    name: str
    seconds: Expression
    line: Line | None = None
    warnings: Expression | None = None
    """A list of seconds left at which to speak; None: half (from four minutes on), 60, 30, 10."""
    early: Early | None = None
    ended: Line | None = None
    """Said when the time is over, not when it was ended early."""
    seat: Expression | None = None
    """Whose time it is; None: everybody's."""
    cut_short: bool = True
    """Whether a command may end it before its time."""
    last_ten: Expression | None = None
    """Whether its last ten seconds are counted aloud; None: as the table chose."""


@dataclass(frozen=True, slots=True)
class Countdown:
    """Words one beat apart, placed by the sample."""

    name: str
    line: Line
    """Its text gives the words, separated by commas or white space."""
    beat: Expression = SECOND


@dataclass(frozen=True, slots=True)
class ForEach:
    """Run the steps once for each item of a list."""

    name: str
    variable: str
    items: Expression
    steps: tuple[Step, ...]


@dataclass(frozen=True, slots=True)
class Spoiled:
    """How the table may call a run of a loop off, which then begins again."""

    line: Line
    """Said when it was called off."""
    before: int
    """Index of the step of the loop from which on it is too late."""
    condition: Expression | None = None
    """Whether the table plays by it; None: always."""


@dataclass(frozen=True, slots=True)
class Repeat:
    """Run the steps a number of times, or until a condition holds after a run."""

    name: str
    steps: tuple[Step, ...]
    times: Expression | None = None
    until: Expression | None = None
    counter: str = ""
    """Variable that counts the runs from 1; empty: none."""
    spoiled: Spoiled | None = None
    """None: a run cannot be called off."""


@dataclass(frozen=True, slots=True)
class If:
    """Run one of two runs of steps."""

    name: str
    condition: Expression
    then: tuple[Step, ...]
    otherwise: tuple[Step, ...] = ()


@dataclass(frozen=True, slots=True)
class Set:
    """Put values into variables, in order."""

    name: str
    values: tuple[tuple[str, Expression], ...]


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
class Score:
    """Apply a scoring to the variables of the moment."""

    name: str
    scoring: Scoring
    adds: bool = True
    """Whether its points are added to the totals; False: they are only worked out so far."""


@dataclass(frozen=True, slots=True)
class Again:
    """Start an enclosing loop's run, the phase or an earlier one from its beginning: a spoiled
    round, or the next night.
    """

    name: str
    target: str
    """Path of the enclosing step, or a phase."""


@dataclass(frozen=True, slots=True)
class CueStep:
    """Play a short sound."""

    name: str
    cue: str


@dataclass(frozen=True, slots=True)
class CoverStep:
    """Start or stop the masking sound."""

    name: str
    on: bool


@dataclass(frozen=True, slots=True)
class End:
    """Finish the game here."""

    name: str


Step: TypeAlias = (
    Say
    | Wait
    | Hear
    | Ask
    | Timer
    | Countdown
    | ForEach
    | Repeat
    | If
    | Set
    | Score
    | Again
    | CueStep
    | CoverStep
    | End
)


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
