"""Lists that the owner of a game keeps in files of their own, such as the places of a deck."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from narrator.core.values import Value
from narrator.files.bounded import read_bytes, reason
from narrator.ports.errors import NarratorError
from narrator.script.diagnostics.report import Report
from narrator.script.reading.nodes import Items, Node, Scalar, decode, read

SUGGESTION = "Each line is an entry and its words, such as `7: [harbour, port]`."


class ListError(NarratorError):
    """A list file cannot be used; the message names the place in it."""

    exit_code = 2


def read_list(path: Path) -> dict[str, Value]:
    """Read a list file.

    Args:
        path: a YAML file with an entry on each line: one word, or several that mean the same.

    Returns:
        The words of each entry, by its name as it is written.

    Raises:
        ListError: the file cannot be read, or is no such list.
    """
    report = Report(file=str(path))
    try:
        text = decode(read_bytes(path), report)
    except OSError as fault:
        raise ListError(
            f"The list {path} cannot be read: {reason(fault)}.", "Check its name."
        ) from fault
    root = read(text, report) if text is not None else None
    if root is None or report.failed:
        raise ListError("\n".join(str(d) for d in report.sorted()), SUGGESTION)
    return _entries(root, path)


def _entries(root: Mapping[str, Node], path: Path) -> dict[str, Value]:
    found: dict[str, Value] = {}
    for key, node in root.items():
        listed = node if isinstance(node, Items) else [node]
        words: list[Value] = [item.text for item in listed if isinstance(item, Scalar)]
        if len(words) < len(listed) or not all(words):
            place = f"{path}:{node.place.line}:{node.place.column}"
            raise ListError(f"{place}: `{key}` has something that is no word.", SUGGESTION)
        found[key] = words
    return found
