"""`narrator resume`: go on with an evening that was broken off."""

from __future__ import annotations

import signal
import sys
from pathlib import Path
from typing import Any

import click

from narrator.adapters.journal_memory import MemoryJournal
from narrator.adapters.plain_screen import PlainScreen
from narrator.cli.play import interrupt, logged, run
from narrator.host.configuration import load_configuration
from narrator.wiring import playing, resuming
from narrator.wiring.keeping import Keeping, settings_of, stored_game


@click.command("resume")
@click.argument("number", metavar="[ID]", type=int, required=False)
@click.option("--keyboard", is_flag=True, default=None, help="Take answers from the keyboard only.")
@click.option("--no-speech", is_flag=True, help="Show every line as text only.")
@click.option("--mic", "microphone", help="Microphone by name or number.")
@click.option("--speaker", help="Loudspeaker by name or number.")
@click.option("--voice", help="Voice by its own name, such as en-us+f3.")
@click.option("--engine", type=click.Choice(["auto", "whisper", "vosk"]), help="What hears.")
@click.option("--model", help="Speech model: its name, or its folder.")
@click.option("--plain", is_flag=True, default=None, help="Plain lines only, for screen readers.")
@click.option("--json", "as_json", is_flag=True, help="Print the result as JSON.")
@click.option(
    "--record-log",
    type=click.Path(path_type=Path),
    help="Write every event and what it caused to a file, one JSON line each.",
)
def command(
    number: int | None, no_speech: bool, as_json: bool, record_log: Path | None, **wanted: Any
) -> None:
    """Go on with evening ID, by default with the last that was broken off.

    The game, the table, the options and the settings are those of that evening, and so is the
    script, whatever it became since; settings given here win. What was being asked is asked again,
    and timers go on with what they had left.
    """
    screen = PlainScreen(sys.stderr)
    keeping = Keeping(screen)
    record = keeping.record(number)
    given = settings_of(record, {**wanted, **({"speech": False} if no_speech else {})})
    settings = load_configuration(given).settings
    log = MemoryJournal(record_log)

    def none() -> playing.Evening:
        raise resuming.Unnamed

    plays = resuming.Plays(
        keeping, stored_game(record), settings, {}, none, False, logged(log, record_log)
    )
    signal.signal(signal.SIGTERM, interrupt)
    run(lambda: plays.go_on(record, screen), as_json=as_json)
