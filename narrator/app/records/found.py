"""An evening that was broken off, and the question whether it goes on."""

from __future__ import annotations

from dataclasses import dataclass

from narrator.app.games import Loaded
from narrator.core.record import Record
from narrator.core.values import ExpressionError, Value


@dataclass(frozen=True, slots=True)
class Found:
    """An evening that was broken off and can be resumed."""

    record: Record
    changed: bool
    """Whether the script is another by now."""

    def question(self, loaded: Loaded) -> str:
        """Ask whether to go on, in the language of the table."""
        own = loaded.game.own["unfinished_changed" if self.changed else "unfinished"]
        begun = self.record.opening.begun
        scope: dict[str, Value] = {
            "title": self.record.opening.title,
            "seats": list(self.record.names()),
            "date": begun[:10],
            "time": begun[11:16],
        }
        try:
            return " ".join(str(own(scope)).split())
        except ExpressionError:  # pragma: no cover - the lines are tested with these very names
            return f"{self.record.opening.title}?"
