"""Compiled expressions: text, value and condition. They raise ExpressionError and nothing else."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any

from jinja2 import Template, TemplateSyntaxError, meta, nodes
from jinja2.environment import TemplateExpression
from jinja2.visitor import NodeTransformer

from narrator.core.values import Constant, Expression, ExpressionError, Scope, Value
from narrator.script.expressions.meter import metered
from narrator.script.expressions.sandbox import FORBIDDEN, LONGEST_TEXT, Environment, bounded, plain

LONGEST = 2_000
"""Characters of one template."""
MOST_NODES = 400

_LACKING = re.compile(r"object' has no attribute (.+)$")
_WHOLE = re.compile(r"^\s*\{\{(?P<inner>(?:(?!\}\}).)*)\}\}\s*$", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Text:
    """A text with expressions in it."""

    source: str
    template: Template = field(compare=False, repr=False)

    def __call__(self, scope: Scope) -> Value:
        """Return the text, white space put together. Raises ExpressionError."""
        try:
            with metered():
                return " ".join(bounded(self.template.render(scope)).split())
        except Exception as fault:
            raise plainly(fault, self.source) from fault


@dataclass(frozen=True, slots=True)
class Native:
    """One expression that keeps the kind of its value."""

    source: str
    expression: TemplateExpression = field(compare=False, repr=False)
    condition: bool = False

    def __call__(self, scope: Scope) -> Value:
        """Return the value, or whether it is true. Raises ExpressionError."""
        try:
            with metered():
                value = plain(self.expression(scope))
        except Exception as fault:
            raise plainly(fault, self.source) from fault
        return bool(value) if self.condition else value


@dataclass(frozen=True, slots=True)
class Joined:
    """A text said once for each item, as one line."""

    items: Expression
    variable: str
    text: Expression

    def __call__(self, scope: Scope) -> Value:
        """Return the whole line. Raises ExpressionError."""
        with metered():
            items = self.items(scope)
            if not isinstance(items, list):
                raise ExpressionError(f"{items!r} is not a list")
            return bounded(
                " ".join(str(self.text({**scope, self.variable: item})) for item in items)
            )


@dataclass(frozen=True, slots=True)
class Listing:
    """A list or a map whose entries are expressions."""

    entries: tuple[tuple[str, Expression], ...]
    keyed: bool

    def __call__(self, scope: Scope) -> Value:
        """Return the list or the map. Raises ExpressionError."""
        if self.keyed:
            return {key: entry(scope) for key, entry in self.entries}
        return [entry(scope) for _, entry in self.entries]


@dataclass(frozen=True, slots=True)
class With:
    """An expression in which some names have other values."""

    inner: Expression
    others: tuple[tuple[str, Expression], ...]

    def __call__(self, scope: Scope) -> Value:
        """Return its value with those. Raises ExpressionError."""
        return self.inner({**scope, **{name: value(scope) for name, value in self.others}})


def plainly(fault: Exception, source: str) -> ExpressionError:
    """Say what went wrong within an expression in one sentence."""
    if isinstance(fault, ExpressionError):
        return fault
    if isinstance(fault, ZeroDivisionError):
        return ExpressionError(f"`{source}` divides by zero")
    lacking = _LACKING.search(str(fault))
    if lacking:
        return ExpressionError(f"`{source}` has no value here: there is no {lacking[1]} in it")
    words = (str(fault).splitlines() or ["it fails"])[0].rstrip(".")
    return ExpressionError(f"`{source}` has no value here: {words}")


class Problem(Exception):
    """An expression cannot be compiled; `code` and `fields` are for the report."""

    def __init__(self, code: str, **fields: str) -> None:
        super().__init__(code)
        self.code = code
        self.fields = fields


@dataclass(frozen=True, slots=True)
class Compiled:
    """An expression and the names it needs."""

    expression: Expression
    names: frozenset[str]


class Expressions:
    """Compiles the expressions of one script."""

    def __init__(self, env: Environment) -> None:
        self.env = env
        # A script says the same things in many places, and compiling is what takes its time.
        self._texts: dict[str, Compiled] = {}
        self._natives: dict[tuple[str, bool], Compiled] = {}

    def text(self, source: str) -> Compiled:
        """Compile a text template. Raises Problem."""
        if source not in self._texts:
            self._texts[source] = self._text(source)
        return self._texts[source]

    def _text(self, source: str) -> Compiled:
        if "{" not in source:
            if len(source) > LONGEST_TEXT:
                raise Problem("NS008", what=f"too long here: {len(source):,} letters in one text")
            return Compiled(Constant(" ".join(source.split())), frozenset())
        tree, names = self._check(source)
        return Compiled(Text(source, self._guard(self.env.from_string, tree)), names)

    def native(self, source: str, *, condition: bool = False) -> Compiled:
        """Compile one expression, with or without its `{{ }}`. Raises Problem."""
        inner = inside(source)
        bare = (source if inner is None else inner).strip()
        if (bare, condition) not in self._natives:
            self._natives[bare, condition] = self._native(bare, condition)
        return self._natives[bare, condition]

    def _native(self, bare: str, condition: bool) -> Compiled:
        tree, names = self._check("{{ " + bare + " }}", expression=True)
        # What Jinja's own compile_expression makes of a source, which is parsed already.
        kept = nodes.Assign(nodes.Name("result", "store"), _single(tree), lineno=1)
        template = self._guard(self.env.from_string, nodes.Template([kept], lineno=1))
        expression = TemplateExpression(template, undefined_to_none=False)
        return Compiled(Native(bare, expression, condition), names)

    def _guard(self, compiler: Any, *args: Any, **named: Any) -> Any:
        try:
            with metered():
                return compiler(*args, **named)
        except TemplateSyntaxError as fault:
            raise _syntax(fault) from fault
        except ExpressionError as fault:  # a constant part is worked out while compiling
            raise Problem("NS040", problem=str(fault)) from fault
        except (
            RecursionError,
            MemoryError,
            SyntaxError,
            ArithmeticError,
            ValueError,
            TypeError,
        ) as fault:
            raise Problem("NS040", problem="it is too deep or makes no sense") from fault

    def _check(
        self, source: str, *, expression: bool = False
    ) -> tuple[nodes.Template, frozenset[str]]:
        if len(source) > LONGEST:
            raise Problem("NS040", problem=f"it is longer than {LONGEST} characters")
        tree: nodes.Template = self._guard(self.env.parse, source)
        names = self._guard(self._inspected, tree, expression)
        return _Concatenated().visit(tree), names

    def _inspected(self, tree: nodes.Template, expression: bool) -> frozenset[str]:
        if expression and _single(tree) is None:
            raise Problem("NS040", problem="one expression is wanted here")
        found = list(tree.find_all(nodes.Node))
        for node in found:
            self._allowed(node)
        if len(found) > MOST_NODES:
            raise Problem("NS040", problem="it is too long")
        if any(isinstance(node, nodes.For) for node in found):
            names = meta.find_undeclared_variables(tree)
        else:  # nothing is set within it, so that what it names is all it needs
            names = {node.name for node in found if isinstance(node, nodes.Name)}
        return frozenset(names - set(self.env.globals))

    def _allowed(self, node: nodes.Node) -> None:
        if type(node) in FORBIDDEN:
            raise Problem("NS043", what=FORBIDDEN[type(node)])
        if isinstance(node, nodes.Getattr) and node.attr.startswith("_"):
            raise Problem("NS043", what=f"`.{node.attr}`")
        if isinstance(node, nodes.For) and next(iter(_inner_loops(node)), None) is not None:
            raise Problem("NS043", what="A loop within a loop")
        if isinstance(node, nodes.Filter) and node.name not in self.env.filters:
            raise Problem("NS042", what="filter", name=node.name)
        if isinstance(node, nodes.Test) and node.name not in self.env.tests:
            raise Problem("NS042", what="test", name=node.name)
        if isinstance(node, nodes.Call) and isinstance(node.node, nodes.Name):
            if node.node.name not in self.env.globals:
                raise Problem("NS042", what="function", name=node.node.name)


class _Concatenated(NodeTransformer):
    """Has `a ~ b` worked out by `join`, which knows bounds."""

    def visit_Concat(self, node: nodes.Concat) -> nodes.Node:
        self.generic_visit(node)
        parts = nodes.List(node.nodes, lineno=node.lineno)
        return nodes.Filter(parts, "join", [], [], None, None, lineno=node.lineno)


def inside(source: str) -> str | None:
    """Return what stands between the braces where a text is nothing but one `{{ … }}`."""
    match = _WHOLE.match(source)
    return match["inner"] if match else None


def _inner_loops(node: nodes.For) -> list[nodes.For]:
    return [found for part in node.body for found in [part, *part.find_all(nodes.For)]
            if isinstance(found, nodes.For)]  # fmt: skip


def _single(tree: nodes.Template) -> nodes.Expr | None:
    """Return the one expression that a template is; None where it is anything else."""
    if len(tree.body) != 1 or not isinstance(tree.body[0], nodes.Output):
        return None
    parts = [
        p for p in tree.body[0].nodes if not (isinstance(p, nodes.TemplateData) and not p.data)
    ]
    return parts[0] if len(parts) == 1 and not isinstance(parts[0], nodes.TemplateData) else None


def _syntax(fault: TemplateSyntaxError) -> Problem:
    message = str(fault.message or "it ends too early").rstrip(".")
    unknown = re.match(r"No (filter|test) named '(\w+)'", message)
    if unknown:
        return Problem("NS042", what=unknown[1], name=unknown[2])
    tag = re.match(r"Encountered unknown tag '(\w+)'", message)
    if tag:
        return Problem("NS043", what=f"`{tag[1]}`")
    return Problem("NS040", problem=_in_plain_words(message))


def _in_plain_words(message: str) -> str:
    """Say what Jinja says of a template's syntax without the words of its parser."""
    message = message.replace("end of print statement", "the end")
    wanted = re.match(r"expected token '?.+?'?, got '?(.+?)'?$", message)
    unexpected = re.match(r"unexpected (?:char )?(?:(['\"])(.+?)\1|(.+))", message)
    found = wanted[1] if wanted else (unexpected[2] or unexpected[3]) if unexpected else ""
    if found == "the end":
        return "something is missing at its end"
    return f"`{found}` should not stand there" if found else message
