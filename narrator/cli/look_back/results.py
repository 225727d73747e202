"""`narrator results`: how a group has played over time."""

from __future__ import annotations

from pathlib import Path

import click

from narrator.app.doors.pictures import draw_results
from narrator.app.records import archive, results
from narrator.cli.output import notes, say


@click.command("results")
@click.option("--players", default="", help="Only evenings of just these players, with commas.")
@click.option("--game", default="", help="Only this game.")
@click.option(
    "--picture", type=click.Path(path_type=Path, dir_okay=False), help="Write a PNG as well."
)
def command(players: str, game: str, picture: Path | None) -> None:
    """Show wins, streaks and points over time, for everybody or for one group.

    Only games that were played to their end count.
    """
    with archive.opened() as kept:
        records = archive.of_group(kept.records(), [p for p in players.split(",") if p.strip()])
        found = kept.notes()
    notes(found)
    if game:
        records = [record for record in records if record.opening.game == game]
    say("\n".join(results.page(records)))
    if picture is not None:
        points = {s.name: s.points for s in results.standings(records) if s.points}
        title = f"Points: {game or players or 'all evenings'}"
        draw_results(points, title, picture)
        say(f"Picture: {picture}", err=True)
