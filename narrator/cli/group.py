"""What a group of commands offers: each command's name, its help in one line, how it is loaded."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import click


@dataclass(frozen=True)
class Entry:
    """A command that is imported only when it is called: start-up is part of the evening."""

    load: Callable[[], click.Command]
    help: str
    """One line for `narrator --help`, which imports no command."""


@dataclass(frozen=True)
class Group:
    """Commands that the same people want, under one title in `narrator --help`."""

    title: str
    commands: Mapping[str, Entry]
