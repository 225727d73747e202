"""Commands for authors."""

from __future__ import annotations

import click

from narrator.cli.group import Entry, Group


def _rehearse() -> click.Command:
    from narrator.cli.write_games.rehearse import command

    return command


def _new() -> click.Command:
    from narrator.cli.write_games.new import command

    return command


def _check() -> click.Command:
    from narrator.cli.write_games.check import command

    return command


def _test() -> click.Command:
    from narrator.cli.write_games.test import command

    return command


def _graph() -> click.Command:
    from narrator.cli.write_games.graph import command

    return command


def _translate() -> click.Command:
    from narrator.cli.write_games.translate import command

    return command


def _import() -> click.Command:
    from narrator.cli.write_games.import_ import command

    return command


def _schema() -> click.Command:
    from narrator.cli.write_games.schema import command

    return command


def _score() -> click.Command:
    from narrator.cli.write_games.score import command

    return command


def _hear() -> click.Command:
    from narrator.cli.write_games.hear import command

    return command


GROUP = Group(
    "Write games",
    {
        "rehearse": Entry(_rehearse, "Play a whole game with simulated players who speak."),
        "new": Entry(_new, "Write a script that runs, and a first test."),
        "check": Entry(_check, "Check scripts and tell everything that is wrong."),
        "test": Entry(_test, "Run a game's test plans, or random games."),
        "graph": Entry(_graph, "Print a game's steps and moves as a diagram."),
        "translate": Entry(_translate, "Write the files of a translation, or tell what they lack."),
        "import": Entry(_import, "Turn another program's script into one of ours."),
        "schema": Entry(_schema, "Print the JSON schema of a script, for editors."),
        "score": Entry(_score, "Score inputs by a game's own rules, without playing."),
        "hear": Entry(_hear, "Tell what is understood in sound files."),
    },
)
