"""Where a rehearsal is played: the stage that has no sound. `sound_stage` has the one that has."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal, Protocol, TypeAlias

from narrator.core.effects import CountDown, Listen, Say
from narrator.core.events import Event, SpeechCut, SpeechFinished, Transcript
from narrator.language.grammar.grammar import Grammar
from narrator.listening.interpreter import Interpreter
from narrator.speaking.line import PER_CHARACTER

GUARD = 0.3
"""Seconds of silence after the narrator's last sample before anything is heard (RULES 0.3)."""

Outcome: TypeAlias = Literal["understood", "unclear", "ignored"]


@dataclass(frozen=True, slots=True)
class Heard:
    """Something the stage's ear made of a player's utterance."""

    begin: float
    """Session seconds at which the speech began."""
    end: float
    text: str
    outcome: Outcome
    transcript: Transcript | None
    """What the core is told; None where it was ignored."""
    seconds: float = 0.0
    """Of computing, from the endpoint to the decision."""
    score: float = 0.0
    margin: float = 0.0


@dataclass(frozen=True, slots=True)
class Uttered:
    """A stretch of speech on the timeline."""

    who: str
    """`narrator`, or the seat's name."""
    begin: float
    end: float
    text: str


class World(Protocol):
    """A place with a clock of its own, where the narrator speaks, listens, and players speak."""

    spoken: list[Uttered]
    heard: list[Heard]

    def now(self) -> float:
        """Return the session seconds."""
        ...

    def say(self, line: Say) -> None:
        """Queue a line."""
        ...

    def count(self, line: CountDown) -> None:
        """Queue a countdown."""
        ...

    def hush(self) -> None:
        """Stop speaking."""
        ...

    def cover(self, on: bool) -> None:
        """Start or stop the masking sound."""
        ...

    def cue(self, name: str) -> None:
        """Play a cue."""
        ...

    def listen(self, listen: Listen, grammar: Grammar | None) -> None:
        """Change what may be said."""
        ...

    def utter(self, seat: str, text: str) -> float:
        """Let a player say something now; return its seconds."""
        ...

    def is_open(self) -> bool:
        """Whether the narrator is silent and listens, and no player is speaking."""
        ...

    def advance(self, until: float) -> Sequence[Event]:
        """Move time on, at most to `until`, and stop at the first thing that happens."""
        ...

    def drain(self) -> None:
        """Let what is being said end, and what was recorded be complete."""
        ...


@dataclass(slots=True)
class TextWorld:
    """A stage without sound: lines last as long as their letters, answers are heard as typed."""

    understanding: Interpreter
    spoken: list[Uttered] = field(default_factory=list)
    heard: list[Heard] = field(default_factory=list)
    _now: float = 0.0
    _queue: list[tuple[int, float, float, str]] = field(default_factory=list)
    """Utterance, begin, end, text."""
    _speaking: tuple[str, float, str] | None = None
    """Seat, end, text of what a player says."""
    _listen: Listen | None = None
    _silent_since: float = 0.0

    def now(self) -> float:
        """Return the session seconds."""
        return self._now

    def say(self, line: Say) -> None:
        """Queue a line."""
        self._put(line.utterance, line.text, len(line.text) * PER_CHARACTER / line.rate)

    def count(self, line: CountDown) -> None:
        """Queue a countdown."""
        words, begin = line.following(self._free())
        self._queue.append(
            (line.utterance, begin, begin + len(words) * line.beat, ", ".join(words))
        )

    def _put(self, utterance: int, text: str, seconds: float) -> None:
        begin = self._free()
        self._queue.append((utterance, begin, begin + seconds, text))

    def _free(self) -> float:
        """Return when what is queued is over."""
        return max(self._now, self._queue[-1][2] if self._queue else 0.0)

    def hush(self) -> None:
        """Stop speaking; what was heard of each line stays on the timeline."""
        for utterance, begin, _end, text in self._queue:
            if begin < self._now:
                self.spoken.append(Uttered("narrator", begin, self._now, text))
            self._cut.append(SpeechCut(utterance, max(0.0, self._now - begin)))
        self._queue.clear()
        self._silent_since = self._now

    _cut: list[Event] = field(default_factory=list)

    def cover(self, on: bool) -> None:
        """Have no masking sound."""

    def cue(self, name: str) -> None:
        """Have no cues."""

    def listen(self, listen: Listen, grammar: Grammar | None) -> None:
        """Change what may be said."""
        self._listen = listen

    def utter(self, seat: str, text: str) -> float:
        """Let a player say something now; return its seconds."""
        end = self._now + len(text) * PER_CHARACTER
        self._speaking = (seat, end, text)
        self.spoken.append(Uttered(seat, self._now, end, text))
        return end - self._now

    def is_open(self) -> bool:
        """Whether a player may speak."""
        quiet = not self._queue and self._now >= self._silent_since + GUARD - 1e-9
        return quiet and self._speaking is None

    def advance(self, until: float) -> Sequence[Event]:
        """Move on to the next end of speech, to the gate's opening, or to `until`."""
        if self._cut:
            cut, self._cut = self._cut, []
            return cut
        moment = min(until, self._next())
        self._now = max(self._now, moment)
        return [*self._lines_over(), *self._answers_over()]

    def _next(self) -> float:
        marks = [self._queue[0][2]] if self._queue else []
        if self._speaking is not None:
            marks.append(self._speaking[1])
        opening = self._silent_since + GUARD
        if not self._queue and opening > self._now:
            marks.append(opening)
        return min(marks, default=float("inf"))

    def _lines_over(self) -> list[Event]:
        over: list[Event] = []
        while self._queue and self._queue[0][2] <= self._now:
            utterance, begin, end, text = self._queue.pop(0)
            self.spoken.append(Uttered("narrator", begin, end, text))
            self._silent_since = end
            over.append(SpeechFinished(utterance))
        return over

    def _answers_over(self) -> list[Event]:
        if self._speaking is None or self._speaking[1] > self._now or self._listen is None:
            return []
        _seat, end, text = self._speaking
        begin, self._speaking = end - len(text) * PER_CHARACTER, None
        transcript = self.understanding.typed(self._listen, text)
        outcome: Outcome = "understood" if transcript.meaning else "unclear"
        self.heard.append(Heard(begin, end, transcript.text, outcome, transcript))
        return [transcript]

    def drain(self) -> None:
        """Let everything that is queued be said."""
        while self._queue:
            self.advance(float("inf"))
