"""`narrator translate`: the files for a translation, written or brought up to date."""

from __future__ import annotations

from pathlib import Path

import click

from narrator.app.doors.authoring import Progress, translate
from narrator.app.doors.library import find_script
from narrator.cli.output import say, say_json


@click.command("translate")
@click.argument("game")
@click.argument("language")
@click.option("--check", is_flag=True, help="Write nothing, only report.")
@click.option(
    "--out",
    type=click.Path(path_type=Path, file_okay=False),
    help="Folder of the files.  [default: that of the game]",
)
@click.option("--json", "as_json", is_flag=True, help="Print the report as JSON.")
def command(game: str, language: str, check: bool, out: Path | None, as_json: bool) -> None:
    """Write lines.LANGUAGE.yaml and phrases.LANGUAGE.yaml beside GAME, and report what is missing.

    What is translated already stays. What the game has no more is left out. Above each entry stands
    what the game says in its own language. The exit code is 1 while anything is missing.
    """
    progress = translate(find_script(game), language, out=out, write=not check)
    if as_json:
        say_json(progress.to_dict())
    else:
        _tell(progress)
    if not progress.is_complete:
        raise click.exceptions.Exit(1)


def _tell(progress: Progress) -> None:
    for part in progress.parts:
        say(f"{part.path}: {part.done} of {part.total} translated.")
        for what, names in (("missing", part.missing), ("removed", part.removed),
                            ("changed", part.changed)):  # fmt: skip
            for name in names:
                say(f"  {what}: {name}")
    if not progress.has_locale:
        say(
            f"Narrator's own text and commands are not available in {progress.language} yet: "
            f"copy {progress.pattern} to {progress.language}.yaml beside it and translate that too."
        )
