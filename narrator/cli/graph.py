"""`narrator graph`: the legal moves of a game, drawn."""

from __future__ import annotations

import click

from narrator.cli import options
from narrator.core.machine import diagram
from narrator.core.program import Program
from narrator.wiring import games


@click.command("graph")
@click.argument("game")
@options.language
def command(game: str, language: str) -> None:
    """Print the game's steps and moves as a mermaid state diagram."""
    click.echo(diagram(Program(games.load_game(game, language).game)))
