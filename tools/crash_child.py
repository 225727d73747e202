"""One rehearsed evening that is stored: begun, or resumed where its last process ended.

A process of tools/crash.py, which ends it. Prints a line for every event that is stored, then the
result as JSON.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from narrator.adapters.journal.archive import Archive
from narrator.adapters.journal.sqlite import SqliteJournal
from narrator.adapters.system.clock import local_moment
from narrator.app import rehearse as rehearsal
from narrator.app.games import load_game
from narrator.app.records.journal_store import open_file, opening_of
from narrator.config.settings import Settings
from narrator.core.effects import Effect, Listen, Refused
from narrator.core.events import Event, Transcript
from narrator.core.record import Opening, Past, Record
from narrator.core.values import Seat, Value
from narrator.ports.errors import JournalError
from narrator.ports.faults import Then
from narrator.ports.storage import Entry
from narrator.script.files.locales import load_locale
from narrator.simulation.simulated_players import Line


class Marked:
    """A journal that prints a line for each event once it is stored."""

    def __init__(self, journal: SqliteJournal) -> None:
        self._journal = journal
        self.entries, self.keep, self.beat = journal.entries, journal.keep, journal.beat
        self.close, self.heard = journal.close, journal.heard

    def append(self, now: float, event: Event, effects: Iterable[Effect]) -> None:
        self._journal.append(now, event, effects)
        os.write(1, b".\n")

    def finish(
        self, now: float, ended: str, result: Mapping[str, Value], totals: Mapping[str, Value]
    ) -> None:
        self._journal.finish(now, ended, result, totals)


def play(arguments: Sequence[str]) -> None:
    """Play to the end.

    Args:
        arguments: Game, players with commas, seed, file of what they say, and `sound` or `text`.
    """
    name, players, seed, lines, sound = arguments
    loaded = load_game(name)
    seats = tuple(Seat(n, who) for n, who in enumerate(players.split(","), 1))
    said = json.loads(Path(lines).read_text(encoding="utf-8"))
    kept = take_up(opening_of(loaded, seats, {}, Settings(), int(seed)))
    if kept.over:
        last = kept.over[-1]
        told = {"ended": last.ended, "result": last.result, "totals": last.totals}
        print(json.dumps({**told, "notes": kept.notes}), flush=True)
        return
    plan = rehearsal.Plan(
        seats,
        int(seed),
        lines=[Line(line["say"], line["at"]) for line in unsaid(said, kept.heard)],
        patient=True,
        journal=kept.journal,
        past=kept.past,
        said=[(listen, event.meaning) for listen, event in kept.heard if event.meaning],
    )
    rehearse = rehearsal.rehearse_in_sound if sound == "sound" else rehearsal.rehearse_in_text
    print("begun", flush=True)
    report, _ = rehearse(loaded, plan)
    if kept.journal is not None:
        kept.journal.close()
    print(json.dumps({**report.to_dict(), "notes": kept.notes + report.notes}), flush=True)


@dataclass(slots=True)
class Kept:
    """What an evening is played on from."""

    journal: Marked | None = None
    """None where nothing can be stored."""
    past: Past | None = None
    heard: list[tuple[Listen, Transcript]] = field(default_factory=list)
    over: list[Record] = field(default_factory=list)
    """The evening, where it was killed after its end and before it could print."""
    notes: list[str] = field(default_factory=list)


def take_up(opening: Opening) -> Kept:
    """Begin to store an evening, or take up the stored one; go on where neither is possible."""
    try:
        file = open_file()
    except JournalError as fault:
        messages = load_locale("en").messages
        return Kept(notes=[messages.event(fault.code, fault.fields, Then.NOT_KEPT)])
    archive = Archive(file)
    over = [record for record in archive.records() if record.is_over()]
    record = archive.unfinished()
    if over or record is None:
        journal = SqliteJournal(file, local_moment, opening=opening)
        return Kept(Marked(journal), over=over)
    past, heard = archive.past(record.number), accepted(archive.entries(record.number))
    journal = SqliteJournal(file, local_moment, evening=record.number)
    return Kept(Marked(journal), past, heard)


def unsaid(
    said: list[dict[str, Any]], heard: Iterable[tuple[Listen, Transcript]]
) -> list[dict[str, Any]]:
    """Return the answers that were not accepted yet; the players know what they have said."""
    left = list(said)
    for listen, event in heard:
        meaning = event.meaning
        if left and meaning and (left[0]["at"], left[0]["means"]) == (listen.step, meaning.value):
            left.pop(0)
    return left


def accepted(entries: Iterable[Entry]) -> list[tuple[Listen, Transcript]]:
    """Return the answers that were accepted, each with what had been asked."""
    found: list[tuple[Listen, Transcript]] = []
    listen: Listen | None = None
    for entry in entries:
        event = entry.event
        meant = event.meaning if isinstance(event, Transcript) else None
        plain = meant is not None and not meant.intent.startswith("command:")
        if listen and plain and not any(isinstance(effect, Refused) for effect in entry.effects):
            assert isinstance(event, Transcript)
            found.append((listen, event))
        listen = next((e for e in reversed(entry.effects) if isinstance(e, Listen)), listen)
    return found
