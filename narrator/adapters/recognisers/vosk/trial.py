"""Trying a model out in a process of its own: what Vosk cannot bear may end that one, not ours."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np

from narrator.adapters.recognisers.vosk.recogniser import VoskRecogniser
from narrator.language.grammar.automaton import Arc, Automaton
from narrator.ports.audio import MIC_RATE
from narrator.ports.engines import Model
from narrator.ports.errors import NarratorError, RecogniserError

PATIENCE = 180.0
"""Seconds; a small model is loaded in a few, also by a slow computer."""

_WORDS = ("a", "no", "non", "ja", "nein", "sí", "si", "nee", "tak", "네", "да", "não", "ne", "hai")
"""Of which every model knows one or another; an empty list of words would not be listened to."""


def try_model(folder: Path) -> None:
    """Load a model elsewhere and let it listen to a second of nothing, once along a list of words.

    Raises:
        RecogniserError: It cannot be used; Vosk may have ended that process over it.
    """
    command = [sys.executable, "-m", "narrator.adapters.recognisers.vosk.trial", str(folder)]
    try:
        run = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE, check=False)
    except subprocess.TimeoutExpired as fault:
        raise RecogniserError(
            "The model was tried out and did not answer in time.", "Take another model."
        ) from fault
    if run.returncode:
        told = run.stdout.strip().splitlines()
        raise RecogniserError(
            told[-1] if told else "The model was tried out, and Vosk broke down over it.",
            "It is damaged, or made for another version: take another model.",
        )


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
    except NarratorError as fault:
        sys.stdout.write(f"{fault.message}\n")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(_trial(Path(sys.argv[1])))
