"""The command line's front door: finds the command, and turns every error into one sentence."""

from __future__ import annotations

import contextlib
import os
import signal
import sys
import traceback
from pathlib import Path
from typing import Any

import click

from narrator import __version__
from narrator.app.doors.process import share
from narrator.cli import look_after, look_back, play, write_games
from narrator.cli.output import has_its_own_descriptor, never_fails, say
from narrator.cli.start import leave
from narrator.language.shown import shortened
from narrator.ports.errors import NarratorError, PlayError

GROUPS = (play.GROUP, look_back.GROUP, write_games.GROUP, look_after.GROUP)
ENTRIES = {name: entry for group in GROUPS for name, entry in group.commands.items()}
COMMANDS = tuple(ENTRIES)
EXIT_CODES = """\b
Exit codes:
  0  it worked
  1  a test or a check failed, or something unforeseen happened
  2  the command, the script, the players or the settings are wrong
  3  the recogniser or its model cannot be used
  4  the voice cannot be used
  5  a sound device cannot be used
  6  the evening or the result cannot be written
  7  there is no network, or a download broke off
  130  stopped by Ctrl-C"""

_CLOSED = "The output is closed: let it go somewhere, for instance to a file with `> FILE`."


class _ReaderGone(Exception):
    """The reader of the output has closed it. Click itself would end the process as failed."""


class _Commands(click.Group):
    """Loads a command's module only when it is called: start-up is part of the evening."""

    def make_context(
        self, info_name: str | None, args: list[str], parent: click.Context | None = None,
        **extra: Any,
    ) -> click.Context:  # fmt: skip
        try:
            return super().make_context(info_name, args, parent, **extra)
        except BrokenPipeError as error:
            raise _ReaderGone from error

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except BrokenPipeError as error:
            raise _ReaderGone from error

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        entry = ENTRIES.get(cmd_name)
        return entry.load() if entry else None

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        width = max(map(len, COMMANDS))
        for group in GROUPS:
            rows = [(name.ljust(width), entry.help) for name, entry in group.commands.items()]
            with formatter.section(group.title):
                formatter.write_dl(rows)


@click.command(cls=_Commands, name="narrator", epilog=EXIT_CODES, invoke_without_command=True)
@click.version_option(__version__, prog_name="narrator")
@click.pass_context
def narrator(context: click.Context) -> None:
    """Moderate table games by voice, offline. Without a command the narrator asks what to play."""
    if context.invoked_subcommand is None:
        context.invoke(ENTRIES["play"].load())


def main(arguments: list[str] | None = None) -> None:
    """Run the command line and exit: one plain sentence for every error a person can meet."""
    try:
        if signal.getsignal(signal.SIGINT) is leave:  # from here on Ctrl-C is caught below
            signal.signal(signal.SIGINT, signal.default_int_handler)
        share()
        has_its_own_descriptor()
        never_fails()
        if sys.stdout is None:
            _fail(_CLOSED, 6)
        # Without its standalone mode click gives an Exit's code back instead of raising it.
        code = narrator.main(args=arguments, standalone_mode=False)
        sys.stdout.flush()
    except click.ClickException as error:
        _fail(error.format_message(), 2)
    except (click.Abort, KeyboardInterrupt):
        _fail("Stopped.", 130)
    except NarratorError as error:
        _fail(str(_sentence(error)), error.exit_code)
    except (BrokenPipeError, _ReaderGone):  # the reader has seen enough
        _drop_output()
        sys.exit(0)
    except OSError as error:
        _drop_output()
        _fail(_told(error), 6)
    except Exception as fault:
        _fail(_own_fault(fault), 1)
    sys.exit(code if isinstance(code, int) else 0)


def _sentence(error: NarratorError) -> object:
    from narrator.app.telling import told  # a language is loaded only where a fault needs one

    return told(error) if isinstance(error, PlayError) else error


def _fail(message: str, code: int) -> None:
    with contextlib.suppress(OSError):  # nobody reads it
        say(shortened(f"Error: {message}" if code != 130 else message), err=True)
    sys.exit(code)


def _told(error: OSError) -> str:
    why = (error.strerror or str(error) or "it fails").lower()
    if error.filename:
        return f"{error.filename} cannot be used: {why}."
    return f"The output cannot be written: {why}. Make room, or send it elsewhere."


def _own_fault(fault: Exception) -> str:
    last = traceback.extract_tb(fault.__traceback__)[-1]
    where = f"{Path(last.filename).name}, line {last.lineno}"
    told = " ".join(str(fault).split())
    return (
        f"Narrator met a fault of its own ({type(fault).__name__} in {where}: {told}). "
        "Please report it, with the command that led to it."
    )


def _drop_output() -> None:
    """Discard what is still to be written: the end of the process would complain about it."""
    with contextlib.suppress(OSError, ValueError):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())
        os.close(nowhere)


if __name__ == "__main__":
    main()
