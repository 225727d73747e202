"""Vosk: the recogniser for every language that has a small model.

Vosk ends the whole process for several mistakes (a change of grammar within an utterance, an empty
grammar, two threads, a wrong folder). Each is refused here, before the library sees it.
"""

from __future__ import annotations

import json
import threading
from types import ModuleType
from typing import Any

import numpy as np

from narrator.adapters.recognisers.vosk.models import check_vosk_model
from narrator.adapters.recognisers.vosk.phrases import UNKNOWN, phrases
from narrator.adapters.recognisers.vosk.traits import TRAITS
from narrator.language.grammar.automaton import Automaton
from narrator.ports.audio import MIC_RATE, Pcm
from narrator.ports.engines import Model
from narrator.ports.errors import RecogniserError
from narrator.ports.faults import FaultCode
from narrator.ports.recognition import Hypothesis

OUTSIDE = -99.0
"""Score of a text that is no sentence of the grammar, though all its words are."""
_QUIET = -2  # at -1 Vosk still writes warnings to stderr


class VoskRecogniser:
    """Recognises along a list of phrases, block by block."""

    name = "vosk"
    traits = TRAITS

    def __init__(self, model: Model) -> None:
        """Load a model.

        Args:
            model: See `find_vosk_model`.

        Raises:
            RecogniserError: The model cannot be used, or the library is missing.
        """
        check_vosk_model(model.folder)
        self._vosk = _library()
        self._vosk.SetLogLevel(_QUIET)
        try:
            self._model = self._vosk.Model(str(model.folder))
        except Exception as error:  # the library raises nothing more special
            raise RecogniserError(FaultCode.MODEL_NOT_LOADED, path=str(model.folder)) from error
        self.language = model.language
        self._owner: int | None = None
        self._next: tuple[Automaton, bool] | None = None
        self._now: tuple[Automaton, bool] | None = None
        self._recogniser: Any = None
        self._parts: list[dict[str, Any]] = []
        self._samples = 0

    def expect(self, grammar: Automaton, *, free: bool = False) -> None:
        """Listen along this grammar from the next utterance on; see the port."""
        self._check_thread()
        self._next = (grammar, free)

    def accept(self, block: Pcm) -> str:
        """Take the next sound; see the port."""
        self._check_thread()
        if not _is_sound(block):
            raise RecogniserError(FaultCode.NOT_SOUND)
        if not self._samples:
            self._begin()
        self._samples += len(block)
        if self._recogniser is None or not len(block):
            return ""
        if self._recogniser.AcceptWaveform(block.tobytes()):
            self._parts.append(json.loads(self._recogniser.Result()))
            return _text(self._parts)
        partial = json.loads(self._recogniser.PartialResult()).get("partial", "")
        return f"{_text(self._parts)} {partial}".strip()

    def guess(self) -> None:
        """Vosk decides as the sound comes in: there is nothing to gain."""
        return None

    def finish(self) -> Hypothesis:
        """Decide; see the port."""
        self._check_thread()
        parts, seconds, now = self._parts, self._samples / MIC_RATE, self._now
        begun = self._recogniser is not None and self._samples > 0
        if begun:
            parts.append(json.loads(self._recogniser.FinalResult()))
        self._parts, self._samples = [], 0
        if not begun or now is None:
            return Hypothesis("", seconds=seconds)
        return _judge(parts, now, seconds)

    def reset(self) -> None:
        """Forget the utterance that has begun."""
        self._check_thread()
        if self._recogniser is not None and self._samples:
            self._recogniser.Reset()
        self._parts, self._samples = [], 0

    def knows_word(self, word: str) -> bool:
        """Whether this word is in the model's lexicon."""
        usable = bool(word) and not any(c.isspace() or c == "\0" for c in word)
        return usable and self._model.vosk_model_find_word(word) >= 0

    def dropped(self, grammar: Automaton) -> list[str]:
        """Return the words of a grammar that can never be heard, for those who warn of it."""
        return sorted(word for word in grammar.words() if not self.knows_word(word))

    def close(self) -> None:
        """Return the recogniser's memory back; the model's goes with the last reference."""
        self._recogniser = None
        self._now = self._next = None
        self._parts, self._samples = [], 0

    def _begin(self) -> None:
        if self._next is None or self._next == self._now:
            return
        grammar, free = self._next
        self._now = self._next
        listed = phrases(grammar, self.knows_word)
        # A new recogniser, not SetGrammar: as quick, and nothing of the old one is left over.
        if free:
            self._recogniser = self._vosk.KaldiRecognizer(self._model, MIC_RATE)
        elif listed == [UNKNOWN]:
            self._recogniser = None
            return
        else:
            text = json.dumps(listed, ensure_ascii=False)
            self._recogniser = self._vosk.KaldiRecognizer(self._model, MIC_RATE, text)
        self._recogniser.SetWords(True)

    def _check_thread(self) -> None:
        here = threading.get_ident()
        if self._owner is None:
            self._owner = here
        if self._owner != here:
            raise RecogniserError(FaultCode.TWO_THREADS)


def _library() -> ModuleType:
    try:
        import vosk
    except (ImportError, OSError, TypeError) as error:
        raise RecogniserError(FaultCode.VOSK_MISSING) from error
    module: ModuleType = vosk
    return module


def _is_sound(block: object) -> bool:
    return isinstance(block, np.ndarray) and block.dtype == np.int16 and block.ndim == 1


def _text(parts: list[dict[str, Any]]) -> str:
    return " ".join(text for part in parts if (text := part.get("text", "")))


def _judge(parts: list[dict[str, Any]], now: tuple[Automaton, bool], seconds: float) -> Hypothesis:
    grammar, free = now
    text = _text(parts)
    words = tuple((w["word"], float(w["conf"])) for part in parts for w in part.get("result", ()))
    if not text:
        return Hypothesis("", seconds=seconds)
    confidence = sum(value for _, value in words) / len(words) if words else 0.0
    fits = free or grammar.accepts(text)
    return Hypothesis(text, confidence if fits else OUTSIDE, seconds=seconds, words=words)
