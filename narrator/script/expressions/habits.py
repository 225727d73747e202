"""Habits of other languages in expressions: what was meant by them, and how it is written here."""

from __future__ import annotations

import re
from collections.abc import Iterable

_QUOTED = re.compile(r"('[^']*'|\"[^\"]*\")")
_CODE = re.compile(r"\{\{.*?\}\}|\{%.*?%\}", re.DOTALL)
_BLOCK = "Write `{% if x %}…{% endif %}` around a text, or `{{ 'one' if x else 'other' }}`."
_SET = "A value is put into a variable by a step of its own: `set: {name: value}`."
_CURES = (
    (r"\{\{\s*(if|elif|else|endif|for|endfor)\b", _BLOCK),
    (r"\{[{%]\s*set\b", _SET),
    (r"===|!==", "Two values are compared with `==` or `!=`."),
    (r"\+\+|--|[-+*/]=", _SET),
    (r"&&", "Write `and`."),
    (r"\|\|", "Write `or`."),
    (r"<>", "Write `!=`."),
    (r"!(?!=)", "Write `not`."),
    (r"\?", "Write `one if x else other`."),
    (r"(?<![=!<>])=(?!=)", "Two values are compared with `==`: `x == 'a'`."),
    (r"\b(AND|OR|NOT|IN|IF|ELSE)\b", "Write and, or, not, in, if and else in small letters."),
    (r"\bcontains\b", "Write `x in list`."),
    (r"\{\{[^}]*\}(?!\})", "An expression begins with `{{` and ends with `}}`."),
)
"""What is looked for outside of quotation marks, and the cure; the first that is found is told."""
_NAMES = {
    "yes": "Write the condition alone: `x`, or `not x`.",
    "no": "Write the condition alone: `x`, or `not x`.",
    "on": "Write the condition alone: `x`, or `not x`.",
    "off": "Write the condition alone: `x`, or `not x`.",
    "null": "No value is `none`.",
    "nil": "No value is `none`.",
    "undefined": "No value is `none`.",
    "nobody": "No value is `none`: `x == none`.",
    "players": "The players are `seats`; how many there are is `n`.",
    "points": "The points so far are `totals`.",
    "scores": "The points so far are `totals`.",
}
_FUNCTIONS = {
    "len": "Write `x | length`.",
    "size": "Write `x | length`.",
    "random": "Chance is a step of its own: `draw`, `shuffle` or `roll`.",
    "randint": "Chance is a step of its own: `roll`.",
    "choice": "Chance is a step of its own: `draw`.",
    "shuffle": "Chance is a step of its own: `shuffle`.",
    "sorted": "Write `x | sort`.",
    "sum": "Write `x | sum`.",
    "max": "Write `x | max`.",
    "min": "Write `x | min`.",
    "round": "Write `x | round`.",
    "abs": "Write `x | abs`.",
    "str": "Write `x | string`.",
    "int": "Write `x | int`.",
    "append": "Write `list + [x]`.",
    "push": "Write `list + [x]`.",
}
"""Functions and filters of other languages."""


def cure_of_syntax(source: str) -> str:
    """Return what to write instead in an expression that cannot be read; empty: nothing better."""
    bare = _QUOTED.sub("''", source)
    return next((cure for pattern, cure in _CURES if re.search(pattern, bare)), "")


def cure_of_name(name: str) -> str:
    """Return what is meant by a name that is not there; empty where that is not known."""
    return _NAMES.get(name.lower(), "")


def cure_of_function(name: str) -> str:
    """Return how a function or filter that is not there is written; empty: not known."""
    return _FUNCTIONS.get(name.lower(), "")


def single_braces(source: str, names: Iterable[str]) -> str:
    """Return a known name that stands in one pair of braces in a text; empty where none does."""
    known = set(names)
    for found in re.findall(r"(?<!\{)\$?\{\s*([\w ]+?)\s*\}(?!\})", source):
        if "_".join(found.split()) in known:
            return str(found)
    return ""


def joined(source: str, names: Iterable[str]) -> str:
    """Write names that stand with spaces as expressions have them: `how many` is `how_many`.

    Args:
        source: An expression, or a text with expressions in braces.
        names: Those that are known here.
    """
    spaced = sorted((name for name in names if "_" in name.strip("_")), key=len, reverse=True)
    if not spaced or " " not in source:
        return source
    words = "|".join(re.escape(name).replace("_", r"\s+") for name in spaced)
    pattern = re.compile(rf"(?<![\w.])(?:{words})(?!\w)")

    def code(text: str) -> str:
        parts = _QUOTED.split(text)
        parts[::2] = [pattern.sub(lambda m: "_".join(m[0].split()), part) for part in parts[::2]]
        return "".join(parts)

    return _CODE.sub(lambda m: code(m[0]), source) if "{" in source else code(source)
