"""`narrator groups`: people who play together often."""

from __future__ import annotations

import sys

import click

from narrator.app.records import archive, groups
from narrator.cli import options
from narrator.cli.output import asked, say, say_json
from narrator.core.values import Seat
from narrator.ports.errors import NarratorError


@click.group("groups")
def command() -> None:
    """List, keep and forget groups: people who play together often.

    Where the narrator asks who plays, "the Friday group" or "the Friday group without Ben" is an
    answer. Each group is a table file, which may be edited: `play --table` tells what is in one.
    """


@command.command("list")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON list.")
def list_(as_json: bool) -> None:
    """List the groups, and who is in each."""
    found, faults = groups.stored()
    for fault in faults:
        say(fault, err=True)
    if as_json:
        say_json([{"name": g.name, "players": g.names(), "file": str(g.path)} for g in found])
        return
    for group in found:
        say(f"{group.name}: {', '.join(group.names())}. It is kept in {group.path}.")
    if not found:
        say("There is no group yet. `narrator groups keep NAME` makes one of the last table.")


@command.command("keep")
@click.argument("name")
@click.option("--players", help="Names clockwise, with commas; else those of the last evening.")
def keep(name: str, players: str | None) -> None:
    """Keep people as the group NAME, in place of one that has this name already."""
    seats = options.named(players) if players else _last_table()
    path = groups.keep(name, seats)
    say(
        f"The group {path.stem} is kept: {', '.join(seat.name for seat in seats)}. It is in {path}."
    )


def _last_table() -> list[Seat]:
    with archive.opened() as kept:
        records = kept.records()
    if not records:
        raise NarratorError("No evening is stored yet.", 'Name the group by --players "Ana, Ben".')
    return list(records[0].opening.seats)


@command.command("forget")
@click.argument("name")
@click.option("--yes", is_flag=True, help="Do not ask.")
def forget(name: str, yes: bool) -> None:
    """Forget the group NAME. The evenings of its people stay; see `narrator forget`."""
    group = groups.named(name)
    if not yes:
        if not sys.stdin or not sys.stdin.isatty():
            raise click.UsageError(f"To forget {group.name} without being asked, add --yes.")
        click.confirm(asked(f"Forget the group {group.name}?"), abort=True, err=True)
    groups.forget(group)
    say(f"The group {group.name} is forgotten.")
