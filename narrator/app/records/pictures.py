"""Results as pictures: one evening as a card, several as charts."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from narrator.adapters.pictures.card import Card, draw_card
from narrator.adapters.pictures.charts import GamePoints, Wins, draw_charts
from narrator.app.records.export import ENDS, points, winners
from narrator.app.records.in_words import in_words
from narrator.app.records.results import standings
from narrator.core.library import minutes, names
from narrator.core.record import Record


def draw_results(records: Sequence[Record], path: Path) -> bool:
    """Draw evenings that were played to their end to a PNG file; tell whether there were any.

    Args:
        records: Those that were chosen, the oldest first.
        path: Of the file.

    Raises:
        ChartError: Charts are wanted, and matplotlib is not installed.
        OSError: The file cannot be written.
    """
    over = [record for record in records if record.ended == "complete"]
    if len(over) == 1:
        draw_card(card_of(over[0]), path)
    elif over:
        title = f"{over[0].opening.begun[:10]} to {over[-1].opening.begun[:10]}"
        draw_charts(title, _wins(over), _games(over), path)
    return bool(over)


def card_of(record: Record) -> Card:
    """Return what stands on an evening's card."""
    begun, won = record.opening.begun, winners(record)
    scored = {name: points(record, name) for name in record.names()}
    rows = [
        (name, in_words(value) if value is not None else "won" if name in won else "")
        for name, value in scored.items()
    ]
    if record.totals:
        rows.sort(key=lambda row: row[0] not in won)
    ended = ENDS.get(record.ended, record.ended)
    told = f"{'Winner' if len(won) == 1 else 'Winners'}: {names(list(won))}" if won else ended
    about = f"{begun[:10]} at {begun[11:16]}, {minutes(record.seconds)}"
    return Card(record.opening.title, about, f"{told[:1].upper()}{told[1:]}.", rows)


def _wins(records: Sequence[Record]) -> list[Wins]:
    return [Wins(s.name, s.wins, s.played) for s in standings(records)]


def _games(records: Sequence[Record]) -> list[GamePoints]:
    """Return the points of each game that has any, each game by itself."""
    found: list[GamePoints] = []
    for title in dict.fromkeys(record.opening.title for record in records):
        evenings = [r for r in records if r.opening.title == title and r.totals]
        scored: dict[str, list[tuple[int, float]]] = {}
        for place, record in enumerate(evenings):
            for name in record.names():
                value = points(record, name)
                if isinstance(value, (int, float)):
                    scored.setdefault(name, []).append((place, float(value)))
        if scored:
            found.append(GamePoints(title, [r.opening.begun[:10] for r in evenings], scored))
    return found
