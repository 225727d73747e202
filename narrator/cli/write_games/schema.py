"""`narrator schema`: the shape of a script, for editors."""

from __future__ import annotations

import click

from narrator.app.doors.authoring import schema
from narrator.cli.output import say_json


@click.command("schema")
def command() -> None:
    """Print the JSON schema of a script, by which an editor completes and checks it."""
    say_json(schema(), indent=2)
