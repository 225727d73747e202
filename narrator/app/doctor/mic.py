"""What `narrator mic` does: a microphone's sound, measured and understood as at the table."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from narrator.adapters.system.clock import SessionClock
from narrator.app.doctor.live_ear import heard, microphone, waiting
from narrator.app.hear import StepTarget
from narrator.app.wiring.engines import make_ear
from narrator.app.wiring.table_devices import TableDevices
from narrator.language.grammar.automaton import Automaton
from narrator.language.rejection import Thresholds
from narrator.listening.endpointing import Limits
from narrator.listening.level_report import LevelReport, Second
from narrator.listening.utterance_detector import Utterance, UtteranceDetector
from narrator.ports.errors import PlayError
from narrator.ports.recognition import Recogniser

FREE = Limits(silence=0.6, longest=15.0)
"""For free words: nobody dictates here."""


@dataclass(frozen=True, slots=True)
class Words:
    """What somebody said."""

    text: str
    """Empty where nothing was recognised."""
    free: bool
    """Whether any words were listened for, so that there is no meaning."""
    intent: str = ""
    """Empty where it was not accepted."""
    slots: tuple[tuple[str, Any], ...] = ()
    reason: str = ""
    """Why it was not accepted."""

    def __str__(self) -> str:
        """Return it in one line."""
        if not self.text:
            return "Heard something, but no words."
        told = f'Heard "{self.text}"'
        if self.free:
            return f"{told}."
        if not self.intent:
            return f"{told}: not accepted, {self.reason}."
        values = ", ".join(f"{name} {value}" for name, value in self.slots)
        return f"{told}: accepted as {self.intent}{f', {values}' if values else ''}."


def check_microphone(
    recogniser: Recogniser,
    wanted: str,
    tell: Callable[[PlayError], None],
    report: LevelReport,
    *,
    target: StepTarget | None = None,
    seconds: float = 0.0,
) -> Iterator[Second | Words]:
    """Yield each second of a microphone's sound, and what is said when it was said.

    Args:
        recogniser: What hears; stays its owner's to close.
        wanted: The microphone's name or number; empty: the default.
        tell: Told of each fault of the device.
        report: Gathers the levels.
        target: What may be said; None: any words.
        seconds: Of sound; 0: until somebody stops it.

    Raises:
        SoundError: There is no such microphone.
    """
    clock, devices, ear = SessionClock(), TableDevices(), make_ear(recogniser)
    _expect(ear, target)
    with microphone(devices, clock, wanted, tell) as blocks:
        for block in heard(blocks, clock, seconds):
            before = ear.hearing
            utterances = ear.hear(block)
            speech = before or ear.hearing
            second = report.feed(block, speech=speech, noise=ear.noise, behind=waiting(blocks))
            if second is not None:
                yield second
            yield from (
                _words(utterance, recogniser.traits.thresholds, target) for utterance in utterances
            )


def _expect(ear: UtteranceDetector, target: StepTarget | None) -> None:
    if target is None:
        ear.expect(Automaton(((),), frozenset()), "free", limits=FREE)
    else:
        ear.expect(target.automaton, target.kind, free=target.is_free, limits=target.limits)


def _words(utterance: Utterance, thresholds: Thresholds | None, target: StepTarget | None) -> Words:
    hypothesis = utterance.hypothesis
    if target is None:
        return Words(hypothesis.text, free=True)
    judged = target.judged(thresholds, hypothesis)
    if judged is None:
        return Words(hypothesis.text, free=False, reason="it means nothing here")
    intent, slots, verdict = judged
    if verdict.state != "accepted":
        return Words(hypothesis.text, free=False, reason=target.why(verdict))
    return Words(hypothesis.text, False, intent, tuple(slots.items()))
