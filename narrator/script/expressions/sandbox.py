"""Jinja2 as scripts may use it: strict about names, and nothing in it can grow without bounds."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, MutableMapping
from typing import Any

from jinja2 import StrictUndefined, nodes, pass_context
from jinja2.filters import do_round
from jinja2.runtime import Context, Undefined
from jinja2.sandbox import ImmutableSandboxedEnvironment

from narrator.core import library
from narrator.core.values import ExpressionError, Value
from narrator.script.expressions.meter import charge, charged, size

LONGEST_TEXT = 10_000
"""Characters that a text may come to."""
LARGEST_NUMBER = 10**12
LONGEST_LIST = 500
_MOST_DIGITS = 12
"""Places before or behind the point that a number is rounded to."""
MOST_LETTERS = 200_000
"""Letters in one variable, with all it holds."""
MOST_VALUES = 5_000
"""Values in one variable, with all they hold: the scores of a long evening, round by round."""

PLAIN_FILTERS = (
    "abs", "capitalize", "count", "default", "dictsort", "first", "float", "int", "items", "last",
    "length", "list", "lower", "max", "min", "reject", "reverse", "round", "select",
    "sort", "string", "sum", "title", "trim", "unique", "upper", "map",
)  # fmt: skip
"""Jinja's own filters that are allowed: those that cannot grow what they are given."""
METHODS: Mapping[type, frozenset[str]] = {
    dict: frozenset({"items", "keys", "values", "get"}),
    str: frozenset({"upper", "lower", "title", "strip", "startswith", "endswith"}),
    list: frozenset({"index", "count"}),
}
FORBIDDEN: Mapping[type[nodes.Node], str] = {
    nodes.Assign: "Setting a variable",
    nodes.AssignBlock: "Setting a variable",
    nodes.Macro: "A macro",
    nodes.CallBlock: "A call block",
    nodes.Include: "Including a file",
    nodes.Import: "Importing a file",
    nodes.FromImport: "Importing a file",
    nodes.Extends: "Extending a template",
    nodes.Block: "A block",
    nodes.FilterBlock: "A filter block",
    nodes.With: "A with block",
    nodes.Pow: "A power (**)",
}


class Environment(ImmutableSandboxedEnvironment):
    """The sandbox. One serves a whole script; it keeps nothing of a game."""

    intercepted_binops = frozenset({"+", "*", "%", "-", "/", "//"})

    def call_binop(self, context: Context, operator: str, left: Any, right: Any) -> Any:
        """Calculate, with numbers only but for `+`, and never beyond all bounds."""
        if operator != "+" and not (_is_number(left) and _is_number(right)):
            raise ExpressionError(f"{left!r} {operator} {right!r} cannot be worked out")
        charge(size(left) + size(right))
        result = super().call_binop(context, operator, left, right)
        if _is_number(result) and abs(result) > LARGEST_NUMBER:
            raise ExpressionError("a number becomes too large")
        if isinstance(result, str) and len(result) > LONGEST_TEXT:
            raise ExpressionError("a text becomes too long")
        if isinstance(result, list) and len(result) > LONGEST_LIST:
            raise ExpressionError("a list becomes too long")
        return result

    def make_globals(self, d: MutableMapping[str, Any] | None) -> MutableMapping[str, Any]:
        """Return a template its functions as one dict: Jinja copies them for every evaluation, and
        copying the chain it would make takes longer than most expressions.
        """
        return {**self.globals, **(d or {})}

    def wrap_str_format(self, value: Any) -> Callable[..., str] | None:
        """Refuse `format` like any other method: its widths are not bounded."""
        return None

    def is_safe_attribute(self, obj: Any, attr: str, value: Any) -> bool:
        """Allow the few harmless methods of texts, lists and maps, and loop's own counters."""
        for kind, names in METHODS.items():
            if isinstance(obj, kind):
                return attr in names
        return type(obj).__name__ == "LoopContext" and attr in {"first", "last", "index", "length"}


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float))


def _seats(context: Context) -> list[str]:
    seats = context.resolve_or_missing("seats")
    if not isinstance(seats, list):
        raise ExpressionError("there are no seats here")
    return seats


def _around(function: Callable[..., Any]) -> Callable[..., Any]:
    """Hand the seats of the scope to a function whose first argument they are."""

    @pass_context
    def bound(context: Context, *values: Any, **named: Any) -> Any:
        return function(_seats(context), *values, **named)

    return bound


def _range(*bounds: int) -> list[int]:
    numbers = range(*bounds)
    if len(numbers) > LONGEST_LIST:
        raise ExpressionError(f"a list of {len(numbers)} numbers is too long")
    return list(numbers)


def _round(value: float, precision: int = 0, method: str = "common") -> float:
    if not -_MOST_DIGITS <= precision <= _MOST_DIGITS:
        raise ExpressionError(f"nothing is rounded to {precision} places")
    return do_round(value, precision, method)  # type: ignore[arg-type]  # Jinja says what else


def _sum(items: Iterable[Any], start: float = 0) -> Any:
    numbers = list(items)
    if not all(map(_is_number, numbers)):
        raise ExpressionError("only numbers can be added up")
    return sum(numbers, start)


def _join(items: Any, separator: str = "") -> str:
    words = [str(item) for item in items]
    if sum(map(len, words)) + len(words) * len(separator) > LONGEST_TEXT:
        raise ExpressionError("a text becomes too long")
    return separator.join(words)


FUNCTIONS: Mapping[str, Callable[..., Any]] = {
    "clamp": library.clamp,
    "majority": library.majority,
    "letters": library.letters,
    "range": _range,
    "others": _around(library.others),
    "left_of": _around(library.left_of),
    "right_of": _around(library.right_of),
    "circle": _around(library.circle),
}
FILTERS: Mapping[str, Callable[..., Any]] = {
    "tally": _around(library.tally),
    "in_seat_order": _around(library.in_seat_order),
    "leaders": library.leaders,
    "self_votes": library.self_votes,
    "voters_of": library.voters_of,
    "any_of": library.any_of,
    "without": library.without,
    "only": library.only,
    "each": library.each,
    "says": library.says,
    "plus": library.plus,
    "minus": library.minus,
    "put": library.put,
    "through": library.through,
    "team_of": library.team_of,
    "by_team": library.by_team,
    "join": _join,
    "round": _round,
    "sum": _sum,
}


def environment(words: Mapping[str, str]) -> Environment:
    """Make the sandbox for a language.

    Args:
        words: the language's own for `and`, `minute`, `minutes`, `second`, `seconds`, `nobody`.
    """
    spoken = {**library.TIME_WORDS, **words}
    env = Environment(undefined=StrictUndefined, autoescape=False, finalize=_spoken(spoken))
    kept = {name: env.filters[name] for name in PLAIN_FILTERS if name in env.filters}

    def names(some: Value) -> str:
        return library.names(some, spoken["and"])

    def minutes(seconds: Any) -> str:
        return library.minutes(seconds, spoken)

    spoken_filters = {"names": names, "scores": names, "minutes": minutes}
    filters = {**kept, **FILTERS, **spoken_filters}
    env.filters = {name: charged(function) for name, function in filters.items()}
    functions = {**FUNCTIONS, "names": names, "minutes": minutes}
    env.globals = {name: charged(function) for name, function in functions.items()}
    return env


def _spoken(words: Mapping[str, str]) -> Callable[[Any], Any]:
    """Turn a value into what is said where a text holds it."""

    def finalize(value: Any) -> Any:
        charge(size(value))
        if value is None:
            return words.get("nobody", "nobody")
        if isinstance(value, Iterator):
            value = list(value)
        if isinstance(value, (list, dict)):
            return library.names(value, words["and"])
        if isinstance(value, float) and value.is_integer():
            return int(value)
        return value

    return finalize


def plain(value: Any) -> Value:
    """Turn what Jinja gives into what JSON can hold.

    Raises:
        ExpressionError: it is nothing of that kind, has no value, or is too large to be kept.
    """
    return _Plain().of(value)


class _Plain:
    """Counts what it turns: a value that holds another twice, and so on, must not grow for ever."""

    def __init__(self) -> None:
        self.left = MOST_VALUES
        self.letters = MOST_LETTERS

    def of(self, value: Any) -> Value:
        """Turn a value and all it holds."""
        self.left -= 1
        if self.left < 0:
            raise ExpressionError("a list becomes too long")
        if isinstance(value, Undefined):
            value._fail_with_undefined_error()
        if isinstance(value, str):
            self.letters -= len(value)
            if self.letters < 0:
                raise ExpressionError("the texts become too long together")
            return bounded(value)
        if value is None or isinstance(value, (bool, int, float)):
            return value
        if isinstance(value, (dict, Mapping)):  # the first is told much sooner, and is most
            return {str(key): self.of(item) for key, item in value.items()}
        if isinstance(value, (list, Iterable)):
            return [self.of(item) for item in value]
        raise ExpressionError(f"{value!r} is no value a script can keep")


def bounded(text: str) -> str:
    """Return the text back. Raises ExpressionError where it is too long to be said."""
    if len(text) > LONGEST_TEXT:
        raise ExpressionError("a text becomes too long")
    return text
