"""`narrator schema`: the shape of a script, for editors."""

from __future__ import annotations

import json

import click

from narrator.script.reading.models import schema


@click.command("schema")
def command() -> None:
    """Print the JSON schema of a script, by which an editor completes and checks it."""
    click.echo(json.dumps(schema(), indent=2, ensure_ascii=False))
