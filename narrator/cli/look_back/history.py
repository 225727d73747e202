"""`narrator history`: the evenings there were, one of them in full, and both read aloud."""

from __future__ import annotations

import sys
from typing import Any

import click

from narrator.app import read_aloud
from narrator.app.doors.journals import Archive
from narrator.app.doors.screen import PlainScreen
from narrator.app.records import archive, export
from narrator.app.wiring.configuration import load_configuration
from narrator.cli import options
from narrator.cli.output import notes, say, say_json
from narrator.core.record import Record
from narrator.ports.session import Heard


@click.command("history")
@click.argument("number", metavar="[ID]", type=options.STORABLE, required=False)
@click.option("--players", default="", help="Only evenings of just these players, with commas.")
@click.option("--heard", is_flag=True, help="Tell what was made of every utterance of evening ID.")
@click.option("--aloud", is_flag=True, help="Read it aloud; pause, repeat and slower work as ever.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def command(number: int | None, players: str, heard: bool, aloud: bool, as_json: bool) -> None:
    """List the evenings, the oldest first; with ID, tell what was answered in that one.

    Of a game that is not over nothing is told but when and by whom it was begun. With --heard each
    utterance is told: when, what fitted best, its score, its margin above other answers, how far it
    stood out of the room, what became of it and why.
    """
    if heard and number is None:
        raise click.UsageError("--heard tells of one evening: give its number.")
    utterances: list[Heard] = []
    with archive.opened() as kept:
        if number is None:
            records = archive.of_group(kept.records(), [p for p in players.split(",") if p.strip()])
            lines = [_headline(kept, record) for record in records] or ["No evening is stored."]
        else:
            records = [kept.record(number)]
            over = records[0].is_over()
            entries = kept.entries(number, export.STORY) if over else []
            lines = export.story(records[0], entries) if over else _open(kept, records[0])
            if heard and over:
                utterances = kept.heard(number)
                lines = [export.headline(records[0]), *export.heard(records[0], utterances)]
        played = {r.number for r in records if not r.is_over() and kept.is_played(r.number)}
        found = kept.notes()
    notes(found)
    if as_json and heard:
        say_json([export.heard_as_json(h) for h in utterances])
    elif as_json:
        say_json([_told(record, played=record.number in played) for record in records])
    elif aloud:
        settings = load_configuration().settings
        read_aloud.read_aloud(lines, settings, PlainScreen(sys.stdout))
    else:
        say("\n".join(lines))


def _headline(kept: Archive, record: Record) -> str:
    return export.headline(record, played=not record.is_over() and kept.is_played(record.number))


def _open(kept: Archive, record: Record) -> list[str]:
    if kept.is_played(record.number):
        return [_headline(kept, record), "It is not over: another window is playing it."]
    go_on = f"It is not over. Resume it with narrator resume {record.number}."
    return [export.headline(record), go_on]


def _told(record: Record, *, played: bool) -> dict[str, Any]:
    over = record.is_over()
    return {
        "evening": record.number,
        "game": record.opening.game,
        "title": record.opening.title,
        "begun": record.opening.begun,
        "players": record.names(),
        "ended": "playing" if played else record.ended or "unfinished",
        "seconds": round(record.seconds, 1),
        "seed": record.opening.seed if over else None,
        "result": dict(record.result) if over else {},
        "totals": dict(record.totals) if over else {},
        "winners": export.winners(record),
    }
