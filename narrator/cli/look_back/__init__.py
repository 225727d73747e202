"""Commands for past evenings."""

from __future__ import annotations

import click

from narrator.cli.group import Entry, Group


def _history() -> click.Command:
    from narrator.cli.look_back.history import command

    return command


def _results() -> click.Command:
    from narrator.cli.look_back.results import command

    return command


def _export() -> click.Command:
    from narrator.cli.look_back.export import command

    return command


def _replay() -> click.Command:
    from narrator.cli.look_back.replay import command

    return command


def _forget() -> click.Command:
    from narrator.cli.look_back.forget import command

    return command


GROUP = Group(
    "Look back",
    {
        "history": Entry(_history, "List the evenings, or tell what was said in one."),
        "results": Entry(_results, "Show wins, streaks and points over time."),
        "export": Entry(_export, "Write out one evening or all: CSV, BG Stats, text, captions."),
        "replay": Entry(_replay, "Play a stored evening again through today's code."),
        "forget": Entry(_forget, "Delete evenings, or take a player out of all of them."),
    },
)
