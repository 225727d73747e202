"""A table file: who sits at the table, how names sound, and how they like to play."""

from __future__ import annotations

import difflib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from narrator.core.values import Seat
from narrator.files.bounded import read_bytes, reason
from narrator.ports.errors import NarratorError
from narrator.script.diagnostics.report import Report
from narrator.script.reading.nodes import Items, Node, Scalar, Table, decode, read

KEYS = ("players", "options", "settings", "words")
PLAYER_KEYS = ("name", "say", "hear")


class TableFileError(NarratorError):
    """A table file cannot be used; the message names the place."""

    exit_code = 2


@dataclass(frozen=True, slots=True)
class TableFile:
    """What a table file says."""

    seats: tuple[Seat, ...]
    options: Mapping[str, str] = field(default_factory=dict)
    """Of the game, as `--set` would have them."""
    settings: Mapping[str, str] = field(default_factory=dict)
    """Of Narrator, as its configuration file would have them."""
    words: Mapping[str, str] = field(default_factory=dict)
    """Respellings for the voice, by word as written."""


def read_table(path: Path) -> TableFile:
    """Read a table file; every name stays the text it is, be it No, Null or a date.

    Raises:
        TableFileError: It cannot be read, or says something unknown.
    """
    report = Report(file=str(path))
    try:
        text = decode(read_bytes(path), report)
    except OSError as fault:
        raise TableFileError(f"The table file {path} cannot be read: {reason(fault)}.") from fault
    table = read(text, report) if text is not None else None
    if table is None or report.failed:
        told = "\n".join(str(diagnostic) for diagnostic in report.sorted())
        raise TableFileError(f"The table file {path} cannot be used.\n{told}")
    return _Reading(path).table(table)


class _Reading:
    def __init__(self, path: Path) -> None:
        self._path = path

    def table(self, table: Table) -> TableFile:
        self._refuse_unknown(table, KEYS)
        players = table.get("players")
        if not isinstance(players, Items) or not players:
            raise self._fault("`players` should be a list of names, clockwise", table)
        return TableFile(
            tuple(self._seat(number, node) for number, node in enumerate(players, 1)),
            *(self._texts(table, key) for key in KEYS[1:]),
        )

    def _seat(self, number: int, node: Node) -> Seat:
        if isinstance(node, Scalar):
            return Seat(number, self._name(node))
        if not isinstance(node, Table):
            raise self._fault("a player should be a name, or have name:, say: and hear:", node)
        self._refuse_unknown(node, PLAYER_KEYS)
        name, say, hear = (node.get(key) for key in PLAYER_KEYS)
        if not isinstance(name, Scalar):
            raise self._fault("this player has no name", node)
        forms = hear if isinstance(hear, Items) else [hear] if hear is not None else []
        # How the voice says a name is how people say it.
        said = [self._text(form) for form in (say, *forms) if form is not None]
        heard = tuple(dict.fromkeys(form.lower() for form in said))
        return Seat(number, self._name(name), self._text(say) if say is not None else "", heard)

    def _name(self, node: Scalar) -> str:
        name = " ".join(node.text.split())
        if not name:
            raise self._fault("this player has no name", node)
        return name

    def _texts(self, table: Table, key: str) -> dict[str, str]:
        node = table.get(key)
        if node is None:
            return {}
        if not isinstance(node, Table):
            raise self._fault(f"`{key}` should be lines of `name: value`", node)
        return {name: self._text(value) for name, value in node.items()}

    def _text(self, node: Node) -> str:
        if not isinstance(node, Scalar):
            raise self._fault("this should be one word or text", node)
        return node.text

    def _refuse_unknown(self, table: Table, known: tuple[str, ...]) -> None:
        for key in table:
            if key not in known:
                near = difflib.get_close_matches(key, known, n=1)
                hint = f"Did you mean `{near[0]}`?" if near else f"There are: {', '.join(known)}."
                place = table.keys_at[key]
                where = f"{self._path}:{place.line}:{place.column}"
                raise TableFileError(f"{where}: `{key}` is not known here.", hint)

    def _fault(self, what: str, node: Node) -> TableFileError:
        place = node.place
        return TableFileError(f"{self._path}:{place.line}:{place.column}: {what}.")
