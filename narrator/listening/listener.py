"""Hears block by block: who has the floor, what is expected, what was said and how sure that is.

No thread and no clock of its own: a thread feeds it from a microphone, a rehearsal from a room.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Protocol

from narrator.audio.gate import Gate
from narrator.core.commands import table
from narrator.core.effects import Listen
from narrator.language.grammar.automaton import Automaton
from narrator.language.rejection import Reason, Verdict
from narrator.listening.barge_in_policy import BargeInPolicy
from narrator.listening.interpreter import Interpreter, Judged
from narrator.listening.utterance_detector import Utterance, UtteranceDetector
from narrator.ports.audio import MIC_RATE, Pcm
from narrator.ports.errors import SoundError
from narrator.ports.faults import FaultCode
from narrator.ports.session import Heard, Inbox

WHILE_SPEAKING = table.intents(lambda command: command.over_speech)
"""What is heard while the narrator speaks, where barge-in is on."""
SELDOM = 5.0
"""Seconds in which a table is told once, at most, that something was heard and fits nothing."""


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


class Listener:
    """Makes of sound what was said.

    Args:
        gate: says what is not to be heard because the narrator speaks.
        floor: says who may speak.
        echo: takes the narrator's voice out of what the microphone hears; None: it is not in there,
            or nothing is heard while it speaks.
    """

    def __init__(
        self, gate: Gate, inbox: Inbox, floor: BargeInPolicy, echo: Cleaner | None = None
    ) -> None:
        self._gate, self._inbox, self._floor, self._echo = gate, inbox, floor, echo
        self._applied: tuple[Listen, bool] | None = None
        self._listen: Listen | None = None
        self._silence = True
        self._commented = -SELDOM
        """Seconds of the ear's own at which the table was last told that it was not understood."""

    def expect(self, listen: Listen) -> None:
        """Change what may be said, from the next utterance on; from any thread."""
        self._listen = listen

    def press(self, now: float) -> None:
        """Listen to the next utterance, from any speaker; may be called from any thread."""
        self._floor.press(now, sounding=not self._gate.is_open(now))

    def hear(
        self,
        ear: UtteranceDetector,
        understanding: Interpreter,
        moment: float,
        sound: Pcm,
        *,
        late: bool = False,
    ) -> int:
        """Take a block; post what was said in it, and return how many utterances ended in it.

        Args:
            ear: finds utterances.
            understanding: what they mean.
            moment: session seconds of its last sample.
            sound: the block.
            late: whether it is too old to be listened to.
        """
        utterances = self._utterances(ear, understanding, moment, sound, late=late)
        for utterance in utterances:
            self._tell(utterance, understanding, moment - ear.seconds)
        self._floor.mind(moment, ear.spoken, silence=self._silence)
        return len(utterances)

    def _expect(self, ear: UtteranceDetector, understanding: Interpreter, *, silence: bool) -> None:
        """Bring what the ear expects up to date, before the next block."""
        listen = self._listen
        if listen is None or (listen, silence) == self._applied:
            return
        self._applied = (listen, silence)
        if not silence:
            heard = tuple(e for e in listen.expectations if e.intent in WHILE_SPEAKING)
            listen = replace(listen, expectations=heard)
        asked = next(iter(listen.answers), None)
        grammar = understanding.grammar(listen) if listen.expectations else None
        ear.expect(
            grammar.automaton if grammar else Automaton(((),), frozenset()),
            asked.kind if asked else "command",
            free=grammar is not None and grammar.is_free,
            undoable=asked is None or asked.undoable,
            tag=listen,
        )

    def _utterances(
        self,
        ear: UtteranceDetector,
        understanding: Interpreter,
        moment: float,
        sound: Pcm,
        *,
        late: bool,
    ) -> list[Utterance]:
        """Pass a block to the detector, unless it is old or holds the narrator's own voice."""
        begin = moment - len(sound) / MIC_RATE
        silence = self._silence = self._gate.hears(begin, moment)
        cleaned = self._cleaned(sound, moment)
        unheard = not self._floor.hears(begin, silence=silence)
        blind = not silence and self._is_blind() and not self._floor.is_pressed(begin)
        # While the narrator asks is the time to compile what may be answered.
        whole = silence or unheard or blind or self._floor.is_pressed(begin)
        self._expect(ear, understanding, silence=whole)
        if late or unheard or blind:
            if self._gate.is_fading(begin) and self._floor.hears(begin, silence=True) and not late:
                ear.wait(sound)
            else:
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
            self._inbox.post(SoundError(FaultCode.ECHO_CANCELLER_FAILED).event("echo"))
            return sound

    def _is_echo(self) -> bool:
        """Whether what seems to be a player is the narrator all the same."""
        return self._echo is not None and not self._floor.holds and self._echo.is_own_voice()

    def _is_blind(self) -> bool:
        """Whether the narrator's voice cannot be told from a player's yet."""
        return self._echo is not None and not self._echo.knows_the_room

    def _tell(self, utterance: Utterance, understanding: Interpreter, begun: float) -> None:
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
        judged = self._seldom(judged, utterance.end)
        if judged.transcript is not None:
            self._floor.understood()
        self._inbox.post(heard(judged, utterance, listen, begun))

    def _seldom(self, judged: Judged, now: float) -> Judged:
        """Leave out what would only tell that something was heard, so soon after the last time."""
        transcript = judged.transcript
        if transcript is None or transcript.meaning is not None:
            return judged
        if transcript.only_heard and now - self._commented < SELDOM:
            return replace(judged, transcript=None)
        self._commented = now
        return judged


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
