"""Reads YAML into nodes that know their place. No file can make it raise, or take long."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, TypeAlias

import yaml
from ruamel.yaml import YAML, events
from ruamel.yaml.error import MarkedYAMLError, YAMLError

from narrator.core.game import Place
from narrator.script.diagnostics.report import Report
from narrator.script.reading.traps import explain, lost_text

LONGEST = 64_000
"""Characters of a script: ten times the longest game we know, and still read in under a second."""
MOST_NODES = 6_000
"""Keys, values and lists of a script; a long game has a thousand."""
DEEPEST = 24
"""Levels of lists and maps in one another."""

_DOCUMENT = (events.DocumentStartEvent, yaml.DocumentStartEvent)
_NODE = (events.NodeEvent, yaml.NodeEvent)
_ALIAS = (events.AliasEvent, yaml.AliasEvent)
_SCALAR = (events.ScalarEvent, yaml.ScalarEvent)
_SEQUENCE = (events.SequenceStartEvent, yaml.SequenceStartEvent)
_START = (*_SEQUENCE, events.MappingStartEvent, yaml.MappingStartEvent)
_END = (events.CollectionEndEvent, yaml.CollectionEndEvent)
_LENIENT = re.compile("[\t\x85\u2028\u2029]")
"""What libyaml, which knows YAML 1.1, takes for an end of line, or puts up with inside one."""
_CONTROL = re.compile(r"[^\t\n\r\x20-\x7e\x85\xa0-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


@dataclass(frozen=True, slots=True)
class Scalar:
    """A text, number or word, as it was written; what it means depends on where it stands."""

    text: str
    place: Place
    plain: bool = True
    """Whether it was written without quotes."""
    last: int = 0
    """Line it ends in."""


class Items(list["Node"]):
    """A list, and where it begins."""

    place: Place


class Table(dict[str, "Node"]):
    """A mapping, where it begins, and where each of its keys stands."""

    place: Place
    keys_at: dict[str, Place]


Node: TypeAlias = "Scalar | Items | Table"


class Stopped(Exception):
    """What was found makes reading on pointless; it is in the report."""


def decode(data: bytes, report: Report) -> str | None:
    """Turn a file's bytes into text; None, and a diagnostic, where they are none."""
    if len(data) > 4 * LONGEST:
        report.add("NS008", Place(report.file, 1, 1), what=f"{len(data)} bytes long")
        return None
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as fault:
        line = data[: fault.start].count(b"\n") + 1
        column = fault.start - data.rfind(b"\n", 0, fault.start)
        what = f"there is a byte {data[fault.start]:#04x}"
        report.add("NS009", Place(report.file, line, column), what=what)
        return None


def read(text: str, report: Report) -> Table | None:
    """Read a script's text; None where it is no mapping at all. What is wrong is in the report."""
    report.lines = text.splitlines()
    if not _sound(text, report):
        return None
    builder = _Builder(report)
    try:
        for event in _events(text):
            builder.take(event)
    except Stopped:
        return None
    except MarkedYAMLError as fault:
        code, place, fields = explain(fault, report.lines, report.file)
        report.add(code, place, cure=fields.pop("cure", ""), near=None, **fields)
        return None
    except (YAMLError, RecursionError, ValueError) as fault:
        report.add("NS001", Place(report.file, 1, 1), problem=str(fault).splitlines()[0])
        return None
    if not isinstance(builder.root, Table):
        report.add("NS010", Place(report.file, 1, 1), what="This file holds no script")
        return None
    return builder.root


def _sound(text: str, report: Report) -> bool:
    if len(text) > LONGEST:
        report.add("NS008", Place(report.file, 1, 1), what=f"{len(text)} characters long")
        return False
    strange = _CONTROL.search(text)
    if strange:
        line = text.count("\n", 0, strange.start()) + 1
        column = strange.start() - text.rfind("\n", 0, strange.start())
        what = f"it holds the control character {ord(strange.group()):#x}"
        report.add("NS009", Place(report.file, line, column), what=what)
        return False
    return True


def _events(text: str) -> Iterator[Any]:
    """Yield the events of a text: from libyaml, twenty times as fast, where it finds no fault.

    What is wrong is told by ruamel.yaml, which says it better and follows YAML 1.2.
    """
    parser = getattr(yaml, "CLoader", None)
    if parser is not None and not _LENIENT.search(text):
        try:
            yield from list(yaml.parse(text, Loader=parser))
            return
        except (yaml.YAMLError, ValueError, RecursionError):
            pass
    yield from YAML(typ="safe", pure=True).parse(text)


class _Builder:
    """Builds nodes from events, without recursion, so that depth cannot hurt."""

    def __init__(self, report: Report) -> None:
        self.report = report
        self.root: Node | None = None
        self.stack: list[tuple[Items | Table, Scalar | None]] = []
        self.documents = 0
        self.nodes = 0

    def take(self, event: Any) -> None:
        """Take the next event."""
        if isinstance(event, _DOCUMENT):
            self.documents += 1
            if self.documents > 1:
                what = "There is more than one document in this file (a line of ---)"
                self._stop("NS010", event, what=what)
        elif isinstance(event, _NODE):
            self._node(event)
        elif isinstance(event, _END):
            self._close()

    def _node(self, event: Any) -> None:
        self.nodes += 1
        if self.nodes > MOST_NODES:
            self._stop("NS008", event, what=f"made of more than {MOST_NODES} pieces")
        if self.report.full:
            raise Stopped
        if isinstance(event, _ALIAS) or event.anchor is not None:
            self._stop("NS005", event)
        if event.tag is not None:
            self._stop("NS006", event)
        if isinstance(event, _SCALAR):
            self._scalar(event)
        elif isinstance(event, _START):
            self._open(event)

    def _scalar(self, event: Any) -> None:
        start, end = event.start_mark, event.end_mark
        is_plain = not event.style
        place, last = self._place(start), end.line + 1
        key = self.stack[-1][1] if self.stack else None
        if not event.value and is_plain and key:
            # YAML finds nothing only where the next thing begins, which may be lines further down.
            place, last = key.place, key.last
        scalar = Scalar(event.value, place, is_plain, last)
        if scalar.plain:
            self._swallowed(scalar, end.line, end.column)
        self._put(scalar)

    def _swallowed(self, scalar: Scalar, line: int, column: int) -> None:
        key = self.stack[-1][1] if self.stack else None
        if not scalar.text and key:
            # YAML puts the end of an empty value behind the comment that swallowed it.
            line, column = key.place.line - 1, key.place.column + len(key.text)
        lost = lost_text(self.report.lines, line, column)
        if lost:
            place = Place(self.report.file, line + 1, lost[0] + 1)
            self.report.add("NS007", place, lost=lost[1])

    def _open(self, event: Any) -> None:
        if len(self.stack) >= DEEPEST:
            self._stop("NS008", event, what=f"more than {DEEPEST} levels deep")
        if self.stack and isinstance(self.stack[-1][0], Table) and self.stack[-1][1] is None:
            self._stop("NS003", event, problem="a brace begins a mapping")
        node: Items | Table
        if isinstance(event, _SEQUENCE):
            node = Items()
        else:
            node = Table()
            node.keys_at = {}
        node.place = self._place(event.start_mark)
        self._put(node)
        self.stack.append((node, None))

    def _close(self) -> None:
        self.stack.pop()

    def _put(self, node: Node) -> None:
        if not self.stack:
            self.root = node
            return
        parent, key = self.stack[-1]
        if isinstance(parent, Items):
            parent.append(node)
        elif key is None:
            self._key(parent, node)
        else:
            parent[key.text] = node
            self.stack[-1] = (parent, None)

    def _key(self, parent: Table, node: Node) -> None:
        if not isinstance(node, Scalar):
            return
        if node.text == "<<" and node.plain:
            self.report.add("NS005", node.place)
            raise Stopped
        if node.text in parent.keys_at:
            first = parent.keys_at[node.text].line
            self.report.add("NS004", node.place, key=node.text, first=first)
        parent.keys_at.setdefault(node.text, node.place)
        self.stack[-1] = (parent, node)

    def _place(self, mark: Any) -> Place:
        return Place(self.report.file, mark.line + 1, mark.column + 1)

    def _stop(self, code: str, event: Any, **fields: str) -> None:
        self.report.add(code, self._place(event.start_mark), cure="", near=None, **fields)
        raise Stopped


def first_key(node: Table) -> str:
    """Return the key that should be a step's verb: the first one, or the one after its id."""
    return next((key for key in node if key != "id"), "")
