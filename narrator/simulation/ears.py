"""Ears of a table without sound: what is said there is understood as it would be written."""

from __future__ import annotations

from dataclasses import dataclass

from narrator.audio.gate import Gate
from narrator.core.effects import Listen
from narrator.language.rejection import Reason
from narrator.listening.barge_in_policy import BargeInPolicy
from narrator.listening.interpreter import Interpreter
from narrator.ports.session import Clock, Heard, Inbox, Verdict
from narrator.speaking.line import PER_CHARACTER

CLEAR = 99.0
"""Decibels by which words without sound stand out."""


@dataclass(slots=True)
class TextEars:
    """An Input that takes words instead of sound.

    Args:
        understanding: What they mean.
        gate: Says what is not heard because the narrator speaks.
        floor: Says who may speak at all.
    """

    understanding: Interpreter
    gate: Gate
    inbox: Inbox
    clock: Clock
    floor: BargeInPolicy
    listen: Listen | None = None
    """What may be said now."""
    _saying: tuple[float, float, str, Listen] | None = None
    """Begin, end and words of what is being said, and what was listened for when it began."""

    def expect(self, listen: Listen) -> None:
        """Change what may be said, from the next utterance on."""
        self.listen = listen

    def is_able(self) -> bool:
        """Whether it hears: always."""
        return True

    def talk(self) -> None:
        """Listen to the next utterance, from any speaker."""
        now = self.clock.now()
        self.floor.press(now, sounding=not self.gate.is_open(now))

    def close(self) -> None:
        """Do nothing: it holds no resources."""

    def is_hearing(self) -> bool:
        """Whether somebody is speaking."""
        return self._saying is not None

    def say(self, text: str) -> float:
        """Say something as a player now; return its length in seconds."""
        now = self.clock.now()
        seconds = len(text) * PER_CHARACTER
        if self.listen is not None:
            self._saying = (now, now + seconds, text, self.listen)
        return seconds

    def next_moment(self) -> float | None:
        """Return when what is being said is over."""
        return None if self._saying is None else self._saying[1]

    def tick(self) -> None:
        """Report what was said, once it is over."""
        if self._saying is None or self._saying[1] > self.clock.now():
            return
        begin, end, text, listen = self._saying
        self._saying = None
        if self.floor.hears(begin, silence=self.gate.hears(begin, end)):
            self.floor.understood()
            self.inbox.post(self.heard(listen, text, begin, end))

    def heard(self, listen: Listen, text: str, begin: float, end: float) -> Heard:
        """Return what there is to tell of words that were said."""
        told = self.understanding.said(listen, text)
        verdict: Verdict = "accepted" if told.meaning else "unclear"
        reason = "" if told.meaning else Reason.NO_ANSWER
        return Heard(
            end, begin, end, told.text, verdict, reason,
            stands_out=CLEAR, step=listen.step, transcript=told,
        )  # fmt: skip
