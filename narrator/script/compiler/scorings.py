"""Compiling `scoring:` and `result:`."""

from __future__ import annotations

from narrator.core.game import Need, Scoring, ScoringRefusal
from narrator.core.values import Expression
from narrator.script.compiler.builder import GLOBALS, Builder, identifier, slug
from narrator.script.reading.models import ScoringShape
from narrator.script.reading.nodes import Items, Node, Scalar, Table

KINDS = ("votes", "seats", "seat", "number", "letter", "numbers", "letters")
WORDS = {**{kind: kind for kind in KINDS}, "yes/no": "yesno"}
"""Kinds of input as they are written; a list of words is a `choice`."""


def scorings(b: Builder) -> None:
    """Compile every scoring into the builder."""
    for name, shape in (b.script.scoring or {}).items():
        b.scorings[name] = _scoring(b, name, shape)


def _scoring(b: Builder, name: str, shape: ScoringShape) -> Scoring:
    needs = tuple(_needs(b, shape.table("needs")))
    options = {identifier(option) for option in b.script.options or {}}
    outer = (b.known, b.maybe, b.secrets)
    # A scoring is worked out after everything was shown, from its input alone.
    b.known = {*GLOBALS, *options, *(need.name for need in needs)}
    b.maybe, b.secrets = set(), frozenset()
    helpers = given(b, shape.table("let"))
    condition = b.condition(shape.condition) if shape.condition else None
    at = f"scoring/{slug(name)}"
    refusals = tuple(
        ScoringRefusal(
            b.condition(refusal.condition), b.spoken(f"{at}/refuse-{number}", refusal.say)
        )
        for number, refusal in enumerate(shape.refuse or [], 1)
    )
    gives = given(b, shape.table("give"))
    b.known, b.maybe, b.secrets = outer
    return Scoring(name, needs, refusals, gives, helpers, condition)


def given(b: Builder, table: Table) -> tuple[tuple[str, Expression], ...]:
    """Compile `key: value` lines; a later one sees the earlier."""
    values = []
    for key, node in table.items():
        values.append((identifier(key), b.value(node)))
        b.known.add(identifier(key))
    return tuple(values)


def _needs(b: Builder, table: Table) -> list[Need]:
    return [_need(b, identifier(key), node, table) for key, node in table.items()]


def _need(b: Builder, name: str, node: Node, table: Table, optional: bool = False) -> Need:
    if isinstance(node, Table):
        inner = node.get("optional")
        if inner is not None and len(node) == 1:
            return _need(b, name, inner, table, optional=True)
        b.report.add("NS022", node.place, wanted="a kind of input", found="a mapping")
        return Need(name, "number")
    if isinstance(node, Items):
        words = tuple(item.text for item in node if isinstance(item, Scalar))
        return Need(name, "choice", optional, words)
    text = node.text.strip()
    if text.startswith("optional "):
        text, optional = text.removeprefix("optional ").strip(), True
    if text not in WORDS:
        b.report.add("NS026", node.place, word=text, key=name, near=(text, WORDS))
    return Need(name, WORDS.get(text, "number"), optional)  # type: ignore[arg-type]
