"""Groups of people who play together often: table files in the data folder, by name."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from io import StringIO
from pathlib import Path

from ruamel.yaml import YAML

from narrator.app.doors.library import TableFile, did_you_mean, read_table
from narrator.config.sources import data_folder
from narrator.core.values import Seat
from narrator.ports.errors import NarratorError

MOST = 50
"""Groups that are looked at: nobody has more, and a folder may hold anything."""
_NAME = re.compile(r"[^\W_](?:[\w' -]{0,38}[^\W_])?")


class GroupError(NarratorError):
    """There is no such group, or its name or its file cannot be used."""

    exit_code = 2


@dataclass(frozen=True, slots=True)
class Group:
    """People who play together, as a table file says."""

    name: str
    path: Path
    table: TableFile

    def names(self) -> list[str]:
        """Return who belongs to it, clockwise."""
        return [seat.name for seat in self.table.seats]


def folder() -> Path:
    """Return where groups are kept."""
    return data_folder() / "groups"


def stored() -> tuple[list[Group], list[str]]:
    """Return all groups by name, and a sentence for each file that cannot be read."""
    found: list[Group] = []
    faults: list[str] = []
    for path in sorted(folder().glob("*.yaml"))[:MOST]:
        try:
            found.append(Group(path.stem, path, read_table(path)))
        except NarratorError as fault:
            faults.append(str(fault))
    return found, faults


def named(name: str) -> Group:
    """Return a group by its name, in capitals or not.

    Raises:
        GroupError: There is none of this name.
        NarratorError: Its file cannot be read.
    """
    there = {path.stem.casefold(): path for path in folder().glob("*.yaml")}
    path = there.get(" ".join(name.split()).casefold())
    if path is None:
        names = ", ".join(sorted(p.stem for p in there.values()))
        hint = did_you_mean(name, [p.stem for p in there.values()]) or (
            f"There are: {names}." if names else "There is none yet: see `narrator groups keep`."
        )
        raise GroupError(f"There is no group {name}.", hint)
    return Group(path.stem, path, read_table(path))


def keep(name: str, seats: Sequence[Seat]) -> Path:
    """Keep people as a group, clockwise, with how their names are said and heard.

    An earlier group of this name is replaced; its options, settings and respellings stay.

    Raises:
        GroupError: The name cannot be one, or the file cannot be written.
    """
    title = " ".join(name.split())
    if not _NAME.fullmatch(title):
        raise GroupError(
            f"A group cannot be called {name!r}.", "Use up to 40 letters, digits and spaces."
        )
    path = folder() / f"{title}.yaml"
    before = read_table(path) if path.is_file() else TableFile(())
    data: dict[str, object] = {"players": [_player(seat) for seat in seats]}
    parts = {"options": before.options, "settings": before.settings, "words": before.words}
    data |= {key: dict(value) for key, value in parts.items() if value}
    text = StringIO()
    YAML().dump(data, text)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        beside = path.with_suffix(".new")  # a full disk leaves the group as it was
        beside.write_text(text.getvalue(), encoding="utf-8")
        beside.replace(path)
    except OSError as fault:
        raise GroupError(f"The group cannot be kept in {path}: {fault.strerror}.") from fault
    return path


def _player(seat: Seat) -> object:
    forms = [form for form in seat.hear if form != seat.say.lower()]
    more = {"say": seat.say, "hear": forms}
    told = {key: value for key, value in more.items() if value}
    return {"name": seat.name, **told} if told else seat.name


def leave_out(player: str) -> list[str]:
    """Take a player out of every group; return the names of those that had them."""
    wanted = player.strip().casefold()
    changed = []
    for group in stored()[0]:
        left = [seat for seat in group.table.seats if seat.name.casefold() != wanted]
        if len(left) == len(group.table.seats):
            continue
        if left:
            keep(group.name, left)
        else:
            forget(group)
        changed.append(group.name)
    return changed


def forget(group: Group) -> None:
    """Remove a group. Raises GroupError where its file cannot be removed."""
    try:
        group.path.unlink()
    except OSError as fault:
        raise GroupError(f"{group.path} cannot be removed: {fault.strerror}.") from fault
