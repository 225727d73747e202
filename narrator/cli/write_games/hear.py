"""`narrator hear`: what sound files mean, by the ear that listens at the table."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from glob import glob
from pathlib import Path
from typing import Any

import click

from narrator.app import games
from narrator.app.doors.hearing import load_intents
from narrator.app.doors.process import SessionClock
from narrator.app.hear import NAMES, FileEar, IntentsTarget, StepTarget, Target
from narrator.app.telling import told
from narrator.app.wiring.engines import make_ear, make_recogniser
from narrator.cli import options
from narrator.cli.output import say, say_json
from narrator.core.values import Seat
from narrator.ports.errors import SoundError

SOUNDS = frozenset((".wav", ".flac", ".ogg", ".mp3", ".aiff", ".aif"))
"""Files of a folder that are heard."""


@click.command("hear")
@click.argument("arguments", nargs=-1, required=True, metavar="[GAME] WAV...")
@click.option(
    "--intents",
    type=click.Path(path_type=Path),
    multiple=True,
    help="A hassil file or folder instead of a game; several are one set.",
)
@click.option(
    "--at", "step", default="", metavar="STEP", help="Step of the game; else all of it counts."
)
@click.option("--players", help='Names clockwise, with commas: "Ana, Ben, Cy".')
@options.engine
@options.model
@click.option("--language", default="", help="Of the table.  [default: of the file, else en]")
@click.option("--pad", is_flag=True, help="Put silence around each file, though it ends in noise.")
@click.option("--no-reject", is_flag=True, help="Take also what fits badly for what it is nearest.")
def command(
    arguments: tuple[str, ...], intents: tuple[Path, ...], step: str, players: str | None,
    engine: str, model: str, language: str, pad: bool, no_reject: bool,
) -> None:  # fmt: skip
    """Hear sound files and tell what each means, as a JSON line.

    What may be said comes from a step of GAME, or from the sentences of hassil files (--intents),
    such as the folder of a language in Home Assistant's intents.
    A WAV may be a file, a folder or a pattern such as "night/*.wav". It is heard as at the table:
    noise in which it begins or ends goes on around it. Of several utterances in a
    file the accepted one counts, else the one that fits best. Exit code 1: a file could not be
    read.
    """
    if intents:
        target, spoken = _intents(intents, step, players, language)
        names: Sequence[str] = arguments
    else:
        target, spoken = _step(arguments[0], step, players, language)
        names = arguments[1:]
    files = list(_files(names))
    if not files:
        raise click.UsageError("No sound file was named: name WAV files or a folder of them.")
    recogniser = make_recogniser(engine, model, spoken)
    try:
        ear = make_ear(recogniser, SessionClock().now)
        heard = FileEar(ear, recogniser.traits, target, reject=not no_reject, pad=pad)
        failed = [file for file in files if not _tell(file, heard, target)]
    finally:
        recogniser.close()
    if failed:
        raise click.exceptions.Exit(1)


def _intents(
    paths: Sequence[Path], step: str, players: str | None, language: str
) -> tuple[Target, str]:
    if step or players is not None:
        raise click.UsageError("--at and --players belong to a game, not to --intents.")
    grammar = load_intents(paths, language)
    for note in grammar.notes:
        say(f"Note: {note}", err=True)
    return IntentsTarget(grammar), language or grammar.language


def _step(game: str, step: str, players: str | None, language: str) -> tuple[Target, str]:
    loaded = games.load_game(game, language)
    if players is not None:
        seats = options.seats_of(players, loaded.game)
    else:
        seats = [Seat(n, name) for n, name in enumerate(NAMES[: max(loaded.game.low, 3)], 1)]
    return StepTarget(loaded, seats, step), loaded.locale.language


def _files(names: Sequence[str]) -> Iterator[Path]:
    for name in names:
        path = Path(name)
        if path.is_dir():
            inside = (p for p in path.rglob("*") if p.suffix.lower() in SOUNDS and p.is_file())
            yield from sorted(inside)
        elif not path.exists() and (found := sorted(glob(name, recursive=True))):
            yield from map(Path, found)
        else:
            yield path


def _tell(file: Path, ear: FileEar, target: Target) -> bool:
    """Print a file's line; tell whether it could be read."""
    line: dict[str, Any] = {"file": str(file)}
    try:
        heard, seconds = ear.hear(file)
    except SoundError as error:
        say_json(line | {"error": str(told(error))})
        return False
    line |= {
        "text": heard.text,
        "intent": heard.intent,
        "slots": dict(heard.slots or {}),
        "confidence": round(heard.confidence, 3),
        "accepted": heard.accepted,
        "expected": list(target.expected),
        "seconds": round(seconds, 3),
        "decode_seconds": round(heard.decode_seconds, 3),
    }
    say_json(line)
    return True
