"""`narrator import`: scripts of other programs, as scripts of ours."""

from __future__ import annotations

from pathlib import Path

import click

from narrator.app import games
from narrator.app.doors.authoring import ImportFault, read_sheet, script_of, slug
from narrator.app.doors.library import read_text, reason
from narrator.app.telling import report
from narrator.cli.output import say


@click.group("import")
def command() -> None:
    """Turn another program's script into one of ours, to be edited."""


@command.command("botc")
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False))
@click.option(
    "--out",
    type=click.Path(path_type=Path, file_okay=False),
    help="Folder to write game.yaml into.  [default: named after the script]",
)
def botc(file: Path, out: Path | None) -> None:
    """Import the night order of a Blood on the Clocktower script FILE (JSON).

    Of characters that the file gives by their id alone nobody knows whether they wake: they are
    listed, and their calls are written as comments for you to put in order.
    """
    sheet = read_sheet(_read(file))
    target = (out or Path(slug(sheet.title).strip(".") or "imported-script")) / "game.yaml"
    if target.exists():
        raise ImportFault(f"{target} is there already.", "Name another folder with --out.")
    text = script_of(sheet)
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, encoding="utf-8")
    except OSError as fault:
        raise ImportFault(f"{target} cannot be written: {reason(fault)}.") from fault
    say(f"Written: {target}")
    unread = games.load_game(str(target)).unread()
    if unread:
        say(unread)
    say(report("night calls", first=len(sheet.night(0)), other=len(sheet.night(1))))
    if sheet.to_fill_in():
        say(
            f"Known by their id alone: {', '.join(sheet.to_fill_in())}. Their calls stand in the "
            "script as comments: take the # from those that wake, and put them in order."
        )
    if sheet.strangers():
        say(
            f"In the order of the night, but not a character of the file, so left out: "
            f"{', '.join(sheet.strangers())}."
        )


def _read(file: Path) -> str:
    try:
        return read_text(file)
    except OSError as fault:
        raise ImportFault(f"{file} cannot be read: {reason(fault)}.") from fault
