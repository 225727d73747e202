"""Evenings that are stored as `narrator play` stores them, played by simulated players."""

from __future__ import annotations

from typing import Any

from narrator.adapters.journal.sqlite import SqliteJournal
from narrator.adapters.system.clock import local_moment
from narrator.app import rehearse
from narrator.app.games import load_game
from narrator.app.records.journal_store import open_file, opening_of
from narrator.config.settings import Settings
from narrator.core.values import Seat
from narrator.simulation.report import Report
from narrator.simulation.simulated_players import Line

NAMES = ("Robert", "Julia", "Oliver", "Hannah", "Peter")


def store(game: str, seed: int = 0, lines: Any = (), broken_off: bool = False) -> Report:
    """Play an evening by text and store it; perhaps without its end."""
    loaded = load_game(game)
    seats = tuple(Seat(n, name) for n, name in enumerate(NAMES[: loaded.game.low], 1))
    journal = SqliteJournal(
        open_file(), local_moment, opening=opening_of(loaded, seats, {}, Settings(), seed)
    )
    if broken_off:
        journal.finish = lambda *_: None  # type: ignore[method-assign]
    said = [Line(line) for line in lines]
    plan = rehearse.Plan(seats, seed, lines=said, journal=journal)
    report, _ = rehearse.rehearse_in_text(loaded, plan)
    journal.close()
    return report
