"""Ports without hardware, for tests of the loop; they keep their promises on any clock."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence

import numpy as np

from narrator.adapters.system.inbox import ThreadInbox
from narrator.core.events import Event
from narrator.language.grammar.automaton import Automaton
from narrator.ports.audio import SPEAKER_RATE, Bus, Clip, Pcm, Played, PlayedCallback
from narrator.ports.errors import SynthesiserError
from narrator.ports.recognition import BELIEVED, Hypothesis
from narrator.ports.session import Clock, Heard, LineBegun, Shown, Update
from narrator.ports.speech import Voice
from narrator.simulation.clock import VirtualClock


class ListScreen:
    """A Screen that keeps its lines."""

    def __init__(self) -> None:
        """Begin empty."""
        self.lines: list[str] = []

    def line(self, text: str) -> None:
        """Keep one line."""
        self.lines.append(text)

    def observe(self, update: Update) -> None:
        """Keep what is said or shown."""
        if isinstance(update, (LineBegun, Shown)):
            self.line(update.text)


class TimedPlayer:
    """A Player whose clips last as long as they are, on any clock; `tick` reports what is over."""

    def __init__(self, clock: Clock, stretch: float = 1.0) -> None:
        """Be silent.

        Args:
            clock: what the clips are played by.
            stretch: how many times as long as its samples a clip takes: a bad estimate's test.
        """
        self._clock, self._stretch = clock, stretch
        self._playing: list[tuple[float, float, Clip]] = []
        self.report: PlayedCallback = _ignore
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
        """Queue a clip behind those of its bus."""
        self.clips.append(clip)
        ends = [end for _, end, other in self._playing if other.bus == clip.bus]
        begin = max([self._clock.now(), *ends])
        if clip.at is not None:
            begin = max(begin, clip.at / SPEAKER_RATE)
        end = begin + clip.pcm.size / SPEAKER_RATE * self._stretch
        self._playing.append((begin, end, clip))

    def hush(self) -> None:
        """Cut the voice."""
        now = self._clock.now()
        self.hushed.append(now)
        cut = [p for p in self._playing if p[2].bus == "voice"]
        self._playing = [p for p in self._playing if p[2].bus != "voice"]
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

    def next_end(self) -> float | None:
        """Return when the next clip is over."""
        return None if self.dead else min((end for _, end, _ in self._playing), default=None)

    def tick(self) -> None:
        """Report the clips that are over by now."""
        now = self._clock.now()
        over = [p for p in self._playing if p[1] <= now + 1e-9 and not self.dead]
        self._playing = [p for p in self._playing if p not in over]
        for begin, end, clip in sorted(over, key=lambda p: p[1]):
            self.report(Played(clip.utterance, end - begin, complete=True))


class VirtualInbox(ThreadInbox):
    """The real inbox on a virtual clock: instead of waiting it moves time to what happens next."""

    def __init__(self, clock: VirtualClock, player: TimedPlayer) -> None:
        """Move this clock, and let this player report."""
        super().__init__()
        self._clock, self._player = clock, player
        self.later: list[tuple[float, Callable[[], None]]] = []
        """What happens by itself: session seconds, and what."""

    def take(self, timeout: float | None) -> Event | Heard | None:
        """Return the next event, having moved time at most `timeout` on."""
        end = self._clock.now() + (3600.0 if timeout is None else timeout)
        while (event := super().take(0)) is None and self._clock.now() < end:
            self._move(end)
        return event

    def _move(self, end: float) -> None:
        marks = [self._player.next_end(), *(moment for moment, _ in self.later)]
        following = min((mark for mark in marks if mark is not None), default=end)
        self._clock.advance_to(min(end, following))
        self._player.tick()
        now = self._clock.now()
        due = [item for item in self.later if item[0] <= now]
        self.later = [item for item in self.later if item[0] > now]
        for _, happen in due:
            happen()


class ToneSynthesiser:
    """A Synthesiser that hums: a line is as long as its letters; some lines fail, or never end."""

    name = "tone"

    def __init__(self, per_character: float = 0.06) -> None:
        """Hum so many seconds a character."""
        self._per_character = per_character
        self.rendered: list[tuple[str, Voice]] = []
        self.fails: Callable[[str], bool] = _never
        self.hang: Callable[[str], None] = _pass
        """Called with each line; one that waits there is a synthesiser that hangs."""
        self.closed = False

    def render(self, text: str, voice: Voice) -> Pcm:
        """Return a tone of the line's length. Raises SynthesiserError where it is told to."""
        self.rendered.append((text, voice))
        self.hang(text)
        if self.fails(text):
            raise SynthesiserError("The voice gave no sound for a line.")
        count = max(1, round(len(text) * self._per_character * SPEAKER_RATE))
        wave = 6000 * np.sin(2 * np.pi * 220 * np.arange(count) / SPEAKER_RATE)
        return wave.astype(np.int16)

    def key(self, text: str, voice: Voice) -> str:
        """Return the name: there is one engine."""
        return self.name

    def close(self) -> None:
        """Note the end."""
        self.closed = True


class ScriptedRecogniser:
    """A Recogniser that hears what it is told to, whatever it is given."""

    name = "scripted"
    language = "en"
    traits = BELIEVED

    def __init__(self, texts: Sequence[str] = ()) -> None:
        """Hear these texts, one an utterance, the last one for ever."""
        self.texts = deque(texts)
        self.expected: list[Automaton] = []
        self.fails = False

    def expect(self, grammar: Automaton, *, free: bool = False) -> None:
        """Note the grammar."""
        self.expected.append(grammar)

    def accept(self, block: Pcm) -> str:
        """Return no partial text."""
        return ""

    def guess(self) -> None:
        """Never decide ahead."""
        return None

    def finish(self) -> Hypothesis:
        """Return the next text. Raises RuntimeError where it is told to."""
        if self.fails:
            raise RuntimeError("the decoder fell over")
        text = self.texts.popleft() if len(self.texts) > 1 else self.texts[0] if self.texts else ""
        return Hypothesis(text, seconds=1.0)

    def reset(self) -> None:
        """Have nothing to forget."""

    def knows_word(self, word: str) -> bool:
        """Know every word."""
        return True

    def close(self) -> None:
        """Have nothing to give back."""


def _ignore(_end: Played) -> None:
    """Stand in until somebody wants to be told."""


def _never(_text: str) -> bool:
    return False


def _pass(_text: str) -> None:
    """Hang not at all."""
