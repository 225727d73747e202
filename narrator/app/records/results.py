"""How a group has played over time: wins, streaks, points; as text that can be read aloud."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from narrator.app.records.export import points, winners
from narrator.app.telling import report
from narrator.core.library import names
from narrator.core.record import Record

WIDTH = 40
"""Characters of the longest bar."""


@dataclass(slots=True)
class Standing:
    """One player's results."""

    name: str
    played: int = 0
    wins: int = 0
    streak: int = 0
    """Wins in a row, up to the last evening."""
    longest: int = 0
    points: list[tuple[str, float]] = field(default_factory=list)
    """Date and points of each evening that had any, the oldest first."""

    def take(self, won: bool) -> None:
        """Count one evening."""
        self.played += 1
        self.wins += won
        self.streak = self.streak + 1 if won else 0
        self.longest = max(self.longest, self.streak)


def standings(records: Sequence[Record]) -> list[Standing]:
    """Return everybody's results, the most wins first; only what was played to its end counts."""
    found: dict[str, Standing] = {}
    for record in records:
        if record.ended != "complete":
            continue
        won = winners(record)
        for name in record.names():
            standing = found.setdefault(name, Standing(name))
            standing.take(name in won)
            scored = points(record, name)
            if isinstance(scored, (int, float)):
                standing.points.append((record.opening.begun[:10], float(scored)))
    return sorted(found.values(), key=lambda s: (-s.wins, s.played, s.name))


def page(records: Sequence[Record]) -> list[str]:
    """Return the page line by line: plain sentences first, then a bar for each score."""
    over = [record for record in records if record.ended == "complete"]
    if not over:
        return ["No game was played to its end yet."]
    first, last = over[0].opening.begun[:10], over[-1].opening.begun[:10]
    games = names(list(dict.fromkeys(record.opening.title for record in over)))
    table = standings(over)
    name = "results of one day" if first == last else "results over time"
    lines = [report(name, count=len(over), first=first, last=last, games=games)]
    lines += [_sentence(standing) for standing in table]
    return [*lines, *_bars(table)]


def _sentence(standing: Standing) -> str:
    told = f"{standing.name}: {standing.wins} of {standing.played} won"
    if standing.streak > 1:
        told += f", the last {standing.streak} in a row"
    if standing.longest > max(1, standing.streak):
        told += f", once {standing.longest} in a row"
    return f"{told}."


def _bars(table: Sequence[Standing]) -> list[str]:
    scored = [standing for standing in table if standing.points]
    if not scored:
        return []
    most = max(value for standing in scored for _, value in standing.points) or 1.0
    width = max(len(standing.name) for standing in scored)
    lines = ["", "Points over time:"]
    for standing in scored:
        for date, value in standing.points:
            bar = "#" * max(0, round(WIDTH * value / most))
            lines.append(f"{standing.name:{width}}  {date}  {value:g} {bar}".rstrip())
    return lines
