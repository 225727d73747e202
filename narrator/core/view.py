"""What the players may ask about a game in progress: nothing here changes it."""

from __future__ import annotations

from typing import Any, NamedTuple

from narrator.core.expect import Expectation
from narrator.core.state import State
from narrator.core.steps.context import StepContext
from narrator.core.steps.program import Program
from narrator.core.steps.rule import listens, rule_of
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

    def __init__(self, program: Program, state: State) -> None:
        self.game = program.game
        self.state = state
        self._program = program

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
        if name != "step" or not self.is_running:
            return False
        return self._program.steps[self._path()].marks_its_end

    def at(self) -> str:
        """Return the path of the step the game is at; `lobby` or `ready` before, `ended` after."""
        if self.is_running:
            return self._path()
        if self.state.moderator.is_offered:
            return "lobby"
        return "ended" if self.is_over else "ready"

    @property
    def is_ready(self) -> bool:
        """Whether the game has not begun."""
        return self.state.moderator.is_ready

    @property
    def is_running(self) -> bool:
        """Whether the game has begun and is not over; it may be paused."""
        return self.state.moderator.is_playing

    @property
    def is_over(self) -> bool:
        """Whether the game has ended."""
        return self.state.moderator.is_over

    @property
    def is_offered(self) -> bool:
        """Whether the table is asked if a game that was broken off goes on."""
        return self.state.moderator.is_offered

    @property
    def is_paused(self) -> bool:
        """Whether everything stands still until somebody says to go on."""
        return self.state.moderator.is_paused

    @property
    def is_confirming(self) -> bool:
        """Whether a command waits for a yes or no."""
        return self.state.moderator.is_confirming

    @property
    def is_asking(self) -> bool:
        """Whether a question is being spoken."""
        moderator = self.state.moderator
        return moderator.is_asking or (moderator.is_offered and self.state.awaited > 0)

    @property
    def is_timing(self) -> bool:
        """Whether a public timer runs, which an answer may end early."""
        return self.state.moderator.is_timing

    @property
    def is_stuck(self) -> bool:
        """Whether it waits for a person: for an answer, a yes or no, or to go on after a pause."""
        moderator = self.state.moderator
        return moderator.is_standing_still or moderator.is_answering or moderator.is_offered

    @property
    def awaited(self) -> int:
        """The utterance whose end moves the game on; 0: none."""
        return self.state.awaited

    @property
    def place(self) -> tuple[str, str | None, str]:
        """A value that changes when the moment changes: another step, seat or stage."""
        return self.at(), self.state.seat, self.state.moderator.at

    def awaits_answer(self, now: float) -> bool:
        """Whether something is asked, and an answer counts by now."""
        moderator = self.state.moderator
        if moderator.is_standing_still or moderator.is_counting_hands or moderator.is_offered:
            return True
        return moderator.is_answering and now >= self.state.opened

    def opens_at(self, now: float) -> float | None:
        """Return when the question that is asked may be answered; None where no answer will count
        later than now.
        """
        later = self.state.moderator.is_answering and self.state.opened > now
        return self.state.opened if later else None

    def about_to_ask(self) -> tuple[Expectation, ...]:
        """Return what is listened for by the steps that may come next after what is said now.

        Nothing while a step listens itself; what is asked at night is answered when it is asked.
        """
        if not self.is_running or self.state.moderator.is_standing_still:
            return ()
        found: tuple[Expectation, ...] = ()
        seen, open_paths = set[str](), [self._path()]
        while open_paths:
            path = open_paths.pop()
            context = StepContext(self._program, self.state, 0.0, path)
            if listens(context.step):
                if path != self._path() and not context.phase.eyes_closed:
                    found += rule_of(context.step).anything(context)
                continue
            after = [p for p in self._program.directly[path] if p and p not in seen]
            seen.update(after)
            open_paths += after
        return tuple(dict.fromkeys(found))

    def to_dict(self, now: float) -> dict[str, Any]:
        """Return all there is to save, as JSON can hold it."""
        return self.state.to_dict(now)

    def public(self) -> dict[str, Value]:
        """Return what a shared screen may show: never a variable the script keeps secret."""
        hidden = self.game.secrets
        held = {"totals": dict(self.state.totals), **self.state.variables}
        shown = {k: v for k, v in held.items() if k not in hidden}
        return {"at": self.at(), "seat": self.state.seat, **shown}

    def _path(self) -> str:
        frame = self.state.stack[-1]
        return f"{frame.block}/{self._program.blocks[frame.block][frame.index].name}"
