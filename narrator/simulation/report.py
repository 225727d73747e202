"""How a rehearsal went, gathered by watching it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from narrator.core.codec import encode
from narrator.core.effects import Effect
from narrator.core.events import Event
from narrator.core.values import Value
from narrator.ports.session import (
    Ended,
    Fault,
    Heard,
    LineBegun,
    LineEnded,
    PublicView,
    Update,
)
from narrator.session.journal_writer import JOURNAL
from narrator.simulation.conversation import Answer

NARRATOR = "narrator"


@dataclass(frozen=True, slots=True)
class Uttered:
    """A stretch of speech on the timeline."""

    who: str
    """`narrator`, or the seat's name."""
    begin: float
    end: float
    text: str


@dataclass(slots=True)
class Report:
    """How the rehearsal went."""

    game: str
    seats: list[str]
    seed: int
    result: Mapping[str, Value] = field(default_factory=dict)
    totals: Mapping[str, Value] = field(default_factory=dict)
    ended: str = "unfinished"
    seconds: float = 0.0
    answers: list[Answer] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    """What could not be stored, each sentence once."""
    unused: list[str] = field(default_factory=list)
    """What players were to say by the list of answers, and had no occasion to."""
    journal: list[tuple[float, Event, list[Effect]]] = field(default_factory=list)
    phases: list[tuple[float, str]] = field(default_factory=list)
    """When each phase began."""
    timers: list[tuple[float, float, str]] = field(default_factory=list)
    """Begin, end and step of each wait and timer."""
    spoken: list[Uttered] = field(default_factory=list)
    """Who spoke when, the players included."""
    heard: list[Heard] = field(default_factory=list)
    """What was made of each utterance."""

    def to_dict(self) -> dict[str, Any]:
        """Return what `--json` prints."""
        return {
            "game": self.game,
            "seats": self.seats,
            "seed": self.seed,
            "ended": self.ended,
            "result": dict(self.result),
            "totals": dict(self.totals),
            "winners": self.result.get("winners"),
            "seconds": round(self.seconds, 1),
            "answers": [asdict(a) for a in self.answers],
            "faults": self.faults,
            "unused": self.unused,
        }

    def journal_lines(self) -> list[dict[str, Any]]:
        """Return the journal as JSON can hold it: two runs are the same if these are."""
        return [
            {"now": round(now, 3), "event": encode(event), "effects": encode(effects)}
            for now, event, effects in self.journal
        ]


class Reporter:
    """Watches a rehearsal, and writes its report."""

    def __init__(self, report: Report) -> None:
        self.report = report
        self._lines: dict[int, str] = {}
        self._at, self._since = "", 0.0

    def observe(self, update: Update) -> None:
        """Write down what happened."""
        report = self.report
        if isinstance(update, LineBegun):
            self._lines[update.utterance] = update.text if update.spoken else ""
        elif isinstance(update, LineEnded):
            text = self._lines.pop(update.utterance, "")
            if text and update.seconds:
                begin = update.at - update.seconds
                report.spoken.append(Uttered(NARRATOR, begin, update.at, text))
        elif isinstance(update, Heard):
            report.heard.append(update)
        elif isinstance(update, PublicView):
            self._follow(update.at, str(update.view.get("at", "")))
        elif isinstance(update, Fault):
            self._note(update)
        elif isinstance(update, Ended):
            report.ended, report.result = update.how, update.result
            report.totals = update.totals

    def _note(self, fault: Fault) -> None:
        notes = self.report.notes if fault.port == JOURNAL else self.report.faults
        if fault.message not in notes and not fault.recovered:
            notes.append(fault.message)

    def _follow(self, now: float, at: str) -> None:
        """Keep the timeline of phases, waits and timers."""
        if at == self._at:
            return
        phase = at.split("/", 1)[0]
        if phase != self._at.split("/", 1)[0]:
            self.report.phases.append((now, phase))
        if self._at.rsplit("/", 1)[-1].startswith(("wait", "timer", "discussion")):
            self.report.timers.append((self._since, now, self._at))
        self._at, self._since = at, now
