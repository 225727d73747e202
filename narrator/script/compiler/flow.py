"""Compiling the steps that hold steps, and those that jump."""

from __future__ import annotations

from narrator.core.game import Step
from narrator.core.steps.blocks.again import Again
from narrator.core.steps.blocks.branch import If
from narrator.core.steps.blocks.for_each import ForEach
from narrator.core.steps.blocks.repeat import Repeat, Spoiled
from narrator.core.steps.values.set import Set
from narrator.core.values import Constant, Expression
from narrator.script.compiler.builder import Builder, ends, handles, slug
from narrator.script.compiler.questions import voters_of
from narrator.script.compiler.steps import assigned
from narrator.script.reading.models import (
    AgainShape,
    ForEachShape,
    IfShape,
    PartShape,
    RepeatShape,
    SpoiledShape,
)
from narrator.script.reading.nodes import Scalar


@handles(ForEachShape)
def for_each(b: Builder, shape: ForEachShape) -> list[Step]:
    """`for each: seat`."""
    name = b.name(shape)
    items = voters_of(b, shape.begin, shape.items, shape.variable)
    before = set(b.known)
    variable = b.variable(shape.variable, loop=True)
    with b.inside(name):
        steps = b.steps(shape.steps, name)
    if variable not in before:
        b.known.discard(variable)
    return [ForEach(name, variable, items, steps)]


@handles(RepeatShape)
def repeat(b: Builder, shape: RepeatShape) -> list[Step]:
    """`repeat: times`, or `repeat:` with `until:`."""
    name = b.name(shape)
    times: Expression | None = None
    if shape.repeat is not None and shape.repeat.text.strip():
        times = b.reference(shape.repeat)
        _sane_times(b, shape.repeat)
    counter = b.variable(shape.count) if shape.count else ""
    with b.inside(name):
        steps = b.steps(shape.steps, name)
    until = b.condition(shape.until) if shape.until else None
    spoiled = _spoiled(b, shape.spoiled, name, steps) if shape.spoiled else None
    if times is None and until is None and not ends(steps):
        b.report.add("NS061", shape.place, why="it is repeated without end",
                     cure="Say how often (`repeat: 4`), or add `until:`.")  # fmt: skip
    return [Repeat(name, steps, times, until, counter, spoiled)]


BEGINS = ("", "-say", "-ask", "-countdown", "-none", "-with", "-worked-out")
"""What the first of the steps that one of an author's becomes adds to its name."""


def _spoiled(b: Builder, shape: SpoiledShape, name: str, steps: tuple[Step, ...]) -> Spoiled:
    line = b.line(f"{name}/spoiled", shape.say)
    condition = b.condition(shape.condition) if shape.condition else None
    if shape.before is None:
        return Spoiled(line, len(steps), condition)
    names = [step.name for step in steps]
    last = slug(shape.before.text)
    places = [names.index(last + more) for more in BEGINS if last + more in names]
    if not places:
        word = shape.before.text
        b.report.add("NS041", shape.before.place, name=word, near=(word, names))
    return Spoiled(line, min(places, default=0), condition)


def _sane_times(b: Builder, times: Scalar) -> None:
    if times.text.lstrip("-").isdigit() and not 1 <= int(times.text) <= 1000:
        b.report.add("NS027", times.place, what="Steps are repeated between 1 and 1000 times")


@handles(IfShape)
def branch(b: Builder, shape: IfShape) -> list[Step]:
    """`if: condition`."""
    name = b.name(shape)
    condition = b.condition(shape.condition)
    known, maybe = set(b.known), set(b.maybe)
    then = b.steps(shape.then, f"{name}/then")
    after_then = None if ends(then) else set(b.known)
    b.known = set(known)
    otherwise = b.steps(shape.otherwise or [], f"{name}/else")
    after_else = None if ends(otherwise) else set(b.known)
    merge(b, known, [names for names in (after_then, after_else) if names is not None])
    b.maybe |= maybe
    return [If(name, condition, then, otherwise)]


def merge(b: Builder, before: set[str], ways: list[set[str]]) -> None:
    """Know after a branch what every way knows; the rest may be without a value."""
    sure = set.intersection(*ways) if ways else before
    some = set.union(*ways) if ways else before
    b.known = sure
    b.maybe |= some - sure


@handles(PartShape)
def part(b: Builder, shape: PartShape) -> list[Step]:
    """`part: name`: its steps, put in here."""
    word = shape.part.text
    parts = b.script.parts or {}
    b.used.add(f"part {word}")
    if word in b.report.dropped:
        return []
    if word not in parts:
        b.report.add("NS050", shape.part.place, name=word, near=(word, parts))
        return []
    if word in b.parts:
        way = " > ".join([*b.parts, word])
        b.report.add("NS051", shape.part.place, name=word, way=way)
        return []
    name = b.name(shape)
    given = assigned(b, shape.table("with"))
    first: list[Step] = [Set(b.claim(f"{name}-with"), given)] if given else []
    b.parts.append(word)
    # A block of its own, run once, so that its steps' names cannot meet those around it.
    steps = b.steps(parts[word], name, at=f"parts/{slug(word)}")
    b.parts.pop()
    return [*first, Repeat(name, steps, times=Constant(1))]


@handles(AgainShape)
def again(b: Builder, shape: AgainShape) -> list[Step]:
    """`again`: the innermost loop's run, or the phase; `again: name`: further out, or earlier."""
    word = shape.again.text if shape.again else ""
    for name, path in [*reversed(b.around), *((phase, phase) for phase in b.earlier)]:
        if not word or name == slug(word):
            return [Again(b.name(shape), path)]
    place = shape.again.place if shape.again else shape.place
    b.report.add(
        "NS053", place, name=word, near=(word, [*(name for name, _ in b.around), *b.earlier])
    )
    return []
