"""YAML of others as plain values, with the place of each, by libyaml where it is there."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, TypeAlias

from ruamel.yaml.error import MarkedYAMLError, YAMLError

from narrator.script.reading.quick_yaml import composed, refuse_towers

Keys: TypeAlias = tuple[str | int, ...]
"""Keys and positions that lead to a value."""

_NODES = 100_000
"""Values of a file; the longest of Home Assistant's sets has 20,000 in all its files."""
_LONGEST_KEY = 200
_YES, _NO = frozenset(("true", "True", "TRUE")), frozenset(("false", "False", "FALSE"))


class PlacedFault(ValueError):
    """A file is no YAML, or out of bounds; the text is the sentence, with its place if known."""


class Placed:
    """One file's content."""

    def __init__(self, path: Path, text: str) -> None:
        """Read it.

        Raises:
            PlacedFault: It is not valid, or holds more than any such file.
        """
        self.path = path
        self._places: dict[Keys, tuple[int, int]] = {}
        self.data = self._content(text)

    def place(self, keys: Sequence[str | int]) -> str:
        """Return the place of a value, or of the nearest thing around it that is in the file."""
        known = tuple(keys)
        while known and known not in self._places:
            known = known[:-1]
        line, column = self._places.get(known, (1, 1))
        return f"{self.path}:{line}:{column}"

    def _content(self, text: str) -> object:
        try:
            refuse_towers(text)
            node = composed(text)
            return None if node is None else self._value(node, ())
        except PlacedFault:
            raise
        except MarkedYAMLError as error:
            mark = error.problem_mark or error.context_mark
            where = f":{mark.line + 1}:{mark.column + 1}" if mark else ""
            problem = " ".join(str(error.problem or error.context).split())
            why = f"{self.path}{where}: This is not valid YAML: {problem}."
            raise PlacedFault(why) from error
        except (YAMLError, RecursionError, ValueError) as error:
            problem = " ".join(str(error).split())
            raise PlacedFault(f"{self.path} cannot be read as YAML: {problem}.") from error

    def _value(self, node: Any, keys: Keys) -> object:
        if len(self._places) > _NODES:
            raise PlacedFault(f"{self.path} holds more than {_NODES:,} values.")
        self._places.setdefault(keys, (node.start_mark.line + 1, node.start_mark.column + 1))
        if node.id == "mapping":
            return self._mapping(node, keys)
        if node.id == "sequence":
            return [self._value(item, (*keys, at)) for at, item in enumerate(node.value)]
        return _scalar(node)

    def _mapping(self, node: Any, keys: Keys) -> dict[str, object]:
        found: dict[str, object] = {}
        for key, value in node.value:
            name = str(key.value)[:_LONGEST_KEY] if key.id == "scalar" else ""
            mark = key.start_mark
            if name in found:
                first = self._places[(*keys, name)][0]
                where = f"{self.path}:{mark.line + 1}:{mark.column + 1}"
                raise PlacedFault(f"{where}: `{name}` is there already, in line {first}: keep one.")
            self._places[(*keys, name)] = (mark.line + 1, mark.column + 1)
            found[name] = self._value(value, (*keys, name))
        return found


def _scalar(node: Any) -> object:
    kind, text = node.tag.rpartition(":")[2], node.value
    try:
        if kind == "int":
            return int(text.replace("_", ""), 0)
        if kind == "float":
            return float(text)
    except ValueError:
        return text
    if kind == "bool" and text in _YES | _NO:
        return text in _YES
    return None if kind == "null" else text
