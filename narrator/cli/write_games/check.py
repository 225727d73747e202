"""`narrator check`: what is wrong with a script, all at once."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict

import click

from narrator.app import games
from narrator.app.doors.library import Diagnostic, list_scripts
from narrator.cli.output import say, say_json


@click.command("check")
@click.argument("files", nargs=-1, metavar="[GAME|FILE]...")
@click.option("--strict", is_flag=True, help="Warnings count as errors.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON list of all diagnostics.")
@click.option(
    "--language",
    default="",
    help="Of the table.  [default: the game's own, and all it is translated into]",
)
def command(files: tuple[str, ...], strict: bool, as_json: bool, language: str) -> None:
    """Check scripts and tell everything that is wrong, with its place and the cure."""
    names = files or tuple(entry.name for entry in list_scripts())
    found: list[Diagnostic] = []
    for name in names:
        diagnostics = games.check_named(name, language)
        found += diagnostics
        if not as_json:
            _tell(name, diagnostics)
    if as_json:
        say_json([asdict(d) for d in found])
    if any(d.severity == "error" or strict for d in found):
        raise click.exceptions.Exit(1)


def _tell(name: str, diagnostics: Iterable[Diagnostic]) -> None:
    told = list(diagnostics)
    for diagnostic in told:
        say(str(diagnostic))
    errors = sum(d.severity == "error" for d in told)
    say(f"{name}: {_count(errors, 'error')}, {_count(len(told) - errors, 'warning')}.")


def _count(number: int, what: str) -> str:
    return f"{number or 'no'} {what}{'' if number == 1 else 's'}"
