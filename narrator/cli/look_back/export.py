"""`narrator export`: evenings for spreadsheets, BG Stats, readers and players of captions."""

from __future__ import annotations

from pathlib import Path

import click

from narrator.app.doors.journals import Archive
from narrator.app.doors.rehearsal import webvtt
from narrator.app.records import archive, export
from narrator.cli import options
from narrator.cli.output import notes, say
from narrator.core.record import Record

ONE = ("text", "vtt")
"""Formats that tell one evening."""


@click.command("export")
@click.argument("number", metavar="[ID]", type=options.STORABLE, required=False)
@click.option(
    "--format",
    "kind",
    type=click.Choice(["csv", "bgstats", "text", "vtt"]),
    default="csv",
    show_default=True,
    help="A table, BG Stats' JSON, plain sentences, or captions (WebVTT) of one evening.",
)
@click.option("--players", default="", help="Only evenings of just these players, with commas.")
@click.option(
    "--out", type=click.Path(path_type=Path, dir_okay=False), help="File.  [default: the output]"
)
def command(number: int | None, kind: str, players: str, out: Path | None) -> None:
    """Write out evening ID, or all of them.

    Of a game that is not over nothing is written but that it was begun: its secrets are secret.
    """
    if kind == "vtt" and number is None:
        raise click.UsageError("Captions are of one evening: narrator export ID --format vtt.")
    with archive.opened() as kept:
        group = [p for p in players.split(",") if p.strip()]
        records = (
            archive.of_group(kept.records(), group) if number is None else [kept.record(number)]
        )
        text = _text(kept, kind, records)
        found = kept.notes()
    notes(found)
    if out is None:
        say(text, nl=False)
    else:
        archive.write(out, text)


def _text(kept: Archive, kind: str, records: list[Record]) -> str:
    if kind == "csv":
        return export.as_csv(records)
    if kind == "bgstats":
        return export.as_bg_stats(records)
    if kind == "vtt":
        return webvtt(export.captions(records[0], kept.entries(records[0].number, export.CAPTIONS)))
    if len(records) == 1:
        export.must_be_over(records[0])
    stories = [
        "\n".join(export.story(record, kept.entries(record.number, export.STORY))) + "\n"
        for record in records
        if record.is_over()
    ]
    return "\n".join(stories)
