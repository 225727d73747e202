"""The narrator's ear as a thread: microphone blocks go in, transcripts reach the inbox.

What may be said changes by events that are ordered against the audio, and a transcript carries the
number of the Listen under which its utterance began: an answer to an older question is told apart.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable
from typing import TypeAlias

from narrator.audio.gate import Gate
from narrator.core.effects import Listen
from narrator.listening.barge_in_policy import BargeInPolicy
from narrator.listening.interpreter import Interpreter
from narrator.listening.listener import Cleaner, Listener
from narrator.listening.utterance_detector import UtteranceDetector
from narrator.ports.audio import BlockCallback, FaultCallback, Microphone, Pcm
from narrator.ports.errors import PlayError, RecogniserError, SoundError
from narrator.ports.faults import FaultCode, Then
from narrator.ports.session import Clock, Inbox

STALE = 2.0
"""Seconds after which sound that could not be listened to in time is dropped."""
QUEUE = 64
"""Blocks that may wait: somewhat more than are ever kept."""
MOST_FAILURES = 3
"""Times in a row the recogniser may fail before it is given up."""
_PATIENCE = 1.5

MakeEar: TypeAlias = Callable[[], tuple[UtteranceDetector, Interpreter]]
"""Loads the model, which may take seconds, and joins it to meanings. Raises RecogniserError."""
OpenMicrophone: TypeAlias = Callable[[BlockCallback, FaultCallback], Microphone]
"""Opens the microphone; what fails later is told to the FaultCallback. Raises SoundError."""


class ListeningThread:
    """Hears until it is closed, or given up; never the reason for anything to wait.

    Args:
        make: makes the ear, in the thread that hears, so that the first line waits for nothing.
        microphone: opens the device once the ear is there, so that no sound has to wait for it.
        gate: says what is not to be heard because the narrator speaks.
        present: whether there is a microphone now; if not, it is used as soon as there is one, and
            the table knows already that there is none.
        floor: says who may speak; None: nobody while the narrator does.
        echo: takes the narrator's voice out of what the microphone hears; None: it is not in there,
            or nothing is heard while it speaks.
    """

    def __init__(
        self,
        make: MakeEar,
        microphone: OpenMicrophone,
        gate: Gate,
        inbox: Inbox,
        clock: Clock,
        *,
        present: bool = True,
        floor: BargeInPolicy | None = None,
        echo: Cleaner | None = None,
    ) -> None:
        self._present = present
        self._listener = Listener(gate, inbox, floor or BargeInPolicy(None), echo)
        self._make, self._open = make, microphone
        self._inbox, self._clock = inbox, clock
        self._wake = threading.Condition()
        self._blocks: deque[tuple[float, Pcm]] = deque(maxlen=QUEUE)
        self._listen: Listen | None = None
        self._closing = False
        self._able = True
        self._late = False
        self.lag = 0.0
        """Seconds by which the sound that was listened to last had had to wait."""
        self.dropped = 0
        """Blocks that were left out because they came too late, or no more fitted in."""
        self._failures = 0
        self._thread = threading.Thread(target=self._work, name="hearing", daemon=True)
        self._thread.start()

    def expect(self, listen: Listen) -> None:
        """Change what may be said, from the next utterance on; returns at once."""
        with self._wake:
            self._listen = listen
            self._listener.expect(listen)
            self._wake.notify()

    def is_able(self) -> bool:
        """Whether it hears, or may hear again because its microphone was there before."""
        return self._able and self._present

    def talk(self) -> None:
        """Listen to the next utterance, from any speaker: somebody pressed the key for it."""
        self._listener.press(self._clock.now())

    def close(self) -> None:
        """Stop hearing and give the microphone back."""
        with self._wake:
            self._closing = True
            self._wake.notify()
        self._thread.join(_PATIENCE)

    def block(self, sound: Pcm) -> None:
        """Take a block from the microphone; only queues."""
        with self._wake:
            self._present = True
            self.dropped += len(self._blocks) == QUEUE  # the queue drops its oldest
            self._blocks.append((self._clock.now(), sound))
            self._wake.notify()

    def _work(self) -> None:
        microphone: Microphone | None = None
        try:
            self._await_first_line()
            ear, understanding = self._make()
            microphone = None if self._closing else self._open(self.block, self._fault)
            self._hear(ear, understanding)
        except Exception as fault:  # a thread that dies silently would leave the table deaf
            self._give_up(_as_fault(fault))
        finally:
            self._able = False
            if microphone is not None:
                microphone.close()

    def _await_first_line(self) -> None:
        """Leave the processor to the first line: loading a model is heavy, and not yet needed."""
        with self._wake:
            self._wake.wait_for(lambda: self._listen is not None or self._closing)

    def _hear(self, ear: UtteranceDetector, understanding: Interpreter) -> None:
        while (item := self._next()) is not None:
            moment, sound = item
            try:
                late = self._is_late(moment)
                if self._listener.hear(ear, understanding, moment, sound, late=late):
                    self._failures = 0
            except Exception as fault:  # one utterance is lost, not the evening
                self._failures += 1
                if self._failures >= MOST_FAILURES:
                    raise
                self._inbox.post(_as_fault(fault).event("recogniser", then=Then.SAY_AGAIN))
                ear.close()

    def _next(self) -> tuple[float, Pcm] | None:
        with self._wake:
            self._wake.wait_for(lambda: self._blocks or self._closing)
            return None if self._closing else self._blocks.popleft()

    def _is_late(self, moment: float) -> bool:
        """Whether a block had to wait for too long; the table is told once."""
        self.lag = self._clock.now() - moment
        late = self.lag > STALE
        self.dropped += late
        if late and not self._late:
            told = RecogniserError(FaultCode.HEARING_LATE, seconds=round(self.lag, 1))
            self._inbox.post(told.event("recogniser"))
        self._late = self._late or late
        return late

    def _fault(self, fault: SoundError, recovered: bool) -> None:
        if not self._present and not recovered:
            return
        self._inbox.post(fault.event("microphone", recovered=recovered))

    def _give_up(self, fault: PlayError) -> None:
        self._able = False
        self._inbox.post(fault.event("recogniser", then=Then.TYPE))


def _as_fault(fault: Exception) -> PlayError:
    if isinstance(fault, PlayError):
        return fault
    return RecogniserError(FaultCode.RECOGNISER_CRASHED, kind=type(fault).__name__)
