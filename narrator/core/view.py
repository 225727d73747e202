"""What may be asked about a game in progress by whoever plays it: nothing here changes it."""

from __future__ import annotations

from typing import NamedTuple

from narrator.core.game import Timer
from narrator.core.machine import Moves
from narrator.core.program import Program
from narrator.core.state import State
from narrator.core.values import Value


class Deadline(NamedTuple):
    """The next timer that will be due."""

    due: float
    """Session seconds."""
    name: str
    generation: int
    signal: bool = False
    """Whether a sound marks the very moment."""


class GameView:
    """A game, where it is, and what it waits for."""

    def __init__(self, program: Program, moves: Moves, state: State) -> None:
        self.game = program.game
        self.state = state
        self._program = program
        self._moves = moves

    def deadline(self) -> Deadline | None:
        """Return the timer that is due next; None while paused or where there is none."""
        running = [
            Deadline(t.due, name, t.generation)
            for name, t in self.state.timers.items()
            if t.due is not None
        ]
        first = min(running, default=None)
        return first and first._replace(signal=self._is_signal(first.name))

    def public_timer(self) -> float | None:
        """Return when the public timer is over, in session seconds; None where none runs."""
        timer = self.state.timers.get("step")
        return timer.due if timer is not None and self._is_signal("step") else None

    def _is_signal(self, name: str) -> bool:
        """Whether this timer is a public one, whose end is marked by a sound."""
        if name != "step" or self.state.mode != "running":
            return False
        return isinstance(self._program.steps.get(self._path()), Timer)

    def at(self) -> str:
        """Return the path of the step the game is at."""
        return self._moves.at

    @property
    def is_ready(self) -> bool:
        """Whether the game has not begun."""
        return self.state.mode == "ready"

    @property
    def is_running(self) -> bool:
        """Whether the game has begun and is not over; it may be paused."""
        return self.state.mode == "running"

    @property
    def is_over(self) -> bool:
        """Whether the game has ended."""
        return self.state.mode == "ended"

    @property
    def is_paused(self) -> bool:
        """Whether everything stands still until somebody says to go on."""
        return self.state.paused

    @property
    def is_confirming(self) -> bool:
        """Whether a command waits for a yes or no."""
        return bool(self.state.confirming)

    @property
    def is_asking(self) -> bool:
        """Whether a question is being spoken."""
        return self.state.stage == "asking"

    @property
    def is_timing(self) -> bool:
        """Whether a public timer runs, which an answer may end early."""
        return self.state.stage == "running"

    @property
    def is_stuck(self) -> bool:
        """Whether it waits for a person: for an answer, a yes or no, or to go on after a pause."""
        return self.is_paused or self.is_confirming or self.state.stage == "answering"

    @property
    def awaited(self) -> int:
        """The utterance whose end moves the game on; 0: none."""
        return self.state.awaited

    @property
    def place(self) -> tuple[str, str | None, str]:
        """A value that changes when the moment changes: another step, seat or stage."""
        return self.at(), self.state.seat, self.state.stage

    def awaits_answer(self, now: float) -> bool:
        """Whether something is asked, and an answer counts by now."""
        if self.is_paused or self.is_confirming or self.state.stage == "hands":
            return True
        return self.state.stage == "answering" and now >= self.state.opened

    def opens_at(self, now: float) -> float | None:
        """Return when the question that is asked may be answered; None where no answer will count
        later than now.
        """
        later = self.state.stage == "answering" and self.state.opened > now
        return self.state.opened if later else None

    def public(self) -> dict[str, Value]:
        """Return what a shared screen may show: never a variable the script keeps secret."""
        hidden = self.game.secrets
        held = {"totals": dict(self.state.totals), **self.state.variables}
        shown = {k: v for k, v in held.items() if k not in hidden}
        return {"at": self.at(), "seat": self.state.seat, **shown}

    def _path(self) -> str:
        frame = self.state.stack[-1]
        return f"{frame.block}/{self._program.blocks[frame.block][frame.index].name}"
