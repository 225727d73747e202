"""`narrator list`: the games there are."""

from __future__ import annotations

import json
from dataclasses import asdict

import click

from narrator.script.files.library import list_scripts


@click.command("list")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON list.")
def command(as_json: bool) -> None:
    """List the games that come with Narrator."""
    entries = list_scripts()
    if as_json:
        rows = [{**asdict(entry), "path": str(entry.path)} for entry in entries]
        click.echo(json.dumps(rows, ensure_ascii=False))
        return
    width = max((len(entry.name) for entry in entries), default=0)
    for entry in entries:
        click.echo(f"{entry.name:{width}}  {entry.title}, {entry.low} to {entry.high} players")
