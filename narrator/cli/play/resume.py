"""`narrator resume`: go on with an evening that was broken off."""

from __future__ import annotations

import os
import signal
import sys
from pathlib import Path
from typing import Any

import click

from narrator.app.doors.journals import MemoryJournal
from narrator.app.doors.library import load_locale
from narrator.app.doors.screen import screen_on
from narrator.app.records import resume
from narrator.app.records.export import headline
from narrator.app.records.journal_store import JournalStore, settings_of, stored_game
from narrator.app.telling import Messages, in_language
from narrator.app.wiring import play
from narrator.app.wiring.configuration import load_configuration
from narrator.cli import options
from narrator.cli.play.play import interrupt, logged, run
from narrator.ports.errors import NarratorError


@click.command("resume")
@click.argument("number", metavar="[ID]", type=options.STORABLE, required=False)
@options.at_a_table
def command(
    number: int | None, no_speech: bool, as_json: bool, record_log: Path | None, **wanted: Any
) -> None:
    """Resume evening ID, by default the last that was broken off.

    The game, the table, the options and the settings are those of that evening, and so is the
    script, whatever it became since; settings given here win. What was being asked is asked again,
    and timers go on with what they had left.
    """
    usually = load_configuration({}).settings
    screen = screen_on(sys.stderr, os.environ, plain=usually.plain or bool(wanted["plain"]))
    usual = load_locale(usually.language).messages
    with in_language(usual):  # whose evening it is is known only once it was found
        keeping = JournalStore(screen, usual)
        record = keeping.record(number)
    given = settings_of(record, {**wanted, **({"speech": False} if no_speech else {})})
    settings = load_configuration(given).settings
    log = MemoryJournal(record_log)
    screen.line(f"Going on with evening {headline(record)}")

    def none() -> play.Evening:
        raise resume.Unnamed

    messages = _messages_of(record.opening.language, usual)
    with in_language(messages):
        loaded = stored_game(record)
    plays = resume.Plays(keeping, loaded, settings, {}, none, False, logged(log, record_log))
    signal.signal(signal.SIGTERM, interrupt)
    run(lambda: plays.go_on(record, screen), plays, messages, as_json=as_json)


def _messages_of(language: str, usual: Messages) -> Messages:
    """Return the texts of an evening's language; the usual ones where it names none there is."""
    try:
        return load_locale(language).messages
    except NarratorError:
        return usual
