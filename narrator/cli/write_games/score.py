"""`narrator score`: the game's scoring alone, for one case or many."""

from __future__ import annotations

import json
from pathlib import Path

import click

from narrator.app import games
from narrator.cli import options
from narrator.cli.output import say_json
from narrator.script.authoring.score import score_case


@click.command("score")
@click.argument("game")
@click.argument("inputs", type=click.Path(path_type=Path, allow_dash=True))
@options.language
def command(game: str, inputs: Path, language: str) -> None:
    """Score INPUTS, a JSON file with one case or a list of them (`-`: standard input).

    Prints a JSON line for each case; an impossible one gives `refused` and the reason.
    """
    cases = _read(inputs)
    loaded = games.load_game(game, language)
    for case in cases if isinstance(cases, list) else [cases]:
        if not isinstance(case, dict):
            raise click.UsageError("Each case should be a JSON object with seats, votes and so on.")
        say_json(score_case(loaded.game, case))


def _read(path: Path) -> object:
    name = "The standard input" if str(path) == "-" else str(path)
    try:
        with click.open_file(str(path), encoding="utf-8-sig") as file:
            return json.load(file, parse_constant=_refuse)
    except OSError as error:
        raise click.UsageError(f"{name} cannot be read: {error.strerror}.") from error
    except RecursionError as error:
        raise click.UsageError(f"{name} is nested deeper than any case is.") from error
    except ValueError as error:  # not UTF-8, not JSON, or a number of thousands of digits
        raise click.UsageError(f"{name} is not valid JSON: {error}.") from error


def _refuse(word: str) -> object:
    raise ValueError(f"{word} is no number")
