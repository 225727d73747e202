"""`narrator list`: the games there are."""

from __future__ import annotations

from dataclasses import asdict

import click

from narrator.app.doors.library import list_scripts
from narrator.cli.output import say, say_json


@click.command("list")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON list.")
def command(as_json: bool) -> None:
    """List the games that come with Narrator."""
    entries = list_scripts()
    if as_json:
        rows = [{**asdict(entry), "path": str(entry.path)} for entry in entries]
        say_json(rows)
        return
    width = max((len(entry.name) for entry in entries), default=0)
    for entry in entries:
        say(f"{entry.name:{width}}  {entry.title}, {entry.low} to {entry.high} players")
