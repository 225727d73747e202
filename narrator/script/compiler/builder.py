"""What every part of the compiler shares: the report, the names in reach, the path."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from narrator.core.effects import SpeechRole
from narrator.core.expect import Expectation
from narrator.core.game import Line, Place, Scoring, Step
from narrator.core.steps.blocks.again import Again
from narrator.core.steps.blocks.branch import If
from narrator.core.steps.blocks.end import End
from narrator.core.values import Constant, Expression, Value
from narrator.language.grammar.templates import parse, ways
from narrator.script.compiler.phrases import MOST_WAYS, Spot, phrases
from narrator.script.compiler.wording import Wording
from narrator.script.diagnostics.report import Report
from narrator.script.expressions.compiled import Compiled, Expressions, Listing, Problem, inside
from narrator.script.expressions.duration import Duration, parse_duration
from narrator.script.expressions.habits import (
    cure_of_function,
    cure_of_name,
    cure_of_syntax,
    joined,
    single_braces,
)
from narrator.script.reading.fields import TRUTH
from narrator.script.reading.nodes import Items, Node, Scalar
from narrator.script.steps.kind import KINDS, StepShape

if TYPE_CHECKING:
    from narrator.script.reading.models import ScriptShape

GLOBALS = frozenset({"n", "seats", "title", "totals"})
"""Names that every expression can see."""
_NUMBER = re.compile(r"^-?\d+(\.\d+)?$")
_TAGS = re.compile(r"\{\{|\{%")
_RESERVED = frozenset(
    "and or not if else in is true false none for loop self context true None True False".split()
)

MOST_STEPS = 3_000
"""Steps of a script with its parts put in; the longest that is shipped has 300."""


@dataclass(slots=True)
class Builder:
    """The state of one compilation. Names are those in reach at the step that is being compiled."""

    script: ScriptShape
    report: Report
    exprs: Expressions
    own: Mapping[str, Expression] = field(default_factory=dict)
    wording: Wording = field(default_factory=Wording)
    known: set[str] = field(default_factory=set)
    """Names that surely have a value here."""
    maybe: set[str] = field(default_factory=set)
    """Names that have one on only some of the paths to this place."""
    finished: set[str] = field(default_factory=set)
    """Names that have a value where some step ends the game."""
    fixed: frozenset[str] = frozenset()
    """Names that a step must not set: posts, options and the globals."""
    secrets: frozenset[str] = frozenset()
    eyes_closed: bool = False
    path: str = ""
    """Of the block that is being compiled."""
    lines_at: str = ""
    """What the ids of its lines begin with: the path, or the part they are written in."""
    around: list[tuple[str, str]] = field(default_factory=list)
    """Enclosing phase and loops: name and path."""
    earlier: list[str] = field(default_factory=list)
    """Phases that are compiled already."""
    parts: list[str] = field(default_factory=list)
    """Parts that are being put in, outermost first."""
    used: set[str] = field(default_factory=set)
    """Parts and variables that something refers to."""
    scorings: dict[str, Scoring] = field(default_factory=dict)
    spots: list[Spot] = field(default_factory=list)
    """Where answers are expected."""
    ways: int = 0
    """In how many ways all phrases so far can be said."""
    count: int = 0
    """Steps so far, each as often as its part is put in."""
    taken: list[set[str]] = field(default_factory=list)
    """Step names in each open block."""

    # Names of steps.

    def name(self, shape: StepShape) -> str:
        """Name a step: its id, or its verb and number within the block."""
        names = self.taken[-1]
        if shape.id is not None:
            name = slug(shape.id.text)
            if not name:
                self.report.add(
                    "NS030", shape.id.place, name=shape.id.text, why="it has no letters"
                )
            elif name in names:
                by = "another step of this block"
                self.report.add("NS031", shape.id.place, name=shape.id.text, by=by)
            else:
                return self.claim(name)
        return self.fresh(slug(shape.verb))

    def fresh(self, stem: str) -> str:
        """Return `stem-1`, `stem-2` and so on, whichever is free in this block."""
        number = 1
        while f"{stem}-{number}" in self.taken[-1]:
            number += 1
        return self.claim(f"{stem}-{number}")

    def claim(self, name: str) -> str:
        """Take a name for a step of this block."""
        self.taken[-1].add(name)
        return name

    # Blocks of steps.

    def steps(self, shapes: Sequence[StepShape], name: str = "", at: str = "") -> tuple[Step, ...]:
        """Compile a block.

        Args:
            shapes: its steps.
            name: what the path of the block adds to the present one.
            at: what its line ids begin with, where that is another thing.
        """
        outer = (self.path, self.lines_at)
        if name:
            self.path = f"{self.path}/{name}" if self.path else name
            self.lines_at = f"{self.lines_at}/{name}" if self.lines_at else name
        self.lines_at = at or self.lines_at
        self.taken.append(set())
        steps = self.run(shapes)
        self.taken.pop()
        self.path, self.lines_at = outer
        return steps

    def run(self, shapes: Sequence[StepShape]) -> tuple[Step, ...]:
        """Compile steps into the present block."""
        steps: list[Step] = []
        for shape in shapes:
            if self._is_too_long(shape):
                break
            if ends(steps):
                self.report.add("NS060", shape.place, before=steps[-1].name)
                break
            steps += KINDS[type(shape)].compile(self, shape)
        return tuple(steps)

    @contextmanager
    def inside(self, name: str) -> Iterator[None]:
        """Enter a phase or loop that `again` may name."""
        self.around.append((name, f"{self.path}/{name}" if self.path else name))
        yield
        self.around.pop()

    # What players say.

    def phrases(
        self, name: str, words: Sequence[Scalar], slots: Iterable[str] = ()
    ) -> tuple[str, ...]:
        """Compile phrases; their name ends their id, slots are the names that may be in braces."""
        said = phrases(self.report, self.wording.said(f"{self.lines_at}/{name}", words), slots)
        within = self.ways <= MOST_WAYS
        self.ways += sum(ways(parse(phrase).expression) for phrase in said)
        if within and self.ways > MOST_WAYS and words:
            what = f"too large: its phrases can be said in more than {MOST_WAYS:,} ways"
            self.report.add("NS008", words[0].place, what=what)
        return said if self.ways <= MOST_WAYS else ()

    def expects(self, place: Place, expectation: Expectation) -> None:
        """Note that something is expected here, to be checked once all is compiled."""
        self.spots.append(Spot(place, expectation, self.eyes_closed))

    def _is_too_long(self, shape: StepShape) -> bool:
        self.count += 1
        if self.count == MOST_STEPS + 1:
            what = f"too long: with its parts put in it has more than {MOST_STEPS:,} steps"
            self.report.add("NS008", shape.place, what=what)
        return self.count > MOST_STEPS

    # Variables.

    def variable(self, scalar: Scalar, *, loop: bool = False) -> str:
        """Return the variable that a text names, and have it known from here on."""
        name = identifier(scalar.text)
        why = ""
        if not re.fullmatch(r"[a-z]\w*", name):
            why = "a name begins with a small letter and has letters, digits and spaces only"
        elif name in _RESERVED or name in self.exprs.env.globals:
            why = "it has a meaning of its own in expressions"
        elif name in self.fixed:
            why = "it is a post, an option, or one of n, seats, title and totals"
        if why:
            self.report.add("NS030", scalar.place, name=scalar.text, why=why)
        elif not loop:
            self.reveal(name, scalar.place)
        self.known.add(name)
        return name

    def reveal(self, name: str, place: Place) -> None:
        """Note that a variable is set here: with eyes closed, no secret may be asked for."""
        if self.eyes_closed and name in self.secrets:
            self.report.add("NS064", place, name=name)

    @contextmanager
    def with_names(self, *names: str) -> Iterator[None]:
        """Add names to the scope for a while."""
        new = set(names) - self.known
        self.known |= new
        yield
        self.known -= new

    # Expressions.

    def text(self, scalar: Scalar) -> Expression:
        """Compile a text."""
        word = single_braces(scalar.text, self.known | self.maybe)
        if word:
            self.report.add("NS045", scalar.place, text=word, cure=f"Write {{{{ {word} }}}}.")
        return self._compiled(scalar, self.exprs.text, scalar.text)

    def spoken(self, name: str, own: Scalar) -> Expression:
        """Compile a text that is said, in the words of the table's language.

        Args:
            name: its whole id.
            own: the game's own words.
        """
        return self.text(self.wording.line(name, own))

    def line(self, name: str, scalar: Scalar, role: SpeechRole = "narration") -> Line:
        """Compile a line; its name ends its id."""
        if not scalar.text.strip():
            self.report.add("NS022", scalar.place, wanted="a text", found="nothing")
        ident = f"{self.lines_at}/{name}"
        return Line(ident, self.spoken(ident, scalar), role, scalar.place)

    def own_line(self, key: str) -> Line:
        """Return one of the narrator's own lines."""
        return Line(f"own/{key}", self.own[key], "question")

    def bare(self, node: Scalar | Items) -> str:
        """Return the expression in a text that holds one, with or without braces; or a list's."""
        if isinstance(node, Items):
            words = [item for item in node if isinstance(item, Scalar)]
            return f"[{', '.join(inside(word.text) or repr(word.text) for word in words)}]"
        scalar = node
        inner = inside(scalar.text)
        source = (scalar.text if inner is None else inner).strip()
        name = identifier(source)
        return name if name in self.known | self.maybe | self.secrets else source

    def reference(self, node: Scalar | Items, code: str = "NS064") -> Expression:
        """Compile a text that is an expression, with or without braces around it; or a list."""
        return self.written(self.bare(node), whole(node), code)

    def written(self, source: str, scalar: Scalar, code: str = "NS064") -> Expression:
        """Compile an expression of ours around one of the author's."""
        return self._compiled(scalar, self.exprs.native, source, code=code)

    def condition(self, scalar: Scalar) -> Expression:
        """Compile a condition."""
        code = "NS065" if self.eyes_closed else "NS064"
        return self._compiled(scalar, self._as_condition, self.bare(scalar), code=code)

    def _as_condition(self, source: str) -> Compiled:
        return self.exprs.native(source, condition=True)

    def value(self, node: Node, *, top: bool = True) -> Expression:
        """Compile a value: an expression in braces, a text, number, yes or no, a list or a map."""
        if isinstance(node, Scalar):
            if inside(node.text) is not None:
                return self.reference(node)
            if _TAGS.search(node.text):
                return self.text(node)
            return Constant(constant(node, truths=top))
        if isinstance(node, Items):
            return Listing(tuple(("", self.value(item, top=False)) for item in node), keyed=False)
        entries = tuple((key, self.value(item, top=False)) for key, item in node.items())
        return Listing(entries, keyed=True)

    def duration(self, scalar: Scalar | None, default: float = 0.0) -> Expression:
        """Compile a length of time, in seconds."""
        if scalar is None:
            return Constant(default)
        if _TAGS.search(scalar.text):
            code = "NS065" if self.eyes_closed else "NS064"
            return Duration(self._compiled(scalar, self.exprs.text, scalar.text, code=code))
        seconds = parse_duration(scalar.text)
        if seconds is not None:
            return Constant(seconds)
        if identifier(scalar.text) in self.known:
            self.report.add("NS045", scalar.place, text=scalar.text,
                            cure=f'Write "{{{{ {scalar.text} }}}}".')  # fmt: skip
        else:
            cure = 'Write 90, 90s, 1:30, 2m30s, 10m, 1h or "{{ n * 60 }}s".'
            self.report.add("NS029", scalar.place, word=scalar.text, cure=cure)
        return Constant(0.0)

    def _compiled(
        self,
        scalar: Scalar,
        compiler: Callable[[str], Compiled],
        source: str,
        *,
        code: str = "NS064",
    ) -> Expression:
        try:
            compiled = compiler(joined(source, self.known | self.maybe | self.secrets))
        except Problem as problem:
            self.problem(scalar, problem)
            return Constant(None)
        self.check_names(scalar, compiled.names, code)
        return compiled.expression

    def problem(self, scalar: Scalar, problem: Problem) -> None:
        """Report an expression that cannot be compiled."""
        name = problem.fields.get("name", "")
        env = self.exprs.env
        possible: Iterable[str] = ()
        if problem.code == "NS042":
            kinds: dict[str, Iterable[str]] = {
                "filter": env.filters, "test": env.tests, "function": env.globals,
            }  # fmt: skip
            possible = kinds[problem.fields["what"]]
        place = self.locate(scalar, name) if name else scalar.place
        cure = cure_of_function(name) if name else cure_of_syntax(scalar.text)
        near = (name, possible) if name and not cure else None
        self.report.add(problem.code, place, near=near, cure=cure, **problem.fields)

    def check_names(self, scalar: Scalar, names: frozenset[str], code: str = "NS064") -> None:
        """Check that each name has a value here, and is no secret that would be told."""
        for name in sorted(names - self.report.dropped):
            self.used.add(name)
            place = self.locate(scalar, name)
            if name in self.secrets and (self.eyes_closed or name not in self.known | self.maybe):
                self.report.add(code if self.eyes_closed else "NS064", place, name=name)
            elif name not in self.known | self.maybe:
                possible = {k for k in self.known | self.maybe if not k.startswith("_")}
                cure = cure_of_name(name)
                near = None if cure else (name, possible)
                self.report.add("NS041", place, name=name, near=near, cure=cure)
            elif name not in self.known:
                self.report.add("NS044", place, name=name)

    def locate(self, scalar: Scalar, word: str) -> Place:
        """Find a word within a text of the file."""
        start = scalar.place.column - 1
        lines = self.report.lines_of(scalar.place.file)
        for number in range(scalar.place.line, max(scalar.place.line, scalar.last) + 1):
            if number <= len(lines):
                match = re.compile(rf"\b{re.escape(word)}\b").search(lines[number - 1], start)
                if match:
                    return Place(scalar.place.file, number, match.start() + 1)
            start = 0
        return scalar.place


def ends(steps: Sequence[Step]) -> bool:
    """Whether nothing can follow these steps."""
    if not steps:
        return False
    last = steps[-1]
    if isinstance(last, If):
        return ends(last.then) and ends(last.otherwise)
    return isinstance(last, (End, Again))


def slug(text: str) -> str:
    """Return a name as paths have it: small letters, with `-` for everything else."""
    return re.sub(r"[^\w.]+", "-", text.strip().lower()).strip("-")


def whole(node: Scalar | Items) -> Scalar:
    """Return a text that stands where a node does, for what is reported about it."""
    if isinstance(node, Scalar):
        return node
    lines = [item.last for item in node if isinstance(item, Scalar)]
    return Scalar("", node.place, last=max(lines, default=node.place.line))


def identifier(text: str) -> str:
    """Return a name as expressions have it: `deep agent` is `deep_agent`."""
    return re.sub(r"[\s-]+", "_", text.strip())


def constant(scalar: Scalar, *, truths: bool = True) -> Value:
    """Return what a plain word stands for: a number, yes or no, or itself."""
    if not scalar.plain:
        return scalar.text
    if truths and scalar.text.lower() in TRUTH:
        return TRUTH[scalar.text.lower()]
    if _NUMBER.match(scalar.text) and len(scalar.text) <= 12:
        return float(scalar.text) if "." in scalar.text else int(scalar.text)
    return scalar.text
