"""Who has the floor: when a player is heard although the narrator speaks, or only by a key.

The narrator falls silent while somebody speaks into its line, and says the line on, from a moment
before, where that was nothing it knows.
"""

from __future__ import annotations

import threading
from math import inf
from typing import Protocol

INTERRUPTS = 0.28
"""Seconds of speech that silence the narrator: more than a cough, less than a word."""
CALM = 6.0
"""Seconds in which it speaks on after it fell silent for nothing."""
PRESSED = 8.0
"""Seconds for which a key press listens, if nobody speaks."""
SETTLES = 0.35
"""Seconds until a voice that is told to fall silent has left the loudspeaker and the room."""


class Voice(Protocol):
    """What can fall silent and go on."""

    def hold(self) -> None:
        """Fall silent and wait."""
        ...

    def release(self) -> None:
        """Continue, if it waits."""
        ...


class BargeInPolicy:
    """Decides block by block; `press` may come from any thread, the rest from the one that hears.

    Args:
        voice: the narrator's; None: it cannot be stopped.
        barge_in: a few commands are heard while it speaks.
        push_to_talk: nothing is heard unless the key was pressed.
    """

    def __init__(
        self, voice: Voice | None, *, barge_in: bool = False, push_to_talk: bool = False
    ) -> None:
        self.barge_in, self._push_to_talk = barge_in, push_to_talk
        self._voice = voice
        self._lock = threading.Lock()
        self._holds = False
        self._calm_until = -inf
        self._opens, self._pressed_until = inf, -inf

    @property
    def holds(self) -> bool:
        """Whether the narrator fell silent for somebody who speaks."""
        return self._holds

    def press(self, now: float, *, sounding: bool) -> None:
        """Listen to the next utterance, from any speaker."""
        with self._lock:
            self._opens = now + SETTLES if sounding else now
            self._pressed_until = self._opens + PRESSED
            self._hold()

    def is_pressed(self, begin: float) -> bool:
        """Whether sound from this moment on is listened to because of the key."""
        with self._lock:
            return self._opens <= begin < self._pressed_until

    def hears(self, begin: float, *, silence: bool) -> bool:
        """Whether sound from this moment on is listened to at all.

        Args:
            begin: session seconds.
            silence: whether the narrator is silent.
        """
        if self._push_to_talk:
            return self.is_pressed(begin)
        return silence or self.barge_in or self.is_pressed(begin)

    def mind(self, now: float, speech: float, *, silence: bool) -> None:
        """Fall silent or speak on, after a block.

        Args:
            now: session seconds.
            speech: of the utterance that goes on, in seconds; 0: there is none.
            silence: whether the narrator is silent.
        """
        with self._lock:
            waited_for = self._opens <= now < self._pressed_until
            if speech and waited_for:
                self._pressed_until = max(self._pressed_until, now + 1.0)
            elif not speech and self._holds and now >= self._pressed_until:
                self._holds, self._calm_until = False, now + CALM
                self._release()
            if self.barge_in and not silence and speech >= INTERRUPTS and now >= self._calm_until:
                self._hold()

    def understood(self) -> None:
        """Note that what was said is on its way: acting on it lets the voice continue."""
        with self._lock:
            self._holds = False
            self._opens, self._pressed_until = inf, -inf

    def _hold(self) -> None:
        if self._voice is not None and not self._holds:
            self._holds = True
            self._voice.hold()

    def _release(self) -> None:
        if self._voice is not None:
            self._voice.release()
