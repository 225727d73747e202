"""A voice and a loudspeaker that take time and make no sound."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import numpy as np

from narrator.ports.audio import SPEAKER_RATE, Bus, Clip, Pcm, Played, PlayedCallback
from narrator.ports.errors import SynthesiserError
from narrator.ports.session import Clock
from narrator.ports.speech import Voice
from narrator.speaking.cache import Line, Rendered
from narrator.speaking.line import length_of

Begun = Callable[[Clip, float], None]
"""Called with a clip and the session second at which its first sample is heard."""
_SILENCE = np.zeros(1, np.int16)


class TimedVoices:
    """Renders every line as a silence of the line's length."""

    def __init__(self) -> None:
        self.rendered: list[Line] = []
        """What was asked for, in order: texts, each with how it was to sound."""

    def fetch(self, text: str, voice: Voice, done: Rendered) -> None:
        """Render a line at once."""
        self.rendered.append((text, voice))
        done(silence(length_of(text, voice)))

    def prepare(
        self, lines: Iterable[Line], failed: Callable[[SynthesiserError], None] | None = None
    ) -> None:
        """Need nothing ahead: every line is there at once."""

    def close(self) -> None:
        """Do nothing: there is nothing to end."""


def silence(seconds: float) -> Pcm:
    """Return silence that takes no memory."""
    return np.broadcast_to(_SILENCE, (round(seconds * SPEAKER_RATE),))


class TimedPlayer:
    """A Player whose clips last as long as they are, on any clock; `tick` reports what is over."""

    def __init__(self, clock: Clock, stretch: float = 1.0) -> None:
        """Stop speaking.

        Args:
            clock: what the clips are played by.
            stretch: how many times as long as its samples a clip takes: a bad estimate's test.
        """
        self._clock, self._stretch = clock, stretch
        self._waiting: list[tuple[float, float, Clip]] = []
        """Clips whose first sample is still to come: begin, end, clip."""
        self._playing: list[tuple[float, float, Clip]] = []
        self.report: PlayedCallback = _ignore
        self.begun: Begun = _begun
        self.clips: list[Clip] = []
        self.hushed: list[float] = []
        """When it was told to be silent."""
        self.gains: dict[Bus, float] = {}
        self.covered = False
        self.held = False
        """Whether speech is to wait; it goes on here all the same."""
        self.closed = False
        self.dead = False
        """A dead player takes clips and never reports."""

    def play(self, clip: Clip) -> None:
        """Queue a clip behind those of its bus, or at its moment."""
        self.clips.append(clip)
        before = [end for _, end, c in (*self._playing, *self._waiting) if c.bus == clip.bus]
        begin = max([self._clock.now(), *before])
        if clip.heard_at is not None:
            begin = max(self._clock.now(), clip.heard_at)
        elif clip.at is not None:
            begin = max(begin, clip.at / SPEAKER_RATE)
        end = begin + clip.pcm.size / SPEAKER_RATE * self._stretch
        self._waiting.append((begin, end, clip))
        self._begin()

    def hush(self) -> None:
        """Cut the voice."""
        now = self._clock.now()
        self.hushed.append(now)
        cut = [p for p in (*self._playing, *self._waiting) if p[2].bus == "voice"]
        self._playing = [p for p in self._playing if p[2].bus != "voice"]
        self._waiting = [p for p in self._waiting if p[2].bus != "voice"]
        for begin, _, clip in cut:
            self.report(Played(clip.utterance, max(0.0, now - begin), complete=False))

    def hold(self, on: bool) -> None:
        """Note whether speech is to wait."""
        self.held = on

    def cover(self, on: bool) -> None:
        """Note whether there is masking sound."""
        self.covered = on

    def volume(self, bus: Bus, gain: float) -> None:
        """Note a gain."""
        self.gains[bus] = gain

    def position(self) -> int:
        """Return the clock in samples."""
        return round(self._clock.now() * SPEAKER_RATE)

    def close(self) -> None:
        """Report what plays as cut."""
        self.hush()
        self.closed = True

    def next_moment(self) -> float | None:
        """Return when the next clip begins or is over."""
        if self.dead or not (self._playing or self._waiting):
            return None
        marks = [end for _, end, _ in self._playing] + [begin for begin, _, _ in self._waiting]
        return min(marks)

    def tick(self) -> None:
        """Report the clips that are over by now, and begin what is due."""
        if self.dead:
            return
        now = self._clock.now() + 1e-9
        over = [p for p in self._playing if p[1] <= now]
        if over:
            self._playing = [p for p in self._playing if p[1] > now]
        for begin, end, clip in sorted(over, key=lambda p: p[1]):
            self.report(Played(clip.utterance, end - begin, complete=True))
        self._begin()

    def _begin(self) -> None:
        now = self._clock.now() + 1e-9
        due = [p for p in self._waiting if p[0] <= now]
        if not due:
            return
        self._waiting = [p for p in self._waiting if p[0] > now]
        self._playing += due
        for begin, _, clip in due:
            self.begun(clip, begin)


def _ignore(_end: Played) -> None:
    """Do nothing: the default until a callback is set."""


def _begun(_clip: Clip, _at: float) -> None:
    """Do nothing: the default until a callback is set."""
