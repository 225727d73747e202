"""What observers are told of lines: that they begin, and how they ended."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable

from narrator.core.effects import SpeechRole
from narrator.ports.session import Clock, LineBegun, LineEnded


class LineNotes:
    """Reports lines that begin at once, and keeps those that are over until they are asked for:
    a line may end in any thread, and observers are told in one.
    """

    def __init__(self, clock: Clock, begun: Callable[[LineBegun], None]) -> None:
        self._clock, self._begun = clock, begun
        self._open: set[int] = set()
        self._ended: deque[LineEnded] = deque()

    def begun(self, number: int, text: str, line: str, role: SpeechRole, *, spoken: bool) -> None:
        """Note that a line is to be read from now on."""
        self._open.add(number)
        self._begun(LineBegun(self._clock.now(), number, text, line, role, spoken))

    def over(
        self, number: int, seconds: float, *, complete: bool = True, at: float | None = None
    ) -> None:
        """Keep that a line is over; a sound that nobody was told of, such as a cue, is none."""
        if number in self._open:
            self._open.discard(number)
            moment = self._clock.now() if at is None else at
            self._ended.append(LineEnded(moment, number, seconds, complete))

    def ended(self) -> list[LineEnded]:
        """Return the lines that are over since the last call."""
        over = []
        while self._ended:
            over.append(self._ended.popleft())
        return over
