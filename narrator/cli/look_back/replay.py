"""`narrator replay`: a stored evening through today's code."""

from __future__ import annotations

from pathlib import Path

import click

from narrator.app.records import archive, replay
from narrator.app.records.journal_store import with_script
from narrator.app.telling import report
from narrator.cli import options
from narrator.cli.output import notes, say, say_json
from narrator.core.record import Record
from narrator.ports.errors import NarratorError
from narrator.ports.storage import Entry


@click.command("replay")
@click.argument("number", metavar="ID", type=options.STORABLE)
@click.option(
    "--to-test",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Write the evening as a game test, and run it.",
)
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def command(number: int, to_test: Path | None, as_json: bool) -> None:
    """Play the stored events of evening ID again, and show line by line what is different today.

    A line with - was caused then and is not now; one with + the other way round. Ends with code 1
    where anything differs. Of a game that is not over only the number of differences is told.
    """
    with archive.opened() as kept:
        record = with_script(kept, kept.record(number))
        raw, entries = kept.raw(number), kept.entries(number) if to_test else []
        met = kept.notes()
    notes(met)
    if to_test is not None:
        _write(record, entries, to_test)
        return
    found = replay.replay(record, raw)
    if as_json:
        told = {"evening": number, "events": len(raw), "differences": len(found)}
        say_json(told)
    else:
        lines = [line for difference in found for line in difference.lines()]
        for line in lines if record.is_over() else []:
            say(line)
        say(report("replayed", count=len(raw), different=len(found) or "none"))
    if found:
        raise click.exceptions.Exit(1)


def _write(record: Record, entries: list[Entry], path: Path) -> None:
    try:
        failure = replay.write_test(record, entries, path)
    except OSError as fault:
        why = (fault.strerror or "it fails").lower()
        raise NarratorError(f"{path} cannot be written: {why}.") from fault
    if failure:
        say(f"{path} is written, and does not hold yet:\n{failure}")
        raise click.exceptions.Exit(1)
    say(f"{path} is written, and holds.")
