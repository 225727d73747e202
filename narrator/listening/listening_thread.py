"""The narrator's ear as a thread: microphone blocks go in, transcripts reach the inbox.

What may be said changes by events that are ordered against the audio, and a transcript carries the
number of the Listen under which its utterance began: an answer to an older question is told apart.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable
from dataclasses import replace
from typing import Protocol, TypeAlias

from narrator.audio.gate import Gate
from narrator.core.commands import table
from narrator.core.effects import Listen
from narrator.core.events import PortFailed
from narrator.language.grammar.automaton import Automaton
from narrator.language.rejection import Reason, Verdict
from narrator.listening.barge_in_policy import BargeInPolicy
from narrator.listening.interpreter import Interpreter, Judged
from narrator.listening.utterance_detector import Utterance, UtteranceDetector
from narrator.ports.audio import MIC_RATE, BlockCallback, FaultCallback, Microphone, Pcm
from narrator.ports.errors import NarratorError
from narrator.ports.session import Clock, Heard, Inbox

STALE = 2.0
"""Seconds after which sound that could not be listened to in time is dropped."""
QUEUE = 64
"""Blocks that may wait: somewhat more than are ever kept."""
MOST_FAILURES = 3
"""Times in a row the recogniser may fail before it is given up."""
LATE = "This computer is too slow to hear everything: sound {lag:.1f} seconds old is left out."
GIVEN_UP = "Nothing is heard any more. Please type instead."
AGAIN = "The last words were lost. Please say them again."
NO_ECHO = "The echo canceller failed: nothing is heard any more while I speak."
WHILE_SPEAKING = table.intents(lambda command: command.over_speech)
"""What is heard while the narrator speaks, where barge-in is on."""
_PATIENCE = 1.5

MakeEar: TypeAlias = Callable[[], tuple[UtteranceDetector, Interpreter]]
"""Loads the model, which may take seconds, and joins it to meanings. Raises RecogniserError."""
OpenMicrophone: TypeAlias = Callable[[BlockCallback, FaultCallback], Microphone]
"""Opens the microphone; what fails later is told to the FaultCallback. Raises SoundError."""


class Cleaner(Protocol):
    """Takes an echo out of blocks."""

    @property
    def knows_the_room(self) -> bool:
        """Whether there is no more echo in what it gives."""
        ...

    def clean(self, block: Pcm, moment: float) -> Pcm:
        """Return a block whose last sample came at this session second, without the echo."""
        ...

    def is_own_voice(self) -> bool:
        """Whether what is left in the last blocks is the narrator's voice all the same."""
        ...


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
        self._present, self._echo = present, echo
        self._floor = floor or BargeInPolicy(None)
        self._make, self._open, self._gate = make, microphone, gate
        self._inbox, self._clock = inbox, clock
        self._wake = threading.Condition()
        self._blocks: deque[tuple[float, Pcm]] = deque(maxlen=QUEUE)
        self._listen: Listen | None = None
        self._applied: tuple[Listen, bool] | None = None
        self._closing = False
        self._able = True
        self._late = False
        self.lag = 0.0
        """Seconds by which the sound that was listened to last had had to wait."""
        self.dropped = 0
        """Blocks that were left out because they came too late, or no more fitted in."""
        self._silence = True
        self._failures = 0
        self._thread = threading.Thread(target=self._work, name="hearing", daemon=True)
        self._thread.start()

    def expect(self, listen: Listen) -> None:
        """Change what may be said, from the next utterance on; returns at once."""
        with self._wake:
            self._listen = listen
            self._wake.notify()

    def is_able(self) -> bool:
        """Whether it hears, or may hear again because its microphone was there before."""
        return self._able and self._present

    def talk(self) -> None:
        """Listen to the next utterance, whoever speaks: somebody pressed the key for it."""
        now = self._clock.now()
        self._floor.press(now, sounding=not self._gate.is_open(now))

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
        except NarratorError as fault:
            self._give_up(f"{fault} Please type instead.")
        except Exception as fault:  # a thread that dies silently would leave the table deaf
            self._give_up(f"Hearing failed ({type(fault).__name__}: {fault}). Please type instead.")
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
                for utterance in self._utterances(ear, understanding, moment, sound):
                    self._tell(ear, utterance, understanding)
                    self._failures = 0
                self._floor.mind(moment, ear.spoken, silence=self._silence)
            except Exception as fault:  # one utterance is lost, not the evening
                self._failures += 1
                if self._failures >= MOST_FAILURES:
                    raise
                self._inbox.post(PortFailed("recogniser", f"{_named(fault)} {AGAIN}"))
                ear.close()

    def _next(self) -> tuple[float, Pcm] | None:
        with self._wake:
            self._wake.wait_for(lambda: self._blocks or self._closing)
            return None if self._closing else self._blocks.popleft()

    def _expect(self, ear: UtteranceDetector, understanding: Interpreter, *, silence: bool) -> None:
        """Bring what the ear expects up to date, before the next block."""
        listen = self._listen
        if listen is None or (listen, silence) == self._applied:
            return
        self._applied = (listen, silence)
        if not silence:
            heard = tuple(e for e in listen.expectations if e.intent in WHILE_SPEAKING)
            listen = replace(listen, expectations=heard)
        asked = next((e for e in listen.expectations if e.kind != "command"), None)
        grammar = understanding.grammar(listen) if listen.expectations else None
        ear.expect(
            grammar.automaton if grammar else Automaton(((),), frozenset()),
            asked.kind if asked else "command",
            free=grammar is not None and grammar.is_free,
            undoable=asked is None or asked.undoable,
            tag=listen,
        )

    def _utterances(
        self, ear: UtteranceDetector, understanding: Interpreter, moment: float, sound: Pcm
    ) -> list[Utterance]:
        """Let the ear hear a block, unless it is old or holds the narrator's own voice."""
        self.lag = self._clock.now() - moment
        late = self.lag > STALE
        self.dropped += late
        begin = moment - len(sound) / MIC_RATE
        if late and not self._late:
            self._inbox.post(PortFailed("recogniser", LATE.format(lag=self.lag)))
        self._late = self._late or late
        silence = self._silence = self._gate.hears(begin, moment)
        cleaned = self._cleaned(sound, moment)
        unheard = not self._floor.hears(begin, silence=silence)
        blind = not silence and self._is_blind() and not self._floor.is_pressed(begin)
        # While the narrator asks is the time to compile what may be answered.
        whole = silence or unheard or blind or self._floor.is_pressed(begin)
        self._expect(ear, understanding, silence=whole)
        if late or unheard or blind:
            ear.close()
            return []
        ear.open()
        utterances = ear.hear(sound if silence else cleaned)
        if not silence and (ear.hearing or utterances) and self._is_echo():
            ear.close()
            return []
        return utterances

    def _cleaned(self, sound: Pcm, moment: float) -> Pcm:
        """Return the sound without the narrator's voice; without a canceller, as it came."""
        if self._echo is None:
            return sound
        try:
            return self._echo.clean(sound, moment)
        except Exception:  # whatever a library does, the table is not deaf because of it
            self._echo, self._floor.barge_in = None, False
            self._inbox.post(PortFailed("echo", NO_ECHO))
            return sound

    def _is_echo(self) -> bool:
        """Whether what seems to be a player is the narrator all the same."""
        return self._echo is not None and not self._floor.holds and self._echo.is_own_voice()

    def _is_blind(self) -> bool:
        """Whether the narrator's voice cannot be told from a player's yet."""
        return self._echo is not None and not self._echo.knows_the_room

    def _tell(
        self, ear: UtteranceDetector, utterance: Utterance, understanding: Interpreter
    ) -> None:
        listen = utterance.expected.tag
        if not isinstance(listen, Listen):
            return
        judged = understanding.judged(listen, utterance.hypothesis)
        transcript = judged.transcript
        whole = self._listen is not None and listen.expectations == self._listen.expectations
        # While the narrator speaks, what is unclear may well be itself: nobody is asked again.
        if transcript is not None and transcript.meaning is None and not whole:
            verdict = Verdict("ignored", Reason.WHILE_SPEAKING, judged.verdict.confidence)
            judged = Judged(None, judged.hypothesis, verdict)
        if judged.transcript is not None:
            self._floor.understood()
        self._inbox.post(heard(judged, utterance, listen, self._clock.now() - ear.seconds))

    def _fault(self, message: str, recovered: bool) -> None:
        if not self._present and not recovered:
            return
        self._inbox.post(PortFailed("microphone", message, recovered))

    def _give_up(self, message: str) -> None:
        self._able = False
        self._inbox.post(PortFailed("recogniser", message))


def heard(judged: Judged, utterance: Utterance, listen: Listen, begun: float) -> Heard:
    """Return what there is to tell of an utterance.

    Args:
        judged: What was made of it.
        utterance: When it was, in seconds of the ear's own.
        listen: What was listened for.
        begun: Session seconds at which the ear's own seconds begin.
    """
    found, verdict = judged.hypothesis, judged.verdict
    return Heard(
        begun + utterance.end,
        begun + utterance.start,
        begun + utterance.start + found.seconds,
        found.text,
        verdict.state,
        verdict.reason or "",
        found.score,
        found.margin,
        found.stands_out,
        listen.step,
        utterance.decode,
        judged.transcript,
    )


def _named(fault: Exception) -> str:
    if isinstance(fault, NarratorError):
        return str(fault)
    return f"The recogniser failed ({type(fault).__name__})."
