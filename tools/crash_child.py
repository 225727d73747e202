"""One rehearsed evening that is stored: begun, or gone on with where its last process was ended.

Started by tools/crash.py, which ends it. Prints a line for every event that is stored, then the
result as JSON.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from narrator.adapters.clock import local_moment  # noqa: E402  # the path must be set first
from narrator.adapters.journal_archive import Archive  # noqa: E402
from narrator.adapters.journal_sqlite import SqliteJournal  # noqa: E402
from narrator.core.effects import Effect, Listen, Refused  # noqa: E402
from narrator.core.events import Event, Transcript  # noqa: E402
from narrator.core.record import Past  # noqa: E402
from narrator.core.values import Seat, Value  # noqa: E402
from narrator.host.settings import Settings  # noqa: E402
from narrator.ports import Entry  # noqa: E402
from narrator.testing.people import Line  # noqa: E402
from narrator.wiring import rehearsal  # noqa: E402
from narrator.wiring.games import load_game  # noqa: E402
from narrator.wiring.keeping import open_file, opening_of  # noqa: E402


class Marked:
    """A journal that prints a line for each event once it is stored."""

    def __init__(self, journal: SqliteJournal) -> None:
        self._journal = journal
        self.entries, self.keep, self.beat = journal.entries, journal.keep, journal.beat
        self.close = journal.close

    def append(self, now: float, event: Event, effects: Iterable[Effect]) -> None:
        self._journal.append(now, event, effects)
        os.write(1, b".\n")

    def finish(
        self, now: float, ended: str, result: Mapping[str, Value], totals: Mapping[str, Value]
    ) -> None:
        self._journal.finish(now, ended, result, totals)


def main() -> None:
    name, players, seed, lines, sound = sys.argv[1:]
    loaded = load_game(name)
    seats = tuple(Seat(n, who) for n, who in enumerate(players.split(","), 1))
    said = json.loads(Path(lines).read_text(encoding="utf-8"))
    file = open_file()
    record = Archive(file).unfinished()
    past: Past | None = None
    if record is None:
        opening = opening_of(loaded, seats, {}, Settings(), int(seed))  # type: ignore[call-arg]
        journal = SqliteJournal(file, local_moment, opening=opening)
    else:
        past = Archive(file).past(record.number)
        said = unsaid(said, Archive(file).entries(record.number))
        journal = SqliteJournal(file, local_moment, evening=record.number)
    plan = rehearsal.Plan(
        seats,
        int(seed),
        lines=[Line(line["say"], line["at"]) for line in said],
        patient=True,
        journal=Marked(journal),
        past=past,
    )
    play = rehearsal.rehearse_in_sound if sound == "sound" else rehearsal.rehearse_in_text
    print("begun", flush=True)
    report, _ = play(loaded, plan)
    journal.close()
    print(json.dumps({**report.to_dict(), "notes": report.notes}), flush=True)


def unsaid(said: list[dict[str, Any]], entries: Iterable[Entry]) -> list[dict[str, Any]]:
    """Give the answers that were not accepted yet; the players know what they have said."""
    left = list(said)
    for step, event in accepted(entries):
        meaning = event.meaning
        if left and meaning and (left[0]["at"], left[0]["means"]) == (step, meaning.value):
            left.pop(0)
    return left


def accepted(entries: Iterable[Entry]) -> list[tuple[str, Transcript]]:
    """Give the answers that were accepted, each with the step that had asked."""
    found: list[tuple[str, Transcript]] = []
    step = ""
    for entry in entries:
        event = entry.event
        meant = event.meaning if isinstance(event, Transcript) else None
        plain = meant is not None and not meant.intent.startswith("command:")
        if plain and not any(isinstance(effect, Refused) for effect in entry.effects):
            assert isinstance(event, Transcript)
            found.append((step, event))
        step = next((e.step for e in reversed(entry.effects) if isinstance(e, Listen)), step)
    return found


if __name__ == "__main__":
    main()
