"""Commands for an evening."""

from __future__ import annotations

import click

from narrator.cli.group import Entry, Group


def _play() -> click.Command:
    from narrator.cli.play.play import command

    return command


def _resume() -> click.Command:
    from narrator.cli.play.resume import command

    return command


def _list() -> click.Command:
    from narrator.cli.play.list import command

    return command


GROUP = Group(
    "Play",
    {
        "play": Entry(_play, "Moderate a game by voice or keyboard."),
        "resume": Entry(_resume, "Go on with an evening that was broken off."),
        "list": Entry(_list, "List the games that come with Narrator."),
    },
)
