"""What goes wrong when prose meets YAML, said so that a writer of prose understands it."""

from __future__ import annotations

import re
from collections.abc import Sequence

from ruamel.yaml.error import MarkedYAMLError

from narrator.core.game import Place

_ENTRY = re.compile(r"^(?P<head>\s*(?:- +)*)(?P<key>[\w /-]+?):\s+(?P<value>\S.*)$")
_ITEM = re.compile(r"^(?P<head>\s*- +)(?P<value>\S.*)$")
_LOST = re.compile(r"[ \t]+#(?:[^\s#]| ?\d)")
_MAP_ENTRY = re.compile(r"\bset:\s*\{\s*([\w ]+?)\s*\[(.+?)\]\s*:\s*([^,}]+)")
_VARIABLE = re.compile(r"[a-z]|\d+$")
"""How what is no word of its own begins: a name, a number, or what is looked up in one."""
_STARTS = "{[]}'\"@`%*&!|>,?#"
_WHY = {
    "{": "a brace begins a mapping",
    "[": "a bracket begins a list",
    "'": "the quotation ends early",
    '"': "the quotation ends early",
    "|": "a bar begins a block of lines",
    ">": "an arrow begins a block of lines",
}


def lost_text(lines: Sequence[str], line: int, column: int) -> tuple[int, str] | None:
    """Return where (from 0), and what, an unquoted text lost to a comment that hardly is one.

    `Player #1 wins` loses `#1 wins`; ` # a remark`, with a space, is a comment and is meant.
    """
    if line >= len(lines):
        return None
    match = _LOST.match(lines[line], column)
    if not match:
        return None
    start = lines[line].index("#", column)
    return start, lines[line][start:]


def explain(
    fault: MarkedYAMLError, lines: Sequence[str], file: str
) -> tuple[str, Place, dict[str, str]]:
    """Return code, place and fields for what YAML could not read."""
    mark = fault.problem_mark or fault.context_mark
    line, column = (mark.line, mark.column) if mark else (0, 0)
    problem = str(fault.problem or "it ends too early")
    source = lines[line] if line < len(lines) else ""
    indent = source[: len(source) - len(source.lstrip())]
    if "\t" in indent:
        return "NS002", Place(file, line + 1, indent.index("\t") + 1), {}
    entry = _MAP_ENTRY.search(source)
    if entry:
        name, key, value = (part.strip(" '\"") for part in entry.groups())
        written = key if _VARIABLE.match(key) else f"'{key}'"
        cure = f'Write set: {{{name}: "{{{{ {name} | put({written}, {value}) }}}}"}}'
        why = "a bracket begins a list, and one entry of a map is changed by the filter `put`"
        return "NS003", Place(file, line + 1, entry.start(2)), {"problem": why, "cure": cure}
    prose = _prose(problem, source, column)
    if prose:
        why, at = prose
        return "NS003", Place(file, line + 1, at + 1), {"problem": why, "cure": _quoted(source)}
    return _opened(fault, lines, file) or _plain(problem, Place(file, line + 1, column + 1))


def _plain(problem: str, place: Place) -> tuple[str, Place, dict[str, str]]:
    return "NS001", place, {"problem": problem.replace("<", "").replace(">", "")}


def _opened(
    fault: MarkedYAMLError, lines: Sequence[str], file: str
) -> tuple[str, Place, dict[str, str]] | None:
    """A quotation or bracket that is never closed: the place is where it was opened."""
    mark = fault.context_mark
    if mark is None or mark.line >= len(lines):
        return None
    opening = lines[mark.line][mark.column : mark.column + 1]
    if opening not in "\"'[{" or not opening:
        return None
    place = Place(file, mark.line + 1, mark.column + 1)
    return "NS003", place, {"problem": f"what {opening} opens is not closed", "cure": ""}


def _prose(problem: str, source: str, column: int) -> tuple[str, int] | None:
    if "unknown escape" in problem:
        return "within double quotes a backslash begins a special character", column
    match = _ENTRY.match(source) or _ITEM.match(source)
    if not match or column < match.start("value"):
        return None
    if "mapping values are not allowed" in problem:
        return "a colon with a space after it makes what precedes it a key", column
    start = match.start("value")
    first = source[start]
    if "cannot start any token" in problem:
        return f"no text may begin with {first}", start
    if first in _STARTS and column >= start:
        return _WHY.get(first, f"{first} at the beginning is special"), start
    if "sequence entries are not allowed" in problem:
        return "a dash with a space after it begins an item of a list", column
    return None


def _quoted(source: str) -> str:
    """The line as it should be."""
    match = _ENTRY.match(source) or _ITEM.match(source)
    if not match:
        return ""
    value = match["value"].strip()
    if value[0] == "'":
        value = value.strip("'")
    key = f"{match['key']}: " if "key" in match.groupdict() else "- "
    if '"' in value or "\\" in value:
        return (
            f"Put it in single quotes: {key}'{value.strip(chr(34)).replace(chr(39), chr(39) * 2)}'"
        )
    return f'Put it in double quotes: {key}"{value}"'
