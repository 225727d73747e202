"""Test plans: what is said and heard in a game, written down beside its script in YAML.

A plan is read here and run by `narrator.testing.plan_run`.
"""

from __future__ import annotations

import difflib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ruamel.yaml import YAML
from ruamel.yaml.comments import CommentedMap, CommentedSeq
from ruamel.yaml.error import MarkedYAMLError, YAMLError

from narrator.core.game import Game, Option, Place
from narrator.core.values import Seat, Value
from narrator.files.bounded import read_text
from narrator.ports.errors import NarratorError
from narrator.script.expressions.duration import parse_duration
from narrator.script.files.lists import read_list

KINDS: Mapping[str, tuple[str, ...]] = {
    "say": ("within", "next"),
    "hear": ("as", "at once"),
    "wait": (),
    "not_say": ("since",),
    "silent": (),
    "key": (),
    "expect": (),
    "votes": (),
    "play": (),
}
"""What a step can be, each with the keys that may stand beside it."""
_LONGEST = 500_000
"""Bytes of a plan; the longest that is shipped has 6,000."""
TOP = ("game", "about", "players", "seed", "settings", "steps")
SEAT = ("name", "say", "hear")
TRUTHS = {"yes": True, "true": True, "on": True, "no": False, "false": False, "off": False}


class PlanError(NarratorError):
    """A test plan cannot be used: the file, the line and the column, and what is wrong there."""

    exit_code = 2


@dataclass(frozen=True, slots=True)
class PlanStep:
    """One step of a plan."""

    kind: str
    """A key of `KINDS`."""
    value: Any
    extras: Mapping[str, Any]
    place: Place


@dataclass(frozen=True, slots=True)
class Plan:
    """A test plan."""

    path: Path
    game: str
    """Name of the game; empty: the one whose folder the plan's folder lies in."""
    players: tuple[Seat, ...]
    steps: tuple[PlanStep, ...]
    seed: int = 0
    settings: Mapping[str, Any] = field(default_factory=dict)
    """As written."""
    settings_place: Place = field(default_factory=Place)


def plans_of(folder: Path) -> list[Path]:
    """Return the plans of a game's folder, in the order of their names."""
    return sorted((folder / "tests").glob("*.yaml"))


def read_plan(path: Path) -> Plan:
    """Read a test plan.

    Raises:
        PlanError: The file cannot be read, or something in it is not what a plan can hold.
    """
    root = _load(path)
    reading = _Reading(path)
    if not isinstance(root, CommentedMap):
        raise reading.fault(None, "a plan has `players:` and `steps:`")
    reading.check_keys(root, TOP)
    for needed in ("players", "steps"):
        if not isinstance(root.get(needed), CommentedSeq):
            raise reading.fault(reading.place(root, needed), f"`{needed}:` must be a list")
    settings = root.get("settings") or {}
    if not isinstance(settings, Mapping):
        raise reading.fault(reading.place(root, "settings"), "`settings:` has a name on each line")
    return Plan(
        path,
        str(root.get("game") or ""),
        reading.players(root["players"]),
        reading.steps(root["steps"]),
        reading.whole(root, "seed"),
        dict(settings),
        reading.place(root, "settings"),
    )


def settings_of(plan: Plan, game: Game) -> dict[str, Value]:
    """Return a plan's settings as the engine takes them: durations in seconds, choices as text.

    Raises:
        PlanError: The game has no such setting, or it cannot have this value.
    """
    options = {option.name: option for option in game.options}
    posts = {post.name for post in game.posts}
    chosen: dict[str, Value] = {}
    for written, value in plan.settings.items():
        name = str(written).replace(" ", "_").replace("-", "_")
        if name in posts:
            chosen[name] = str(value)
        elif name in options:
            chosen[name] = _setting(plan, options[name], value)
        else:
            hint = nearest(name, [*options, *posts])
            raise _fault(plan.settings_place, f"this game has no setting `{written}`{hint}")
    return chosen


def nearest(word: str, possible: Iterable[str]) -> str:
    """Return a question such as `; did you mean "wait"?`, or nothing where no word is near."""
    near = difflib.get_close_matches(word, list(possible), n=1)
    return f"; did you mean `{near[0]}`?" if near else ""


def duration(value: Any) -> float | None:
    """Return the seconds of `40`, `40s`, `1:30`, `10m`; None if it is not a duration."""
    return None if isinstance(value, bool) else parse_duration(str(value))


def truth(value: Any) -> bool | None:
    """Return the truth of `yes`, `no`, `true`, `false`; None for anything else."""
    return TRUTHS.get(str(value).lower())


def _setting(plan: Plan, option: Option, value: Any) -> Value:
    beside = plan.path.parent
    readers: dict[str, Callable[[Any], Value]] = {
        "duration": duration,
        "yesno": truth,
        "number": _number,
        "list": lambda name: dict(read_list(beside / str(name))),
    }
    read = readers.get(option.kind)
    found = read(value) if read else str(value)
    if found is None:
        raise _fault(plan.settings_place, f"`{option.name}` cannot be `{value}`")
    return found


def _number(value: Any) -> float | None:
    return value if isinstance(value, (int, float)) and not isinstance(value, bool) else None


def _fault(place: Place, what: str) -> PlanError:
    mark = "" if what.endswith("?") else "."
    return PlanError(f"{place.file}:{place.line}:{place.column}: {what}{mark}")


def _load(path: Path) -> Any:
    try:
        text = read_text(path, _LONGEST)
        yaml = YAML(typ="rt", pure=True)
        return yaml.load(text)
    except MarkedYAMLError as error:
        mark = error.problem_mark
        place = Place(str(path), mark.line + 1, mark.column + 1) if mark else Place(str(path), 1, 1)
        problem = " ".join(str(error.problem or "it is not valid YAML").split())
        raise _fault(place, problem) from error
    except RecursionError as error:
        raise PlanError(f"The test plan {path} is nested deeper than any plan is.") from error
    except OSError as error:
        raise PlanError(f"The test plan {path} cannot be read: {error.strerror}.") from error
    except (YAMLError, ValueError) as error:
        raise PlanError(f"The test plan {path} cannot be read: {error}.") from error


class _Reading:
    """One file, read key by key; every complaint has its place."""

    def __init__(self, path: Path) -> None:
        self._file = str(path)

    def place(self, node: Any, key: Any) -> Place:
        """Return where a key of a mapping, or an item of a list, stands."""
        try:
            line, column = node.lc.item(key) if isinstance(node, CommentedSeq) else node.lc.key(key)
        except (AttributeError, KeyError, TypeError):
            line, column = getattr(getattr(node, "lc", None), "line", 0) or 0, 0
        return Place(self._file, line + 1, column + 1)

    def fault(self, place: Place | None, what: str) -> PlanError:
        """Make the error for this place."""
        return _fault(place or Place(self._file, 1, 1), what)

    def check_keys(self, node: CommentedMap, known: Iterable[str]) -> None:
        """Refuse keys that nobody knows."""
        for key in node:
            if key not in known:
                hint = nearest(str(key), known)
                raise self.fault(self.place(node, key), f"`{key}` means nothing here{hint}")

    def whole(self, node: CommentedMap, key: str) -> int:
        """Return a whole number, 0 where it is not given."""
        value = node.get(key, 0)
        if isinstance(value, bool) or not isinstance(value, int):
            raise self.fault(self.place(node, key), f"`{key}:` must be a whole number")
        return int(value)

    def players(self, nodes: CommentedSeq) -> tuple[Seat, ...]:
        """Seat the players."""
        seats = tuple(self._seat(nodes, index) for index in range(len(nodes)))
        names = [seat.name for seat in seats]
        for index, name in enumerate(names):
            if name in names[:index]:
                raise self.fault(self.place(nodes, index), f"two players are called {name}")
        return seats

    def _seat(self, nodes: CommentedSeq, index: int) -> Seat:
        node = nodes[index]
        if not isinstance(node, CommentedMap):
            return Seat(index + 1, str(node))
        self.check_keys(node, SEAT)
        if "name" not in node:
            raise self.fault(self.place(nodes, index), "a player has a `name:`")
        heard = node.get("hear", [])
        forms = heard if isinstance(heard, list) else [heard]
        return Seat(index + 1, str(node["name"]), str(node.get("say", "")), tuple(map(str, forms)))

    def steps(self, nodes: CommentedSeq) -> tuple[PlanStep, ...]:
        """Read the steps."""
        return tuple(self._step(nodes, index) for index in range(len(nodes)))

    def _step(self, nodes: CommentedSeq, index: int) -> PlanStep:
        node, place = nodes[index], self.place(nodes, index)
        if not isinstance(node, CommentedMap):
            raise self.fault(place, f"a step has a key: one of {', '.join(KINDS)}")
        kinds = [key for key in node if key in KINDS]
        if not kinds:
            key = str(next(iter(node), ""))
            raise self.fault(
                place, f"`{key}` is no step; one of {', '.join(KINDS)}{nearest(key, KINDS)}"
            )
        if len(kinds) > 1:
            raise self.fault(place, f"this is two steps, `{kinds[0]}` and `{kinds[1]}`")
        kind = kinds[0]
        self.check_keys(node, (kind, *KINDS[kind]))
        extras = {key: node[key] for key in node if key != kind}
        return PlanStep(kind, node[kind], extras, place)
