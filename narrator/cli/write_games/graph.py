"""`narrator graph`: the flow of a game, drawn."""

from __future__ import annotations

from pathlib import Path

import click

from narrator.app import games
from narrator.app.doors.pictures import draw_flow, moderator_diagram
from narrator.cli import options
from narrator.cli.output import say
from narrator.core.steps.program import Program, diagram


@click.command("graph")
@click.argument("game", required=False)
@click.option("--moderator", is_flag=True, help="Print the moderator's own states instead.")
@click.option(
    "--png",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Draw a picture that a host can read into this file.",
)
@click.option("--detail", is_flag=True, help="With --png: every step and expression, as written.")
@options.language
def command(
    game: str | None, moderator: bool, png: Path | None, detail: bool, language: str
) -> None:
    """Print the game's steps and moves as a mermaid state diagram, or draw them as a picture."""
    if moderator:
        say(moderator_diagram())
        return
    if game is None:
        raise click.UsageError("Name a game, or use --moderator.")
    loaded = games.load_game(game, language)
    if png is None:
        say(diagram(Program(loaded.game)))
        return
    try:
        draw_flow(loaded.game, png, detail=detail)
    except OSError as error:
        raise click.UsageError(f"{png} cannot be written: {error.strerror or error}.") from error
    except ValueError as error:  # Pillow knows a file's kind by its name
        raise click.UsageError(f"{png} should end in .png.") from error
    say(f"Picture: {png}")
