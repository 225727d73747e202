"""Finds the scripts there are: those that come with Narrator, and those at a path."""

from __future__ import annotations

import difflib
import shlex
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from os.path import expanduser
from pathlib import Path

from narrator.files.bounded import read_bytes
from narrator.ports.errors import NarratorError
from narrator.script.diagnostics.report import Report
from narrator.script.reading.nodes import Scalar, Table, decode, read

_PACKAGE = Path(__file__).resolve().parent.parent.parent
SHIPPED = (_PACKAGE.parent / "scripts", _PACKAGE / "_scripts")
"""In the source tree, and in an installed package."""
FILE = "game.yaml"


class NoScriptError(NarratorError):
    """There is no such script."""

    exit_code = 2


@dataclass(frozen=True, slots=True)
class Entry:
    """One script that can be played."""

    name: str
    """What it is called on the command line: its folder's name."""
    path: Path
    title: str
    low: int
    """Smallest table; 0 where the file cannot be read so far."""
    high: int
    language: str = "en"


def find_script(name: str, folders: Sequence[Path] = SHIPPED) -> Path:
    """Return the file of a script.

    Args:
        name: of a script that comes with Narrator; or the path of a file, or of a folder that has
            a `game.yaml`.
        folders: where to look for names.

    Raises:
        NoScriptError: there is none; the hint has the nearest name.
    """
    if not name.strip():
        raise NoScriptError("No game was named.", _listed(folders))
    for folder in folders:
        if (folder / name / FILE).is_file() and Path(name).name == name:
            return folder / name / FILE
    path = Path(expanduser(name))
    if path.is_file():
        return path
    wanted = " ".join(name.split()).casefold()
    if titled := [e.path for e in list_scripts(folders) if e.title.casefold() == wanted]:
        return titled[0]
    if (path / FILE).is_file():
        return path / FILE
    if path.is_dir():
        raise NoScriptError(
            f"The folder {path} has no {FILE}, so it is not a game.",
            f"Make one there with `narrator new {shlex.quote(name)}`. {_listed(folders)}",
        )
    close = difflib.get_close_matches(name, [e.name for e in list_scripts(folders)], n=1)
    hint = f"Did you mean {close[0]}?" if close else _listed(folders)
    raise NoScriptError(f"There is no game called {name}, and no such file.", hint)


def _listed(folders: Sequence[Path]) -> str:
    names = [entry.name for entry in list_scripts(folders)]
    return f"There are: {', '.join(names) or 'none'}."


def list_scripts(folders: Sequence[Path] = SHIPPED) -> list[Entry]:
    """Return every script that comes with Narrator, by name; a damaged one has no players."""
    found: dict[str, Entry] = {}
    for path in _files(folders):
        found.setdefault(path.parent.name, _entry(path))
    return [found[name] for name in sorted(found)]


def _files(folders: Sequence[Path]) -> Iterator[Path]:
    for folder in folders:
        yield from sorted(folder.glob(f"*/{FILE}"))


def _entry(path: Path) -> Entry:
    report = Report(file=str(path))
    try:
        text = decode(read_bytes(path), report)
    except OSError:
        text = None
    root = read(text, report) if text is not None else None
    table = root if root is not None else Table()
    players = table.get("players")
    low = _number(players, "min")
    title = _word(table, "title") or path.parent.name
    return Entry(
        path.parent.name,
        path,
        title,
        low,
        _number(players, "max"),
        _word(table, "language") or "en",
    )


def _word(node: object, key: str) -> str:
    value = node.get(key) if isinstance(node, Table) else None
    return value.text if isinstance(value, Scalar) else ""


def _number(node: object, key: str) -> int:
    word = _word(node, key)
    return int(word) if word.isdecimal() and len(word) < 5 else 0
