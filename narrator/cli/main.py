"""The command line's front door: finds the command, and turns every error into one sentence."""

from __future__ import annotations

import importlib
import keyword
import sys

import click

from narrator import __version__
from narrator.ports import NarratorError

COMMANDS = (
    "play", "rehearse", "list", "new", "check", "test", "graph", "translate", "import", "schema",
    "score", "hear", "models", "doctor",
)  # fmt: skip
"""In the order of the help page; each is `narrator.cli.NAME` with a `command`."""
EXIT_CODES = """\b
Exit codes:
  0  it worked
  1  a test or a check failed, or something unforeseen happened
  2  the command, the script, the players or the settings are wrong
  3  the recogniser or its model cannot be used
  4  the voice cannot be used
  5  a sound device cannot be used
  6  the evening cannot be stored
  7  there is no network, or a download broke off
  130  stopped by Ctrl-C"""


class _Commands(click.Group):
    """Loads a command's module only when it is called: start-up is part of the evening."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        # A word that Python keeps for itself cannot name a module.
        name = f"{cmd_name}_" if keyword.iskeyword(cmd_name) else cmd_name
        module = importlib.import_module(f"narrator.cli.{name}")
        command: click.Command = module.command
        return command


@click.command(cls=_Commands, name="narrator", epilog=EXIT_CODES)
@click.version_option(__version__, prog_name="narrator")
def narrator() -> None:
    """Moderate table games by voice, offline."""


def main(arguments: list[str] | None = None) -> None:
    """Run the command line and exit: one plain sentence for every error a person can meet."""
    try:
        # Without its standalone mode click gives an Exit's code back instead of raising it.
        code = narrator.main(args=arguments, standalone_mode=False)
    except click.ClickException as error:
        _fail(error.format_message(), 2)
    except (click.Abort, KeyboardInterrupt):
        _fail("Stopped.", 130)
    except NarratorError as error:
        _fail(str(error), error.exit_code)
    except BrokenPipeError:
        sys.stderr.close()
        sys.exit(0)
    sys.exit(code if isinstance(code, int) else 0)


def _fail(message: str, code: int) -> None:
    click.echo(f"Error: {message}" if code != 130 else message, err=True)
    sys.exit(code)


if __name__ == "__main__":
    main()
