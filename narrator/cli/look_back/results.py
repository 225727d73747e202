"""`narrator results`: how a group has played over time."""

from __future__ import annotations

from pathlib import Path

import click

from narrator.app.records import archive, pictures, results
from narrator.cli import options
from narrator.cli.output import notes, say


@click.command("results")
@click.option("--players", default="", help="Only evenings of just these players, with commas.")
@click.option("--game", default="", help="Only this game.")
@click.option("--evening", type=options.STORABLE, help="Only this evening, by its number.")
@click.option(
    "--picture",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Write a PNG as well: a card of one evening, charts of several.",
)
def command(players: str, game: str, evening: int | None, picture: Path | None) -> None:
    """Show wins, streaks and points over time, for everybody or for one group.

    Only games that were played to their end count.
    """
    with archive.opened() as kept:
        records = archive.of_group(kept.records(), [p for p in players.split(",") if p.strip()])
        found = kept.notes()
    notes(found)
    if game:
        records = [record for record in records if record.opening.game == game]
    if evening is not None:
        records = [record for record in records if record.number == evening]
    say("\n".join(results.page(records)))
    if picture is not None:
        drawn = pictures.draw_results(records, picture)
        say(f"Picture: {picture}" if drawn else "There is nothing to draw yet.", err=True)
