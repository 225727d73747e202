"""The one way to the terminal: nothing that comes from outside reaches it as it is."""

from __future__ import annotations

import contextlib
import json
import os
import sys
from collections.abc import Iterable
from typing import Any

import click

from narrator.language.shown import json_safe, shortened, shown, shown_in

_STANDARD_ERROR = 2


def say(text: str, *, err: bool = False, nl: bool = True) -> None:
    """Print a text whose every sign can be seen, in whatever encoding the output has.

    Args:
        text: One line or several.
        err: Print it on the standard error.
        nl: End the line.
    """
    click.echo(shown_in(text, _encoding(err)), err=err, nl=nl)


def say_json(value: Any, *, indent: int | None = None) -> None:
    """Print a value as JSON that says the same in every encoding."""
    text = json.dumps(value, ensure_ascii=False, indent=indent)
    click.echo(json_safe(text, _encoding(err=False)))


def notes(some: Iterable[str]) -> None:
    """Print each warning met on the way to standard error, once."""
    for note in dict.fromkeys(some):
        say(shortened(note), err=True)


def asked(question: str) -> str:
    """Return a question as it may be put: names and paths stand in it."""
    return shown(question)


def never_fails() -> None:
    """Write a character that the output's encoding lacks as an escape.

    `say` knows that already; this is for what libraries print.
    """
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            with contextlib.suppress(ValueError, OSError):  # it is closed
                reconfigure(errors="backslashreplace")


def has_its_own_descriptor() -> None:
    """Write standard error through a descriptor of its own.

    A sound library that looks for devices points the process's own one (2) at nothing meanwhile,
    and what the game showed then was lost.
    """
    stream = sys.stderr
    with contextlib.suppress(OSError, ValueError, AttributeError):  # it is closed, or no file
        if stream.fileno() == _STANDARD_ERROR:
            own = os.dup(_STANDARD_ERROR)
            sys.stderr = open(own, "w", buffering=1, encoding=stream.encoding, errors=stream.errors)


def _encoding(err: bool) -> str:
    stream = sys.stderr if err else sys.stdout
    return getattr(stream, "encoding", None) or "utf-8"
