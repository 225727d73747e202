"""Turns a script file of Blood on the Clocktower into a script of ours, to be edited by the host.

Such a file is a JSON array: characters, each an id alone or a mapping with a name and the place in
the night order, and one mapping with the id `_meta`. Nothing of that game is known here: what a
file gives by its id alone is listed for the host to fill in.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from narrator.files.bounded import parse_json, why
from narrator.ports.errors import NarratorError
from narrator.script.reading.nodes import LONGEST

MOST = 150
"""Characters of one file."""
_LONGEST_NOTE = 400
_NIGHTS = ("firstNight", "otherNight")
_MARKS = frozenset({"dusk", "dawn"})
"""Where a night begins and ends, as tools write it into an order."""
_GROUPS = {
    "minioninfo": ("Minions", "The minions see who the demon is, and one another."),
    "demoninfo": ("Demon", "The demon sees the minions and three characters not in play."),
}
"""What tools write into an order for those who wake as a group, with the call and its note (the
game's published rules: minion info and demon info, with seven players or more)."""
_ENTRIES = MOST + 50
"""Entries of a file: its characters, `_meta`, and what else a tool puts there."""
_TRAILING = re.compile(r'("(?:\\.|[^"\\])*")|,(?=\s*[\]}])')
"""A text, or a comma before a closing bracket, which most tools take and JSON does not."""
_SEVERAL = frozenset({"author", "firstNightReminder", "otherNightReminder"})
_REMARKS = ("firstNightReminder", "otherNightReminder")


class ImportFault(NarratorError):
    """A file cannot be imported."""

    exit_code = 2


@dataclass(frozen=True, slots=True)
class Character:
    """One character of a file."""

    ident: str
    name: str
    places: tuple[float, float] = (0.0, 0.0)
    """In the order of the first night and of the others; 0: does not wake."""
    notes: tuple[str, str] = ("", "")
    """What the host is reminded of in the first night and in the others."""
    is_given: bool = False
    """Whether the file tells more of it than its id."""


@dataclass(frozen=True, slots=True)
class Sheet:
    """A whole file."""

    title: str
    author: str
    characters: tuple[Character, ...]
    orders: tuple[tuple[str, ...] | None, tuple[str, ...] | None] = field(default=(None, None))
    """The ids of each kind of night in order; None where the file does not list them itself."""

    def night(self, which: int) -> list[Character]:
        """Return those who wake in the first night (0) or in the others (1), in order."""
        listed = self.orders[which]
        if listed is not None:
            known = {ident: _group(ident) for ident in _GROUPS}
            known |= {character.ident: character for character in self.characters}
            return [known[ident] for ident in listed if ident in known]
        awake = [c for c in self.characters if c.places[which] > 0]
        return sorted(awake, key=lambda c: c.places[which])

    def to_fill_in(self) -> list[str]:
        """Return the names of whom nobody knows whether they wake."""
        unknown = (*self.unplaced(0), *self.unplaced(1))
        return [c.name for c in self.characters if c in unknown]

    def unplaced(self, which: int) -> list[Character]:
        """Return those of which nobody knows whether they wake in a night.

        Their id is all there is, and the file does not give the whole order of that night.

        Args:
            which: 0 for the first night, 1 for the others.
        """
        if self.orders[which] is not None:
            return []
        called = self.night(which)
        return [c for c in self.characters if not c.is_given and c not in called]

    def strangers(self) -> list[str]:
        """Return the ids in the file's own orders that are no characters of it."""
        known = {character.ident for character in self.characters} | _MARKS | set(_GROUPS)
        listed = (*(self.orders[0] or ()), *(self.orders[1] or ()))
        return [ident for ident in dict.fromkeys(listed) if ident not in known]


def read_sheet(text: str) -> Sheet:
    """Read a file's text. Raises ImportFault, with one plain sentence for whatever is wrong."""
    data = _listed(text)
    meta: dict[str, Any] = {"name": data[0]} if _begins_with_title(data) else {}
    found: dict[str, Character] = {}
    for number, item in list(enumerate(data, 1))[len(meta) :]:
        if item == "_meta" or (isinstance(item, dict) and item.get("id") == "_meta"):
            meta = item if isinstance(item, dict) else meta
            continue
        character = _character(item, number)
        if character.ident in found:
            raise ImportFault(f"Entry {number}: {character.name} is in the file twice.")
        found[character.ident] = character
    if not found:
        raise ImportFault("There is no character in this file.")
    if len(found) > MOST:
        raise ImportFault(f"This file has {len(found)} characters; {MOST} is the most.")
    first, other = (_order(meta, key) for key in _NIGHTS)
    title = _text(meta, "name", 0) or "Imported script"
    return Sheet(title, _text(meta, "author", 0), tuple(found.values()), (first, other))


def _listed(text: str) -> list[object]:
    try:
        data = parse_json(_TRAILING.sub(lambda match: match[1] or "", text))
    except ValueError as fault:
        raise ImportFault(
            f"This file is not valid JSON: {why(fault)}.", "Correct it, or export it again."
        ) from fault
    if not isinstance(data, list):
        raise ImportFault("This file is no script of that game: it should be a JSON list.")
    if len(data) > _ENTRIES:
        raise ImportFault(f"This file has {len(data)} entries; {MOST} characters is the most.")
    return data


def _begins_with_title(data: Sequence[object]) -> bool:
    """Whether the first entry is the script's name: a text among ids that is no id itself."""
    return (
        len(data) > 1
        and isinstance(data[0], str)
        and not _is_ident(data[0])
        and all(_is_ident(item) for item in data[1:] if isinstance(item, str))
    )


def _is_ident(text: str) -> bool:
    return re.fullmatch(r"[a-z0-9_-]+", text) is not None


def _group(ident: str) -> Character:
    name, note = _GROUPS[ident]
    return Character(ident, name, notes=(note, note), is_given=True)


def _character(item: object, number: int) -> Character:
    if isinstance(item, str):
        item = {"id": item}
    if not isinstance(item, dict):
        raise ImportFault(f"Entry {number} is neither a character's id nor a mapping.")
    ident = _text(item, "id", number)
    if not _plain(ident):
        raise ImportFault(f"Entry {number} has no id.")
    name = _text(item, "name", number) or ident.replace("_", " ").replace("-", " ").title()
    first, other = (_place(item, key, number) for key in _NIGHTS)
    notes = (_text(item, _REMARKS[0], number), _text(item, _REMARKS[1], number))
    return Character(_plain(ident), name, (first, other), notes, "name" in item)


def _plain(ident: str) -> str:
    """Return an id as it is compared: tools write the same one with signs or without."""
    return re.sub(r"[\W_]", "", ident.lower())


def _text(item: dict[str, Any], key: str, number: int) -> str:
    """Return a text; of authors and reminders, which may be several, all of them."""
    value = item.get(key)
    if value is None:
        return ""
    several = key in _SEVERAL and isinstance(value, list)
    if several and all(isinstance(part, str) for part in value):
        value = ", ".join(value)
    if not isinstance(value, str):
        where = f"Entry {number}" if number else "_meta"
        raise ImportFault(f"{where}: `{key}` should be a text.")
    clean = "".join(c if c.isprintable() else " " for c in value)
    return " ".join(clean.split())[:_LONGEST_NOTE]


def _place(item: dict[str, Any], key: str, number: int) -> float:
    value = item.get(key) or 0
    if isinstance(value, str):
        value = _number(value)
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not math.isfinite(value):
        raise ImportFault(f"Entry {number}: `{key}` should be a number.")
    return float(value)


def _number(text: str) -> object:
    """Return the number that a text holds, as some tools write it; otherwise the text."""
    try:
        return float(text) if text.strip() else 0
    except ValueError:
        return text


def _order(meta: dict[str, Any], key: str) -> tuple[str, ...] | None:
    value = meta.get(key)
    if value is None:
        return None
    if not isinstance(value, list) or not all(isinstance(ident, str) for ident in value):
        raise ImportFault(f"_meta: `{key}` should be a list of ids.")
    return tuple(dict.fromkeys(_plain(ident) for ident in value))


def script_of(sheet: Sheet) -> str:
    """Return the text of a script. Raises ImportFault where it would be too long to be read."""
    first, other = (list(_calls(sheet, which)) for which in (0, 1))
    text = "\n".join([*_head(sheet), *_FIRST, *first, *_BETWEEN, *other, *_END]) + "\n"
    if len(text) > LONGEST:
        raise ImportFault("This file has too much text for one script.", "Shorten its reminders.")
    return text


def _head(sheet: Sheet) -> Iterator[str]:
    yield "# Imported; edit it as you like. `narrator check` tells what is wrong with it."
    yield "# Everybody is called by character, in the order of the night, whether in play or not,"
    yield "# so that neither the calls nor their length tell who is there."
    if sheet.author:
        yield f"# The script's author: {sheet.author}"
    if sheet.to_fill_in():
        yield "#"
        yield "# The file tells nothing of these but their ids. Put in calls for those that wake:"
        yield from (f"#   {name}" for name in sheet.to_fill_in())
    yield "narrator: 1"
    yield f"title: {_quoted(sheet.title)}"
    yield from _HEAD


def _calls(sheet: Sheet, which: int) -> Iterator[str]:
    for character in sheet.night(which):
        note = character.notes[which]
        yield f"      # {note or 'To fill in: what this character does tonight.'}"
        yield from (f"      {line}" for line in _call(character))
    for number, character in enumerate(sheet.unplaced(which)):
        if not number:
            yield "      # Not known to wake. Take the # from those that do, and put them in order:"
        yield from (f"      # {line}" for line in _call(character))


def _call(character: Character) -> Iterator[str]:
    name = _speakable(character.name)
    yield f"- say: {_quoted(f'{name}, open your eyes.')}"
    yield '- wait: "{{ look }}s"'
    yield f"- say: {_quoted(f'{name}, close your eyes.')}"
    yield "- wait: 2s"


def _speakable(name: str) -> str:
    """Keep braces, which begin an expression, out of what is said."""
    return name.translate(str.maketrans("{}", "()"))


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


_HEAD = """\
players: {min: 5, max: 20}
options:
  look: {kind: duration, default: 10s, from: 3s, to: 60s, about: How long each character is awake.}
  talk: {kind: duration, default: 5m, from: 1m, to: 60m, about: How long a day lasts at most.}
""".splitlines()
_FIRST = """
phases:
  setup:
    steps:
      - say: "{{ title }}, for {{ n }} players."
      - ask: Say ready when everybody has a character.
        hear: ["[we are|all|everybody is] ready"]

  first night:
    eyes: closed
    cover: on
    steps:
      - say: Night. Everybody, close your eyes.
      - wait: 3s""".splitlines()
_BETWEEN = """
  day:
    steps:
      - say: Everybody, open your eyes. It is day.
      - timer: "{{ talk }}s"
        say: "You have {{ talk | minutes }}. To stop early, say we are done."
        end early:
          hear: ["we are done"]
        ended: Time.
      - ask: Is the game over?
        answer: yes/no
        into: over

  other nights:
    if: not over
    eyes: closed
    cover: on
    steps:
      - say: Night. Everybody, close your eyes.
      - wait: 3s""".splitlines()
_END = """\
      - again: day

  ending:
    steps:
      - ask: Who has won?
        answer: seats
        into: winners
        read back: "{{ winners | names }}."

result:
  winners: "{{ winners }}\"""".splitlines()
