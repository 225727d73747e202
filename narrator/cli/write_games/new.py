"""`narrator new`: a first script to go on from."""

from __future__ import annotations

import shlex
from pathlib import Path

import click

from narrator.app.doors.authoring import Wishes, slug, write_new
from narrator.cli.output import asked, say


@click.command("new")
@click.argument("folder", required=False, type=click.Path(path_type=Path))
@click.option("--title", help="What the game is called.")
@click.option("--min", "low", type=int, help="Fewest players.")
@click.option("--max", "high", type=int, help="Most players.")
@click.option("--night/--no-night", default=None, help="A night with eyes closed.")
@click.option("--talk/--no-talk", default=None, help="A discussion with a timer.")
@click.option("--vote/--rounds", default=None, help="A vote at the end, or rounds with points.")
@click.option(
    "--yes", is_flag=True, help="Ask nothing: use the usual values for what is not given."
)
def command(
    folder: Path | None,
    title: str | None,
    low: int | None,
    high: int | None,
    night: bool | None,
    talk: bool | None,
    vote: bool | None,
    yes: bool,
) -> None:
    """Write a script that runs, and a first test, into a new FOLDER.

    Asks a few questions; every answer may be given as an option instead.
    """
    usual = Wishes(folder.name.replace("-", " ").title() if folder and folder.name else "My game")
    wishes = Wishes(
        _text("What is the game called?", title, usual.title, yes),
        _number("Fewest players?", low, usual.low, yes),
        _number("Most players?", high, max(usual.high, low or 0), yes),
        _truth("Is there a night with eyes closed?", night, usual.night, yes),
        _truth("Is there a discussion with a timer?", talk, usual.talk, yes),
        _truth("Is there a vote at the end? (no: rounds with points)", vote, usual.vote, yes),
    )
    target = folder or Path(slug(wishes.title).strip(".") or "game")
    for path in write_new(target, wishes):
        say(f"Written: {path}")
    named = shlex.quote(str(target))
    say(f"Next: narrator check {named}, narrator test {named}, narrator play {named}.")


def _text(question: str, given: str | None, usual: str, yes: bool) -> str:
    if given is None and not yes:
        given = str(click.prompt(question, default=asked(usual), err=True))
    return usual if given is None else given


def _number(question: str, given: int | None, usual: int, yes: bool) -> int:
    if given is None and not yes:
        given = int(click.prompt(question, default=usual, type=int, err=True))
    return usual if given is None else given


def _truth(question: str, given: bool | None, usual: bool, yes: bool) -> bool:
    if given is None and not yes:
        given = click.confirm(question, default=usual, err=True)
    return usual if given is None else given
