"""The embedded English recogniser: Whisper tiny.en, deciding only between what may be said now.

Free decoding is poor on one-word answers; following the grammar of the moment is excellent, and its
score is absolute, so that what fits nothing can be refused.
"""

from __future__ import annotations

import math
import os
import re
from collections import OrderedDict
from dataclasses import dataclass, replace
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np

from narrator.adapters.recognisers.whisper.beam_search import Pace, Search, Sentence, reach
from narrator.adapters.recognisers.whisper.decoder import END, Decoder, Floats
from narrator.adapters.recognisers.whisper.features import log_mel, loud_seconds, scatter, window
from narrator.adapters.recognisers.whisper.internal_language_model import InternalLanguageModel
from narrator.adapters.recognisers.whisper.lexicon import knows_word
from narrator.adapters.recognisers.whisper.token_graph import TokenGraph
from narrator.adapters.recognisers.whisper.traits import TRAITS
from narrator.adapters.recognisers.whisper.weights import check_weights
from narrator.adapters.system.blas_threads import one_thread
from narrator.language.grammar.automaton import Automaton
from narrator.language.grammar.equivalence import same_key
from narrator.ports.audio import MIC_RATE, Pcm
from narrator.ports.errors import RecogniserError
from narrator.ports.faults import FaultCode
from narrator.ports.recognition import Hypothesis

_PROMPT = (50257, 50362)  # start of transcript, no time stamps
_SHORTEST = 0.08
_LONGEST = 29.5
_WINDOW = 4.0
_TOKENS = 8
_TOKENS_A_SECOND = 6
_GRAPHS = 24
_RIVALS = 24
"""Different sentences that are told of: most mean the same, as \"c\" and \"letter c\" do."""
_LEAN = 0.7
_WORD = re.compile(r"[\w'-]+")


@dataclass(frozen=True, slots=True)
class _Task:
    graph: TokenGraph
    free: bool


class WhisperRecogniser:
    """Recognises one utterance at a time along the grammar of the moment."""

    name = "whisper"
    language = "en"
    traits = TRAITS

    def __init__(self, folder: Path, *, threads: int = 2) -> None:
        """Load the weights.

        Args:
            folder: Holds the four files; see `find_weights`.
            threads: Processor threads for the encoder, at most as many as there are processors.

        Raises:
            RecogniserError: The files are not the known ones, or a library is missing.
        """
        check_weights(folder)
        one_thread()
        ctranslate2, tokenizers = _libraries()
        workers = max(1, min(threads, os.cpu_count() or 1))
        try:
            self._model = ctranslate2.models.Whisper(
                str(folder), device="cpu", compute_type="int8", intra_threads=workers
            )
            self._tokenizer = tokenizers.Tokenizer.from_file(str(folder / "tokenizer.json"))
            self._decoder = Decoder(folder / "model.bin")
        except Exception as error:
            raise RecogniserError(FaultCode.ENGLISH_MODEL_NOT_LOADED) from error
        self._storage = ctranslate2.StorageView
        noise = self._decoder.listen(np.array(self._encode(_pink_noise(_WINDOW)))[0])
        self._noise = InternalLanguageModel(self._decoder, noise, _PROMPT)
        self._graphs: OrderedDict[Automaton, TokenGraph] = OrderedDict()
        self._next: _Task | None = None
        self._now: _Task | None = None
        self._blocks: list[Pcm] = []

    def expect(self, grammar: Automaton, *, free: bool = False) -> None:
        """Listen along this grammar from the next utterance on; see the port."""
        if self._next is not None and self._next.graph.grammar is grammar:
            # Comparing two large grammars takes longer than hearing a word.
            self._next = _Task(self._next.graph, free)
            return
        graph = self._graphs.pop(grammar, None) or TokenGraph(grammar, self._tokens, END)
        self._graphs[grammar] = graph
        if len(self._graphs) > _GRAPHS:
            self._graphs.popitem(last=False)
        self._next = _Task(graph, free)

    def accept(self, block: Pcm) -> str:
        """Keep the sound; there is no partial text, since Whisper decides on the whole."""
        if not self._blocks:
            self._now = self._next
        self._blocks.append(block)
        return ""

    def finish(self) -> Hypothesis:
        """Decide; see the port."""
        try:
            return self.guess()
        finally:
            self.reset()

    def guess(self) -> Hypothesis:
        """Decide on the sound so far; see the port."""
        task, blocks = self._now, self._blocks
        sound = np.concatenate(blocks) if blocks else np.zeros(0, np.int16)
        seconds = len(sound) / MIC_RATE
        if task is None or seconds < _SHORTEST or not sound.any():
            return Hypothesis("", seconds=seconds)
        encoded = self._encode(window(sound[: int(_LONGEST * MIC_RATE)], _whole(seconds)))
        cross = self._decoder.listen(np.array(encoded)[0])
        longest = int(_TOKENS + _TOKENS_A_SECOND * seconds)
        pace = Pace(loud_seconds(sound))
        search = Search(self._decoder, cross, task.graph, self._noise, pace)
        found = search.run(_PROMPT, longest=longest)
        bound = self._decide(found, seconds)
        bound = replace(bound, is_cut_short=pace.leaves_out(bound.text.split()))
        return self._rather_free(encoded, bound) if task.free else bound

    def reset(self) -> None:
        """Forget the utterance that has begun."""
        self._blocks = []
        self._now = None

    def knows_word(self, word: str) -> bool:
        """Whether this can be heard: anything written in Latin letters or digits."""
        return knows_word(word)

    def close(self) -> None:
        """Return the model's memory back."""
        self.reset()
        self._graphs.clear()
        if self._model is not None:
            self._model.unload_model()
            self._model = None

    def _tokens(self, text: str) -> list[int]:
        ids: list[int] = self._tokenizer.encode(text, add_special_tokens=False).ids
        return ids

    def _encode(self, sound: Floats) -> Any:
        if self._model is None:
            raise RecogniserError(FaultCode.RECOGNISER_CLOSED)
        return self._model.encode(self._storage.from_array(log_mel(sound)[None]))

    def _rather_free(self, encoded: Any, bound: Hypothesis) -> Hypothesis:
        """Write down what was said where that fits much better than every sentence."""
        (result,) = self._model.generate(
            encoded, [list(_PROMPT)], beam_size=5, return_scores=True, max_length=200,
            no_repeat_ngram_size=3,
        )  # fmt: skip
        score = float(result.scores[0])
        words = _WORD.findall(self._tokenizer.decode(result.sequences_ids[0]).lower())
        if not words or (bound.text and bound.score > score - _LEAN):
            return bound
        return Hypothesis(" ".join(words), score, seconds=bound.seconds)

    def _decide(self, found: list[Sentence], seconds: float) -> Hypothesis:
        if not found:
            return Hypothesis("", seconds=seconds)
        best = found[0]
        size = len(best.tokens)
        below: dict[str, float] = {}
        for sentence in found:  # the same words with a comma or in figures are no rival
            below.setdefault(" ".join(sentence.words), (best.rank - sentence.rank) / size)
        text, *others = below
        rivals = tuple((other, below[other]) for other in others[:_RIVALS])
        unseen = reach(size)
        if len(others) > _RIVALS:
            unseen = min(unseen, rivals[-1][1])
        different = (nats for other, nats in rivals if same_key(other) != same_key(text))
        margin = min(next(different, unseen), unseen)
        return Hypothesis(text, best.mean, margin, seconds, rivals=rivals, unseen=unseen)


def _libraries() -> tuple[ModuleType, ModuleType]:
    try:
        import ctranslate2
        import tokenizers
    except (ImportError, OSError) as error:
        raise RecogniserError(FaultCode.ENGLISH_LIBRARY_MISSING) from error
    return ctranslate2, tokenizers


def _whole(seconds: float) -> float:
    """Return the length of a window for so much sound: of few lengths, one of which is usual.

    The library keeps code for every length that it has met, half a megabyte each: an evening of
    utterances, no two of them alike, would never stop growing.
    """
    return max(_WINDOW, float(math.ceil(min(seconds, _LONGEST))))


def _pink_noise(seconds: float) -> Floats:
    white = np.fft.rfft(scatter(int(seconds * MIC_RATE)) - 0.5)
    pink = np.fft.irfft(white / np.sqrt(np.maximum(1, np.arange(len(white)))))
    levelled: Floats = (0.4 * pink / np.abs(pink).max()).astype(np.float32)
    return levelled
