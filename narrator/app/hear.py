"""Sound files in place of a microphone: the same ear, the same grammar, the same judgement."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Protocol, TypeAlias

import numpy as np

from narrator.adapters.recognisers.whisper.features import Floats, own_noise, scatter
from narrator.adapters.sound.files import read
from narrator.app.games import Loaded
from narrator.core.effects import Listen
from narrator.core.expect import AnswerKind, Expectation, Meaning
from narrator.core.game import Game
from narrator.core.steps.preview import expected_anywhere, expected_at, listening_steps
from narrator.core.values import Seat
from narrator.language.grammar.automaton import Automaton
from narrator.language.grammar.grammar import compile_grammar
from narrator.language.hassil.intents import IntentGrammar
from narrator.language.rejection import Thresholds, Verdict, accept, judge
from narrator.listening.endpointing import LIMITS, Limits
from narrator.listening.interpreter import weighed
from narrator.listening.utterance_detector import Utterance, UtteranceDetector
from narrator.ports.audio import BLOCK, MIC_RATE, Pcm
from narrator.ports.errors import NarratorError
from narrator.ports.recognition import Hypothesis, Traits

Slots: TypeAlias = Mapping[str, Any]

ORDERS = Limits(silence=1.2, longest=28.0)
"""For the sentences of an intents file: people think in the middle of a long order."""
NAMES = ("Ana", "Ben", "Cy", "Dee", "Eve", "Finn", "Gus", "Hal", "Ivy", "Jo", "Kim", "Lou")
"""Who sits at the table where nobody says so."""
_BEFORE = 0.6
_AFTER = 0.4
_FLOOR = 4
"""Peak of the noise put around a sound that has none of its own, of 32767."""
_QUIET = 0.03
_EDGE = 0.15
"""Seconds at the ends of a file that tell what room it is in."""
_GRAIN = 25
"""Milliseconds of the parts whose level counts: less than the gap inside a consonant."""
_STEADY = 2.0
"""How much louder than its quietest parts a file's ends may be to be its room, as an amplitude: the
ends of words cut close are 3 and more."""
_STRETCH = 0.8
_LONG = 8
_STRICTER = 0.8
_REFUSED = 0.49


class StepError(NarratorError):
    """There is no such step, or several are meant."""

    exit_code = 2


@dataclass(frozen=True, slots=True)
class Heard:
    """What one utterance was taken for."""

    text: str = ""
    """What was heard; empty where nobody spoke."""
    intent: str | None = None
    """None where it was not understood or not accepted."""
    slots: Slots | None = None
    confidence: float = 0.0
    """0 to 1; just enough is a half."""
    accepted: bool = False
    score: float = -99.0
    """The engine's own."""
    decode_seconds: float = 0.0


class Target(Protocol):
    """What is listened for."""

    expected: tuple[str, ...]
    """The intents that were possible."""
    automaton: Automaton
    kind: AnswerKind
    limits: Limits

    def judged(
        self, thresholds: Thresholds | None, hypothesis: Hypothesis
    ) -> tuple[str, Slots, Verdict] | None:
        """Return intent, slots and verdict; None where it means nothing here."""
        ...


class StepTarget:
    """What may be said at a step of a game, or, without one, anywhere in it."""

    def __init__(self, loaded: Loaded, seats: Sequence[Seat], step: str = "") -> None:
        """Make the grammar of a step.

        Args:
            loaded: The game and its language.
            seats: Everybody at the table.
            step: A path, or its beginning or end as far as only one step has it.

        Raises:
            StepError: No step, or several, are meant.
        """
        self._step = find_step(loaded.game, step) if step else ""
        self._locale = loaded.locale
        expectations = _expectations(loaded.game, seats, self._step)
        self.expected = tuple(dict.fromkeys(e.intent for e in expectations))
        self._listen = Listen(0, expectations, self._step)
        self._grammar = compile_grammar(expectations, seats, loaded.locale)
        self.automaton = self._grammar.automaton
        slowest = max(expectations, key=lambda e: LIMITS[e.kind].silence)
        self.kind: AnswerKind = expectations[0].kind if self._step else slowest.kind
        self.limits = LIMITS["free" if self._grammar.is_free else self.kind]
        self.is_free = self._grammar.is_free

    def judged(
        self, thresholds: Thresholds | None, hypothesis: Hypothesis
    ) -> tuple[str, Slots, Verdict] | None:
        """Judge as at the table."""
        meanings = self._grammar.interpret(hypothesis.text).meanings
        # All over a game "Ben" answers many questions; which one, only a step can tell.
        if not meanings or (len(meanings) > 1 and (self._step or not _is_one_intent(meanings))):
            return None
        meaning = meanings[0]
        sure = weighed(hypothesis, lambda text: self._grammar.interpret(text).meanings)
        return meaning.intent, self._slots(meaning), judge(thresholds, self._listen, meaning, sure)

    def why(self, verdict: Verdict) -> str:
        """Return in the language of the table why something is not accepted."""
        return "" if verdict.reason is None else self._locale.heard[verdict.reason]

    def _slots(self, meaning: Meaning) -> Slots:
        kind = next(e.kind for e in self._listen.expectations if e.intent == meaning.intent)
        if kind == "phrase" or (kind == "command" and meaning.value is None):
            return {}
        return {"number" if kind == "command" else kind: meaning.value}


def _is_one_intent(meanings: Sequence[Meaning]) -> bool:
    return len({meaning.intent for meaning in meanings}) == 1


class IntentsTarget:
    """What may be said after an intents file."""

    kind: AnswerKind = "sentence"
    """An order is looked at as a whole: a part of it is another order."""
    limits = ORDERS
    is_free = False

    def __init__(self, grammar: IntentGrammar) -> None:
        self._grammar = grammar
        self.automaton = grammar.automaton
        self.expected = grammar.intents

    def judged(
        self, thresholds: Thresholds | None, hypothesis: Hypothesis
    ) -> tuple[str, Slots, Verdict] | None:
        """Judge as a choice between sentences."""
        found = self._grammar.interpret(hypothesis.text)
        if found is None:
            return None
        sure = weighed(hypothesis, self._grammar.interpret)
        return (
            found.intent,
            found.slots,
            accept(thresholds, "choice", _by_length(sure), listed=True),
        )


def _by_length(hypothesis: Hypothesis) -> Hypothesis:
    """Make a long sentence comparable with the single words that the thresholds were fitted on.

    A score is a mean over the words: one word that differs weighs less in a long sentence, while
    many words that fit badly are no accident.
    """
    words = len(hypothesis.text.split())
    stretch = max(1.0, _STRETCH * words)
    strict = min(_STRICTER, _STRICTER * max(0, words - 1) / _LONG)
    return replace(
        hypothesis,
        margin=hypothesis.margin * stretch,
        rivals=tuple((text, below * stretch) for text, below in hypothesis.rivals),
        score=hypothesis.score - strict,
    )


def _expectations(game: Game, seats: Sequence[Seat], step: str) -> tuple[Expectation, ...]:
    if step:
        return expected_at(game, seats, step)
    # Free speech anywhere would leave nothing that is not understood.
    return tuple(e for e in expected_anywhere(game, seats) if e.kind != "free")


def find_step(game: Game, wanted: str) -> str:
    """Return the path of the listening step that is meant.

    Raises:
        StepError: None or several are; the message lists those there are.
    """
    paths = listening_steps(game)
    given = wanted.strip("/")
    meant = [p for p in paths if p == given] or _around(paths, given)
    if len(meant) == 1:
        return meant[0]
    which = (
        f"Several steps fit {wanted}" if meant else f"{game.title} has no step {wanted} to answer"
    )
    raise StepError(f"{which}.", f"Choose one of: {', '.join(meant or paths)}.")


def _around(paths: Sequence[str], given: str) -> list[str]:
    """Return the paths that a part names, by whole names before letters, by the end before all."""
    slashed = [(path, f"/{path}/") for path in paths]
    ends = [path for path, whole in slashed if whole.endswith(f"/{given}/")]
    inside = [path for path, whole in slashed if f"/{given}/" in whole]
    return ends or inside or [p for p in paths if p.startswith(given) or p.endswith(given)]


class FileEar:
    """Hears sound files, one after the other."""

    def __init__(
        self,
        ear: UtteranceDetector,
        traits: Traits,
        target: Target,
        *,
        reject: bool = True,
        pad: bool = False,
    ) -> None:
        """Listen for a target.

        Args:
            ear: Around a recogniser.
            traits: Of the recogniser: what its scores must reach.
            target: What may be said.
            reject: Whether what fits badly is refused.
            pad: Whether there is silence around each file, whatever noise it ends in.
        """
        self._ear = ear
        self._thresholds = traits.thresholds
        self._target = target
        self._reject = reject
        self._pad = pad

    def hear(self, path: Path) -> tuple[Heard, float]:
        """Hear one file; return what was said, and the file's seconds.

        Of several utterances the accepted one counts, else the one that fits best.

        Raises:
            SoundError: It cannot be read.
        """
        sound = read(path)
        target = self._target
        self._ear.forget()
        free = getattr(target, "is_free", False)
        self._ear.expect(target.automaton, target.kind, free=free, limits=target.limits)
        surround = among_noise if self._pad else in_its_room
        padded = surround(sound, target.limits.silence)
        blocks = (padded[at : at + BLOCK] for at in range(0, len(padded), BLOCK))
        found = [self._judged(u) for block in blocks for u in self._ear.hear(block)]
        best = max(found, key=lambda h: (h.accepted, bool(h.text), h.score), default=Heard())
        took = sum(h.decode_seconds for h in found)
        return replace(best, decode_seconds=took), len(sound) / MIC_RATE

    def _judged(self, utterance: Utterance) -> Heard:
        hypothesis = utterance.hypothesis
        judged = self._target.judged(self._thresholds, hypothesis)
        heard = Heard(
            hypothesis.text, score=hypothesis.score, decode_seconds=utterance.decode, slots={}
        )
        if judged is None:
            return heard
        intent, slots, verdict = judged
        if self._reject and verdict.state != "accepted":
            return replace(heard, confidence=min(verdict.confidence, _REFUSED))
        return replace(
            heard, intent=intent, slots=slots, confidence=verdict.confidence, accepted=True
        )


def in_its_room(sound: Pcm, silence: float) -> Pcm:
    """Return the sound with the room it was recorded in around it, as the table would hear it.

    A room that was noisy to the ends of the file stays so. One that was cut close to a word has no
    room to go on with: it gets as little noise as `among_noise` puts there.

    Args:
        sound: At 16 kHz.
        silence: Seconds after which an utterance ends.
    """
    edge = int(_EDGE * MIC_RATE)
    wave = sound.astype(np.float32)
    first, last = wave[:edge], wave[-edge:]
    if len(wave) < 4 * edge or max(_level(first), _level(last)) > _STEADY * _quietest(wave):
        return among_noise(sound, silence)
    before = _like(first, int(_BEFORE * MIC_RATE))
    after = _like(last, int((silence + _AFTER) * MIC_RATE))
    parts = [np.rint(part).clip(-32768, 32767).astype(np.int16) for part in (before, after)]
    return np.concatenate([parts[0], sound, parts[1]])


def _level(wave: Floats) -> float:
    return float(np.sqrt(np.mean(wave * wave)))


def _quietest(wave: Floats) -> float:
    """Return the level of a sound's quietest parts."""
    grain = _GRAIN * MIC_RATE // 1000
    grains = wave[: len(wave) // grain * grain].reshape(-1, grain)
    return float(np.percentile(np.sqrt((grains * grains).mean(axis=1)), 10))


def _like(noise: Floats, length: int) -> Floats:
    """Return so many samples of even noise with the level and the spectrum of this."""
    loud = np.abs(np.fft.rfft(noise * np.hanning(len(noise)).astype(np.float32)))
    bins = np.linspace(0, len(loud) - 1, length // 2 + 1)
    shape = np.interp(bins, np.arange(len(loud)), loud)
    turns = np.exp(2j * np.pi * scatter(len(shape)).astype(np.float64))
    even = np.fft.irfft(shape * turns, length)
    even *= _level(noise) / max(float(np.sqrt(np.mean(even * even))), 1e-9)
    levelled: Floats = (even + (scatter(length) - 0.5) * 2 * _FLOOR).astype(np.float32)
    return levelled


def among_noise(sound: Pcm, silence: float) -> Pcm:
    """Return the sound with low noise of its own kind around it, so that its end can be noticed.

    Args:
        sound: At 16 kHz.
        silence: Seconds after which an utterance ends.
    """
    after = int((silence + _AFTER) * MIC_RATE)
    before = int(_BEFORE * MIC_RATE)
    wave = sound.astype(np.float32)
    noise = own_noise(wave, before + after)
    loud = float(np.percentile(np.abs(wave), 99)) if len(wave) else 0.0
    most = max(float(np.abs(noise).max(initial=0)), 1e-9)
    # What a tightly cut clip has as its quietest parts may be speech: never louder than babble.
    noise *= min(1.0, _QUIET * loud / most)
    noise += (scatter(len(noise)) - np.float32(0.5)) * 2 * _FLOOR
    quiet = np.rint(noise).astype(np.int16)
    return np.concatenate([quiet[:before], sound, quiet[before:]])
