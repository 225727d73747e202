"""Trying a model out in a process of its own: what Vosk cannot bear may end that one, not ours."""

from __future__ import annotations

import json
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from typing import NoReturn

import numpy as np

from narrator.adapters.recognisers.vosk.recogniser import VoskRecogniser
from narrator.language.grammar.automaton import Arc, Automaton
from narrator.ports.audio import MIC_RATE
from narrator.ports.engines import Model
from narrator.ports.errors import PlayError, RecogniserError
from narrator.ports.faults import FaultCode

PATIENCE = 180.0
"""Seconds; a small model is loaded in a few, also by a slow computer."""

_WORDS = ("a", "no", "non", "ja", "nein", "sí", "si", "nee", "tak", "네", "да", "não", "ne", "hai")
"""Of which every model knows one or another; an empty list of words would not be listened to."""

_UNUSABLE = (FaultCode.MODEL_NOT_LOADED, FaultCode.MODEL_WORDS_UNREADABLE)


def try_model(folder: Path) -> None:
    """Load a model elsewhere and let it listen to a second of nothing, once along a list of words.

    Raises:
        RecogniserError: It cannot be used; Vosk may have ended that process over it.
    """
    command = [sys.executable, "-m", "narrator.adapters.recognisers.vosk.trial", str(folder)]
    try:
        run = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE, check=False)
    except subprocess.TimeoutExpired as fault:
        raise RecogniserError(FaultCode.MODEL_TOO_SLOW) from fault
    if run.returncode:
        _refuse(run.stdout.strip().splitlines())


def _refuse(told: list[str]) -> NoReturn:
    """Raise what the other process reports; it may have ended without a word.

    A model that Vosk refuses to load is like one that ends it: it lies in a folder for the trial
    only, and unpacking it again would change nothing.
    """
    with suppress(IndexError, ValueError, KeyError, TypeError):
        answer = json.loads(told[-1])
        if answer["code"] not in _UNUSABLE:
            raise RecogniserError(FaultCode(answer["code"]), **answer["fields"])
    raise RecogniserError(FaultCode.MODEL_CRASHES)


def _trial(folder: Path) -> int:
    try:
        recogniser = VoskRecogniser(Model(folder, ""))
        known = [word for word in _WORDS if recogniser.knows_word(word)]
        list_of_words = Automaton((tuple(Arc(word, 1) for word in known), ()), frozenset({1}))
        for free in (False, True):
            recogniser.expect(list_of_words, free=free)
            recogniser.accept(np.zeros(MIC_RATE, np.int16))
            recogniser.finish()
        recogniser.close()
    except PlayError as fault:
        sys.stdout.write(json.dumps({"code": fault.code, "fields": fault.fields}) + "\n")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(_trial(Path(sys.argv[1])))
