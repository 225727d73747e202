"""From microphone blocks to utterances: the gate, the voice detector, the endpoint, the recogniser.

There is no clock and no thread in here: seconds are counted in samples, so a recording gives the
same utterances as the microphone did.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, replace
from statistics import median
from typing import TypeVar

import numpy as np

from narrator.core.expect import AnswerKind
from narrator.language.grammar.automaton import Automaton
from narrator.language.rejection import BABBLE, NOISY
from narrator.listening.endpointing import LIMITS, Endpointer, Limits
from narrator.listening.foreground import Foreground
from narrator.listening.front_end import QUIET, FrontEnd, LevelMeter
from narrator.listening.guard_time import GuardTime
from narrator.listening.loudest_part import SoundOf
from narrator.ports.audio import MIC_RATE, Pcm, VoiceDetector
from narrator.ports.recognition import Hypothesis, Recogniser

_Decided = TypeVar("_Decided")

PRE_ROLL = 0.3
"""Seconds before the first speech that belong to it: soft consonants, and the room's noise."""
AHEAD = 0.35
"""Seconds before the endpoint at which the recogniser decides already, so that nobody waits."""
SOONEST = 0.16
"""Seconds of silence before that makes sense: between words there is less."""
WHOLE: frozenset[AnswerKind] = frozenset({"seats", "points", "names", "sentence"})
"""Answers that are never looked at in part: "dee and eve did" became "eve did"."""
FURTHER = 8.0
"""Decibels by which an answer may be softer than the usual one."""
FEWEST = 3
"""Answers after which it is known how loud they are here."""
SURE = 0.5
"""Score above which the whole utterance is believed to be the answer, with any engine."""
_BEGIN = 0.5
_GO_ON = 0.35


@dataclass(frozen=True, slots=True)
class Expected:
    """What an utterance is listened for as."""

    grammar: Automaton
    kind: AnswerKind
    free: bool = False
    undoable: bool = True
    tag: object = None
    """Anything of the caller's, to tell under which expectations something was heard."""
    own_limits: Limits | None = None
    """Instead of those of its kind."""

    @property
    def limits(self) -> Limits:
        """When such an utterance begins and ends."""
        return self.own_limits or LIMITS["free" if self.free else self.kind]


@dataclass(frozen=True, slots=True)
class Utterance:
    """Something that was said, from its first sound to its endpoint."""

    hypothesis: Hypothesis
    expected: Expected
    start: float
    """Seconds of audio since the ear was made, pre-roll excluded."""
    end: float
    """Seconds of audio at the endpoint."""
    speech: float
    """Seconds in which the detector heard speech."""
    too_long: bool = False
    """It went on beyond the longest answer and was not decoded."""
    decode: float = 0.0
    """Seconds the recogniser took to decide, ahead of the endpoint or after; 0 without a stopwatch.
    """


class UtteranceDetector:
    """Hears utterances in a stream of blocks. Used from one thread."""

    def __init__(
        self,
        recogniser: Recogniser,
        detector: VoiceDetector,
        *,
        stopwatch: Callable[[], float] | None = None,
    ) -> None:
        """Join a recogniser and a detector; the gate is open, and nothing is expected yet.

        Args:
            recogniser: Decides what was said.
            detector: Finds where something was said.
            stopwatch: Gives seconds, only to measure how long decoding takes.
        """
        self._recogniser = recogniser
        self._detector = detector
        self._stopwatch = stopwatch or (lambda: 0.0)
        self._front = FrontEnd()
        self._meter = LevelMeter()
        self._endpointer = Endpointer()
        self._foreground = Foreground(detector.frame)
        self._rest = np.zeros(0, np.int16)
        keep = int((PRE_ROLL + self._endpointer.limits.speech) * MIC_RATE / detector.frame) + 1
        self._pre_roll: deque[Pcm] = deque(maxlen=keep)
        self._samples = 0
        self._next: Expected | None = None
        self._now: Expected | None = None
        self._start = 0.0
        self._speech = 0.0
        self._too_long = False
        self._ahead: Hypothesis | None = None
        self._took = 0.0
        self._sound = SoundOf(detector.frame)
        self._guard = GuardTime()
        self._after = 0
        """Frames since the last utterance ended."""
        self._answers: deque[float] = deque(maxlen=12)
        self.is_open = True
        """Whether sound gets in; it is counted in any case."""
        self.partial = ""
        """Text of the utterance that goes on, where the engine has one."""

    @property
    def seconds(self) -> float:
        """Seconds of audio taken so far, with the gate open or not."""
        return self._samples / MIC_RATE

    @property
    def level(self) -> float:
        """Level of the last sound, dB of full scale."""
        return self._meter.level

    @property
    def noise(self) -> float:
        """Level of the room when nobody speaks, dB of full scale."""
        return self._meter.noise

    @property
    def hearing(self) -> bool:
        """Whether an utterance has begun and not ended."""
        return self._endpointer.inside

    @property
    def spoken(self) -> float:
        """Seconds of speech in the utterance that goes on; 0 where there is none."""
        return self._speech if self.hearing else 0.0

    def expect(
        self,
        grammar: Automaton,
        kind: AnswerKind,
        *,
        free: bool = False,
        undoable: bool = True,
        tag: object = None,
        limits: Limits | None = None,
    ) -> None:
        """Listen for this from the next utterance on; one that has begun is not disturbed."""
        self._next = Expected(grammar, kind, free or kind == "free", undoable, tag, limits)
        if not self.hearing:
            self._endpointer.reset(self._next.limits)

    def open(self) -> None:
        """Let sound in from the next block on, and speech of the guard time that still goes on."""
        if self.is_open:
            return
        self._forget()
        self.is_open = True
        early = self._guard.take(self._detector)
        if early.size:
            self._samples -= len(early)
            self.hear(early)

    def close(self) -> None:
        """Shut the gate: what was begun or waiting is dropped."""
        self.is_open = False
        self._guard.clear()
        self._forget()

    def wait(self, block: Pcm) -> None:
        """Take a block of the guard time, while the gate is still shut."""
        if self.is_open:
            self.close()
        self._guard.add(block)
        self.hear(block)

    def forget(self) -> None:
        """Forget the room and who spoke in it: what follows is another recording."""
        self._answers.clear()
        self._foreground.reset()
        self._forget()

    def hear(self, block: Pcm) -> list[Utterance]:
        """Take the next block (16 kHz mono, any length); return the utterances that ended in it."""
        self._samples += len(block)
        if not self.is_open or self._next is None:
            self._meter.feed(block, speech=True)
            return []
        sound = np.concatenate([self._rest, self._front.feed(block)])
        size = self._detector.frame
        whole = len(sound) // size * size
        self._rest = sound[whole:]
        behind = self._samples - len(self._rest) - whole
        ended = [
            self._frame(sound[at : at + size], (behind + at + size) / MIC_RATE)
            for at in range(0, whole, size)
        ]
        return [utterance for utterance in ended if utterance is not None]

    def _frame(self, frame: Pcm, now: float) -> Utterance | None:
        speech = self._is_speech(frame)
        self._meter.feed(frame, speech=speech)
        self._foreground.feed(frame, speech=speech)
        if self._now is not None and speech:
            if self._foreground.speaks_up() and not (self._too_long or self._now.free):
                self._follow_nearer(now, self._now)
            speech = self._foreground.is_near
        seconds = len(frame) / MIC_RATE
        edge = self._endpointer.process(seconds, speech)
        if edge == "begin" and self._next is not None:
            self._begin(now, self._next)
        self._speech += seconds * speech
        if edge == "too long":
            self._give_up()
        self._keep(frame, speech=speech)
        if edge == "" and self._now is not None:
            self._think_ahead(self._now, speech=speech)
        if self._now is not None and (edge == "end" or (self._too_long and self._now.free)):
            return self._end(now, self._now)
        return None

    def _is_speech(self, frame: Pcm) -> bool:
        # Digital silence needs no detector: a muted microphone costs nothing.
        if not frame.any():
            return False
        return self._detector.probability(frame) >= (_GO_ON if self.hearing else _BEGIN)

    def _follow_nearer(self, now: float, expected: Expected) -> None:
        """Follow the nearer voice from here: what was kept so far was other people's talk."""
        self._recogniser.reset()
        self._endpointer.lengthen()
        room = self._foreground.room
        self._hear_from(now, expected, room if room > QUIET else None)

    def _begin(self, now: float, expected: Expected) -> None:
        self._foreground.begin()
        self._hear_from(now, expected)

    def _hear_from(self, now: float, expected: Expected, babble: float | None = None) -> None:
        self._now = expected
        self._recogniser.expect(expected.grammar, free=expected.free)
        self._start = now - self._endpointer.limits.speech
        self._speech = self._endpointer.limits.speech
        earlier = list(self._pre_roll)
        levels = self._foreground.levels(len(earlier))
        self._sound.begin(earlier, levels, self._speech, babble, self._after)
        for kept in earlier:
            self._recogniser.accept(kept)

    def _keep(self, frame: Pcm, *, speech: bool) -> None:
        self._pre_roll.append(frame)
        self._after += 1
        if self._now is not None and not self._too_long:
            self._sound.add(frame, self._foreground.level, speech=speech)
            self.partial = self._recogniser.accept(frame)

    def _think_ahead(self, expected: Expected, *, speech: bool) -> None:
        """Decide while the endpoint is waited for; more speech makes that void."""
        if speech or self._too_long:
            self._ahead = None
        elif self._ahead is None:
            after = max(SOONEST, expected.limits.silence - AHEAD)
            if self._endpointer.silence >= after - 1e-9:
                self._ahead = self._timed(lambda: self._guess(expected))

    def _guess(self, expected: Expected) -> Hypothesis | None:
        first = self._recogniser.guess()
        part = self._part(first, expected) if first else None
        if first is None or part is None:
            return first
        found = self._look_at(part, first, expected)
        # More speech may follow after all.
        self._listen_to(self._sound.frames, expected)
        return found

    def _finish(self, expected: Expected) -> Hypothesis:
        first = self._recogniser.finish()
        part = self._part(first, expected)
        return first if part is None else self._look_at(part, first, expected)

    def _part(self, first: Hypothesis, expected: Expected) -> list[Pcm] | None:
        """Return the louder part of an utterance that fits nothing well as a whole."""
        whole = first.score >= SURE or expected.free or expected.kind in WHOLE
        return None if whole else self._sound.louder_part()

    def _look_at(self, part: list[Pcm], first: Hypothesis, expected: Expected) -> Hypothesis:
        """Decide on a part alone.

        It is taken only where it fits well: what fits badly either way is judged as before.
        """
        self._listen_to(part, expected)
        second = self._recogniser.finish()
        return replace(second, is_part=True) if second.score >= SURE else first

    def _listen_to(self, frames: list[Pcm], expected: Expected) -> None:
        self._recogniser.reset()
        self._recogniser.expect(expected.grammar, free=expected.free)
        for frame in frames:
            self._recogniser.accept(frame)

    def _give_up(self) -> None:
        self._too_long = True
        self._foreground.give_up()
        if self._now is not None and not self._now.free:
            self._recogniser.reset()

    def _end(self, now: float, expected: Expected) -> Utterance:
        given_up = self._too_long and not expected.free
        seconds = now - self._start
        unheard = Hypothesis("", seconds=seconds, is_too_long=True)
        hypothesis = unheard if given_up else self._decided(expected)
        hypothesis = replace(hypothesis, stands_out=self._stands_out())
        if hypothesis.score >= SURE:
            self._answers.append(self._sound.loudest)
        took = self._took
        start, speech = self._start, self._speech
        self._restart()
        return Utterance(hypothesis, expected, start, now, speech, given_up, took)

    def _stands_out(self) -> float:
        """Return the decibels by which it stands out, less where answers are usually much louder.

        Somebody's word from another room may have silence around it too. Who speaks softly is
        still heard: that alone makes nobody part of babble.
        """
        loudest = self._sound.loudest
        usual = median(self._answers) if len(self._answers) >= FEWEST else loudest
        further = max(0.0, usual - loudest - FURTHER)
        clear = self._sound.stands_out()
        return min(clear, max(BABBLE, NOISY - further)) if further else clear

    def _decided(self, expected: Expected) -> Hypothesis:
        if self._ahead is None:
            return self._timed(lambda: self._finish(expected))
        self._recogniser.reset()
        return self._ahead

    def _timed(self, decide: Callable[[], _Decided]) -> _Decided:
        begun = self._stopwatch()
        decided = decide()
        self._took = self._stopwatch() - begun
        return decided

    def _restart(self) -> None:
        self._now = None
        self._after = 0
        self._foreground.end()
        self._ahead = None
        self._took = 0.0
        self._too_long = False
        self._speech = 0.0
        self.partial = ""
        if self._next is not None:
            self._endpointer.reset(self._next.limits)

    def _forget(self) -> None:
        if self._now is not None:
            self._recogniser.reset()
        self._detector.reset()
        self._front = FrontEnd()
        self._rest = np.zeros(0, np.int16)
        self._pre_roll.clear()
        self._foreground.pause()
        self._endpointer.reset()
        self._restart()
