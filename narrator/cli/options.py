"""Options that several commands have, and what they mean."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence
from os.path import expanduser
from pathlib import Path
from typing import Any

import click
from ruamel.yaml.error import YAMLError

from narrator.app.doors.library import (
    did_you_mean,
    load_bounded,
    load_locale,
    parse_duration,
    read_list,
    read_text,
    reason,
    refusal,
)
from narrator.app.doors.settings import Settings
from narrator.app.telling import report
from narrator.app.wiring.configuration import load_configuration
from narrator.app.wiring.registry import AUTO, recogniser_names
from narrator.core.game import Game, Option
from narrator.core.values import Seat, Value

_AND = r"\s+(?:and|&|und|et|y)\s+"
_LONGEST_ANSWERS = 1_000_000
"""Bytes of a file of answers; an evening has some hundred."""


class Finite(click.FloatRange):
    """A number between two bounds; `nan` is between no bounds, though it compares as if it were."""

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> float:
        """Read the number. Raises click.BadParameter."""
        number = float(super().convert(value, param, ctx))
        if not math.isfinite(number):
            self.fail(f"{value} is no number that can be used.", param, ctx)
        return number


class Storable(click.types.IntParamType):
    """A whole number that the journal can hold."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        """Read the number. Raises click.BadParameter."""
        number = int(super().convert(value, param, ctx))
        if not -(2**63) <= number < 2**63:
            self.fail("it is far too large a number.", param, ctx)
        return number


class EngineName(click.Choice[str]):
    """The name of an engine that hears, or `auto`; which packages bring is asked when needed."""

    def __init__(self) -> None:
        self.case_sensitive = True

    @property
    def choices(self) -> tuple[str, ...]:  # type: ignore[override]  # asked for, not kept
        """Return the names."""
        return (AUTO, *recogniser_names())


STORABLE = Storable()
players = click.option(
    "--players", required=True, help='Names clockwise, with commas: "Ana, Ben, Cy".'
)
settings = click.option(
    "--set", "settings", multiple=True, metavar="OPTION=VALUE", help="Set an option of the game."
)
language = click.option("--language", default="", help="Of the table.  [default: the game's own]")
engine = click.option(
    "--engine",
    type=EngineName(),
    default="auto",
    show_default=True,
    help="What hears.",
)
_TABLE = (
    click.option("--voice", help="Voice by its own name, such as en-us+f3."),
    click.option(
        "--keyboard", is_flag=True, default=None, help="Take answers from the keyboard only."
    ),
    click.option("--no-speech", is_flag=True, help="Show every line as text only."),
    click.option("--mic", "microphone", help="Microphone by name or number."),
    click.option("--speaker", help="Loudspeaker by name or number."),
    click.option("--engine", type=EngineName(), help="What hears."),
    click.option(
        "--model", help="Speech model: its name, see `narrator models list`, or its folder."
    ),
    click.option(
        "--plain", is_flag=True, default=None, help="Plain lines only, for screen readers."
    ),
    click.option("--json", "as_json", is_flag=True, help="Print the result as JSON."),
    click.option(
        "--record",
        is_flag=True,
        default=None,
        help="Store what the microphone hears, for as many days as the setting record_days says.",
    ),
    click.option(
        "--record-log",
        type=click.Path(path_type=Path),
        help="Write every event and what it caused to a file, one JSON line each.",
    ),
)


def at_a_table(command: Callable[..., Any]) -> Callable[..., Any]:
    """Return a command what can be chosen wherever a game is played."""
    for option in reversed(_TABLE):
        command = option(command)
    return command


model = click.option(
    "--model", default="", help="Speech model: its name, see `narrator models list`, or its folder."
)


def seats_of(names: str, game: Game) -> list[Seat]:
    """Return the seats of a table from names with commas, each with `=` and how it sounds if need
    be.

    Raises:
        click.UsageError: Too few or too many, or a name that nobody can have.
    """
    seats = named(names)
    check_seats(seats, game)
    return seats


def named(names: str) -> list[Seat]:
    """Return seats from names with commas: `Ana, Siobhan=Shivawn`. Raises click.UsageError.

    How a name sounds is what the voice reads and what people say. Semicolons do as well, an "and"
    before the last, and spaces where there is no other sign: `Ana Ben Cy`.
    """
    given = [name.partition("=") for name in _apart(names)]
    seats = [_seat_named(n, *(" ".join(t.split()) for t in (g[0], g[2]))) for n, g in
             enumerate(given, 1)]  # fmt: skip
    if seats and not seats[-1].name:
        seats.pop()
    if not all(seat.name for seat in seats):
        raise click.UsageError("A player has no name: put one name between two commas.")
    return seats


def _apart(names: str) -> list[str]:
    """Return what stands between the signs that people put between names."""
    if not re.search("[,;]", names) and "=" not in names:
        return re.split(_AND, names) if re.search(_AND, names) else names.split() or [names]
    *first, last = re.split("[,;]", names)
    return [*first, *re.split(_AND, re.sub(r"^\s*(?:and|&)\s+", "", last))]


def _seat_named(number: int, name: str, sounds: str) -> Seat:
    return Seat(number, name, sounds, (sounds.lower(),) if sounds else ())


def check_table(names: Sequence[str], game: Game) -> None:
    """Refuse a table that the game cannot have. Raises click.UsageError."""
    check_seats([Seat(number, name) for number, name in enumerate(names, 1)], game)


def check_seats(seats: Sequence[Seat], game: Game) -> None:
    """Refuse too few or too many, and names that cannot be. Raises click.UsageError."""
    if not game.low <= len(seats) <= game.high:
        name = "exactly so many" if game.low == game.high else "too few or many"
        fields = {"title": game.title, "low": game.low, "high": game.high}
        raise click.UsageError(report(name, **fields, count=len(seats)))
    refused = refusal(seats, load_locale(game.language))
    if refused:
        raise click.UsageError(refused)


def chosen(pairs: Sequence[str], game: Game, seats: Sequence[Seat]) -> dict[str, Value]:
    """Read `--set` pairs into values of the game's options and posts.

    Raises:
        click.UsageError: No such option, or a value it cannot have.
    """
    options = {option.name: option for option in game.options}
    posts = [post.name for post in game.posts]
    values: dict[str, Value] = {}
    for pair in pairs:
        name, equals, text = pair.partition("=")
        name = name.strip().replace(" ", "_").replace("-", "_")
        if equals and not name:
            raise click.UsageError(f"--set {pair} names no option: write --set OPTION=VALUE.")
        if not equals:
            raise click.UsageError(f"--set {pair} needs an equals sign: --set {name}=VALUE.")
        if name in posts:
            values[name] = _seat(text.strip(), name, seats)
        elif name in options:
            values[name] = _value(options[name], text.strip(), len(seats))
        else:
            guess = did_you_mean(name, [*options, *posts])
            known = ", ".join([*options, *posts]) or "none"
            raise click.UsageError(
                f"{game.title} has no option {name}. {guess or f'It has: {known}.'}"
            )
    return values


def _seat(text: str, post: str, seats: Sequence[Seat]) -> Value:
    for seat in seats:
        if seat.name.casefold() == text.casefold():
            return seat.name
    raise click.UsageError(f"{text} cannot be {post}: nobody at the table has that name.")


def _value(option: Option, text: str, players: int) -> Value:
    if option.kind == "duration":
        seconds = parse_duration(text)
        if seconds is None:
            raise click.UsageError(
                f"{option.name} should be a time such as 90s, 1:30 or 5m, not {text}."
            )
        return _ranged(option, seconds, players)
    if option.kind == "number":
        return _number(option, text, players)
    if option.kind == "yesno":
        if text.casefold() not in ("yes", "no", "true", "false", "on", "off"):
            raise click.UsageError(f"{option.name} should be yes or no, not {text}.")
        return text.casefold() in ("yes", "true", "on")
    if option.kind == "list":
        return dict(read_list(Path(expanduser(text))))
    if option.kind == "choice" and text not in option.choices:
        raise click.UsageError(f"{option.name} should be one of: {', '.join(option.choices)}.")
    return text


def _number(option: Option, text: str, players: int) -> Value:
    try:
        number = float(text)
        if not math.isfinite(number):
            raise ValueError(text)
    except ValueError as error:
        raise click.UsageError(f"{option.name} should be a number, not {text}.") from error
    if not number.is_integer() and _counts(option, players):
        raise click.UsageError(f"{option.name} should be a whole number, not {text}.")
    return _ranged(option, number, players)


def _ranged(option: Option, value: float, players: int) -> Value:
    low, high = option.low_for(players), option.high_for(players)
    if low is not None and value < low:
        raise click.UsageError(f"{option.name} should be at least {low:g}, not {value:g}.")
    if high is not None and value > high:
        raise click.UsageError(f"{option.name} should be at most {high:g}, not {value:g}.")
    return int(value) if option.kind == "number" and float(value).is_integer() else value


def _counts(option: Option, players: int) -> bool:
    """Whether an option counts things: nothing about it has a fraction."""
    about = (option.low_for(players), option.high_for(players), option.default_for(players))
    return all(value is None or float(value).is_integer() for value in about)


def read_yaml(path: Path) -> object:
    """Read a small YAML file. Raises click.UsageError where it cannot be read."""
    try:
        return load_bounded(read_text(path, _LONGEST_ANSWERS))
    except OSError as error:
        raise click.UsageError(f"{path} cannot be read: {reason(error)}.") from error
    except ValueError as error:
        raise click.UsageError(f"{path} cannot be used: {error}.") from error
    except YAMLError as error:
        problem = " ".join(str(error).split())
        raise click.UsageError(f"{path} is not valid YAML: {problem}") from error


def program(of_language: str) -> Settings:
    """Return the settings of the program as the configuration has them, in this language."""
    return load_configuration().settings.model_copy(update={"language": of_language})
