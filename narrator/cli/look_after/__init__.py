"""Commands for voices, microphones and models."""

from __future__ import annotations

import click

from narrator.cli.group import Entry, Group


def _mic() -> click.Command:
    from narrator.cli.look_after.mic import command

    return command


def _names() -> click.Command:
    from narrator.cli.look_after.names import command

    return command


def _groups() -> click.Command:
    from narrator.cli.look_after.groups import command

    return command


def _models() -> click.Command:
    from narrator.cli.look_after.models import command

    return command


def _devices() -> click.Command:
    from narrator.cli.look_after.devices import command

    return command


def _voices() -> click.Command:
    from narrator.cli.look_after.voices import command

    return command


def _doctor() -> click.Command:
    from narrator.cli.look_after.doctor import command

    return command


GROUP = Group(
    "Look after",
    {
        "mic": Entry(_mic, "Show level, noise and what is heard at the microphone."),
        "names": Entry(_names, "Check whether names can be heard and told apart."),
        "groups": Entry(_groups, "List, keep and forget groups of people who play together."),
        "models": Entry(_models, "List, install, import and remove speech models."),
        "devices": Entry(_devices, "List microphones and loudspeakers, and which are used."),
        "voices": Entry(_voices, "List the voices, or play a sample of some."),
        "doctor": Entry(_doctor, "Check voice, devices, hearing and settings."),
    },
)
