"""A narrator's voice that takes time and makes no sound."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass

from narrator.core.effects import CountDown, Say
from narrator.core.events import SpeechCut
from narrator.speaking.line import PER_CHARACTER


@dataclass(frozen=True, slots=True)
class Spoken:
    """A line that was begun."""

    at: float
    """Session seconds of its first sample."""
    text: str
    line: str
    """Its id in the script; `own/...` for the narrator's own."""
    utterance: int
    seconds: float
    """How long it takes."""

    def matches(self, wanted: str) -> bool:
        """Whether the line has this id, or contains this text in any case."""
        return wanted == self.line or wanted.casefold() in self.text.casefold()


class TimedSpeech:
    """Says lines one after the other; only one at a time is being said."""

    def __init__(self) -> None:
        self._now: Spoken | None = None
        self._queue: deque[Say | CountDown] = deque()

    @property
    def ends(self) -> float | None:
        """When the line that is being said will be over; None in silence."""
        return None if self._now is None else self._now.at + self._now.seconds

    def say(self, effect: Say | CountDown, now: float) -> Spoken | None:
        """Queue a line; give it if it begins at once."""
        self._queue.append(effect)
        return self._begin(now) if self._now is None else None

    def finish(self) -> tuple[int, Spoken | None]:
        """End the line that is being said; return its number, and the line that begins after it.

        Raises:
            RuntimeError: Nothing is being said.
        """
        ended, ends = self._now, self.ends
        if ended is None or ends is None:
            raise RuntimeError("nothing is being said")
        self._now = None
        return ended.utterance, self._begin(ends)

    def hush(self, now: float) -> list[SpeechCut]:
        """Be silent; return what was cut, the queued lines among it."""
        cuts = []
        if self._now is not None:
            cuts.append(SpeechCut(self._now.utterance, max(0.0, now - self._now.at)))
        cuts += [SpeechCut(effect.utterance, 0.0) for effect in self._queue]
        self._now = None
        self._queue.clear()
        return cuts

    def _begin(self, now: float) -> Spoken | None:
        if not self._queue:
            return None
        effect = self._queue.popleft()
        if isinstance(effect, CountDown):
            words, now = effect.following(now)
            text, seconds = " ".join(words), effect.beat * len(words)
        else:
            text, seconds = effect.text, len(effect.text) * PER_CHARACTER
        self._now = Spoken(now, text, effect.line, effect.utterance, seconds)
        return self._now
