"""`narrator score`: the game's scoring alone, for one case or many."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from narrator.app import games
from narrator.app.doors.authoring import score_case
from narrator.app.doors.library import LONGEST, parse_json, read_text, reason, why
from narrator.cli import options
from narrator.cli.output import say_json


@click.command("score")
@click.argument("game")
@click.argument("inputs", type=click.Path(path_type=Path, allow_dash=True))
@options.language
def command(game: str, inputs: Path, language: str) -> None:
    """Score INPUTS, a JSON file with one case or a list of them (`-`: standard input).

    A case is what is scored, or `{"case": …, "input": …, "expect": …}`, of which `input` is. Prints
    a JSON line for each case; an impossible one gives `refused` and the reason.
    """
    cases = _read(inputs)
    loaded = games.load_game(game, language)
    for case in cases if isinstance(cases, list) else [cases]:
        given = case.get("input", case) if isinstance(case, dict) else case
        if not isinstance(given, dict):
            raise click.UsageError("Each case should be a JSON object with seats, votes and so on.")
        say_json(score_case(loaded.game, given))


def _read(path: Path) -> object:
    name = "The standard input" if str(path) == "-" else str(path)
    try:
        text = _standard_input() if str(path) == "-" else read_text(path)
        return parse_json(text)
    except OSError as error:
        raise click.UsageError(f"{name} cannot be read: {reason(error)}.") from error
    except ValueError as error:
        raise click.UsageError(f"{name} is not valid JSON: {why(error)}.") from error


def _standard_input() -> str:
    data = sys.stdin.buffer.read(LONGEST + 1)
    if len(data) > LONGEST:
        raise ValueError(f"it is longer than {LONGEST:,} bytes")
    return data.decode("utf-8-sig")
