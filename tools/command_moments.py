"""What every command does at every kind of moment of every game: docs/commands.md.

Each game is played through by its rehearsal. At the moments of each kind every command is said to a
copy of the game as it stands there, and what becomes of it is written down.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from narrator.app.games import Loaded, load_game
from narrator.app.rehearse import Plan, rehearse_in_text
from narrator.core.commands.table import TABLE
from narrator.core.effects import Listen, Refused
from narrator.core.engine import Engine
from narrator.core.events import Transcript
from narrator.core.expect import Meaning
from narrator.core.values import Seat
from narrator.script.files.library import list_scripts

EACH = 3
"""Moments of a kind that are tried in a game: the first, and later ones of other steps."""
NIGHT = "eyes closed"
CHANGES = frozenset({"undo", "back", "skip", "stop_the_timer", "spoiled_round", "end_the_game"})
"""Commands that may change what the game knows; the others must leave it as it is."""
WORDS = {
    "yes": "it is done, or its answer says that there is nothing to do it to",
    "asks first": "it is done after a yes",
    "later": "it is done when the window is over, whose length it does not change",
    "not now": "the narrator says that it cannot be done now; with eyes closed nothing is said",
}

_INTRODUCTION = """# What every command does when

Made by `python -m tools.command_moments`, which says every command at moments of every kind in
every game that comes with Narrator; edit the commands, not this page. Two words in a field: it
depends on the game, and on what was said before.
"""
PAGE = Path(__file__).parents[1] / "docs" / "commands.md"


@dataclass(frozen=True, slots=True)
class Tried:
    """A command at a moment."""

    game: str
    moment: str
    command: str
    outcome: str
    changed: bool
    """Whether what the game knows is another than before."""


def tried(loaded: Loaded) -> Iterator[Tried]:
    """Yield what becomes of every command at the moments of a game."""
    names = loaded.locale.names
    seats = [Seat(n, names[n - 1]) for n in range(1, loaded.game.low + 1)]
    report, _ = rehearse_in_text(loaded, Plan(seats, seed=1))
    engine = Engine(loaded.game, seats, seed=1)
    seen: dict[str, set[str]] = defaultdict(set)
    closed = False
    for now, event, _ in report.journal:
        for effect in engine.step(event, now):
            closed = effect.eyes_closed if isinstance(effect, Listen) else closed
        moderator = engine.state.moderator
        if moderator.is_over or moderator.is_ready:
            continue
        moment = _moment_of(engine, closed=closed)
        place = str([(frame.block, frame.index) for frame in engine.state.stack[-1:]])
        if place in seen[moment] or len(seen[moment]) >= EACH:
            continue
        seen[moment].add(place)
        for command in TABLE:
            yield _try(loaded, engine, now, moment, command)


def _moment_of(engine: Engine, *, closed: bool) -> str:
    """Return the kind of moment it is."""
    at = engine.state.moderator.at.rpartition("/")[2]
    return f"{at}, {NIGHT}" if closed else at


def _try(loaded: Loaded, engine: Engine, now: float, moment: str, command: str) -> Tried:
    copy = Engine(loaded.game, engine.state.seats, seed=1)
    copy.restore(engine.to_dict(now), now)
    before = dict(copy.state.variables)
    said = Transcript("", Meaning(f"command:{command}"), copy.state.listen)
    effects = copy.step(said, now)
    outcome = "yes"
    if any(isinstance(effect, Refused) for effect in effects):
        outcome = "not now"
    elif copy.state.moderator.is_confirming:
        outcome = "asks first"
    elif copy.state.asked != engine.state.asked:
        outcome = "later"
    changed = copy.state.variables != before
    return Tried(loaded.game.title, moment, command, outcome, changed)


def all_tried() -> list[Tried]:
    """Return what becomes of every command in every game."""
    return [one for entry in list_scripts() for one in tried(load_game(entry.name))]


def page(found: Sequence[Tried]) -> str:
    """Return docs/commands.md."""
    outcomes: dict[tuple[str, str], set[str]] = defaultdict(set)
    for one in found:
        outcomes[one.command, one.moment].add(one.outcome)
    moments = tuple(dict.fromkeys(one.moment for one in found))
    parts = [_INTRODUCTION, *(f"* **{word}**: {meaning}" for word, meaning in WORDS.items()), ""]
    parts += [f"| command | {' | '.join(moments)} |", "|---" * (len(moments) + 1) + "|"]
    for command in TABLE:
        cells = (_cell(outcomes[command, moment]) for moment in moments)
        parts.append(f"| {command.replace('_', ' ')} | {' | '.join(cells)} |")
    return "\n".join((*parts, ""))


def _cell(outcomes: set[str]) -> str:
    return " or ".join(outcome for outcome in WORDS if outcome in outcomes)


if __name__ == "__main__":
    PAGE.write_text(page(all_tried()), encoding="utf-8")
