"""`narrator forget`: deletes an evening or a player, really."""

from __future__ import annotations

import sys

import click

from narrator.app.doors.journals import Archive
from narrator.app.records import archive, groups, recordings
from narrator.app.telling import report
from narrator.cli import options
from narrator.cli.output import asked, notes, say
from narrator.core.record import Record
from narrator.ports.errors import NarratorError


@click.command("forget")
@click.argument("numbers", metavar="[ID]...", type=options.STORABLE, nargs=-1)
@click.option("--player", help="Forget this player in every evening.")
@click.option("--yes", is_flag=True, help="Do not ask.")
def command(numbers: tuple[int, ...], player: str | None, yes: bool) -> None:
    """Delete evenings, or take a player out of all of them. It cannot be undone.

    Of a forgotten player the others keep the outcome of finished evenings, under the name
    "Somebody"; everything that was said in them is deleted, and unfinished ones are deleted whole.
    The file is rewritten, so that nothing of it is left there. Recordings of these evenings are
    deleted, too, everybody's voice with them.
    """
    if bool(numbers) == (player is not None):
        raise click.UsageError("Name evenings by their number, or a player with --player NAME.")
    if player is not None and not player.strip():
        raise click.UsageError("--player needs a name.")
    numbers = tuple(dict.fromkeys(numbers))
    with archive.opened(reading=False) as kept:
        met = _named(kept, numbers) if player is None else _met(kept, player)
        for number in (*numbers, *(record.number for record in met)):
            if kept.is_played(number):
                raise NarratorError(f"Evening {number} is being played.", "End it first.")
        _ask(numbers, player, yes=yes)
        if player is None:
            kept.forget(numbers)
            say(f"Forgotten: {', '.join(map(str, numbers))}.")
        else:
            changed, deleted = kept.forget_player(player.strip())
            say(report("player forgotten", player=player, changed=changed, deleted=deleted))
            if left := groups.leave_out(player):
                say(f"{player.strip()} is in no group any more, and was in: {', '.join(left)}.")
        found = kept.notes()
    notes(found)
    complete = _forget_recordings(met)
    archive.forget_spoken()
    for path in archive.left_aside():
        say(f"{path} was set aside as damaged and may still hold it; delete it yourself.")
    if not complete:
        raise click.exceptions.Exit(6)


def _forget_recordings(met: list[Record]) -> bool:
    """Delete the recordings of these evenings; tell whether none is left."""
    count = recordings.forget(met)
    if count:
        say(report("recordings forgotten", count=count))
    left = recordings.of(met)
    for path in left:
        say(f"{path} cannot be deleted; delete it yourself.", err=True)
    return not left


def _named(kept: Archive, numbers: tuple[int, ...]) -> list[Record]:
    """Return the evenings with these numbers, as far as they can be read; all of them are there."""
    whole = {record.number: record for record in kept.records()}
    for number in numbers:
        if number not in whole and kept.has(number):
            say(f"Evening {number} is damaged: if it was recorded, its recording stays.", err=True)
        elif number not in whole:
            kept.record(number)
    return [whole[number] for number in numbers if number in whole]


def _met(kept: Archive, player: str) -> list[Record]:
    """Return the evenings of a player; there is one at least, or it was a slip of the pen.

    Of a damaged evening nobody knows who played: it is deleted if the name stands in it anywhere.
    """
    who = player.strip().casefold()
    met = [r for r in kept.records() if who in (name.casefold() for name in r.names())]
    if not met and not kept.damaged_with(player.strip()):
        told = f"No evening has a player called {player.strip()}. `narrator history` lists them."
        raise click.UsageError(told)
    return met


def _ask(numbers: tuple[int, ...], player: str | None, *, yes: bool) -> None:
    if yes:
        return
    if not sys.stdin or not sys.stdin.isatty():
        raise click.UsageError("It cannot be undone: say --yes where nobody can be asked.")
    what = player or f"evening {', '.join(map(str, numbers))}"
    click.confirm(asked(f"Forget {what}? It cannot be undone"), abort=True)
