"""An evening's utterances, no two of them of one length, in a process of their own."""

from __future__ import annotations

import os
import sys

import pytest

from narrator.adapters.recognisers.whisper.weights import find_weights
from narrator.ports.errors import RecogniserError
from tests.fresh_process import output_of

pytestmark = [
    pytest.mark.model,
    pytest.mark.skipif(sys.platform != "linux", reason="Memory is read as Linux tells it."),
]

GROWTH = """
import numpy as np
from narrator.adapters.recognisers.whisper.recogniser import WhisperRecogniser
from narrator.adapters.recognisers.whisper.weights import find_weights
from narrator.language.grammar.automaton import Arc, Automaton

def resident():
    return int(open("/proc/self/statm").read().split()[1]) * {page} / 2**20

def hear(lengths):
    for length in lengths:
        ear.accept((noise[: int(length)] * 3000).astype(np.int16))
        ear.finish()

ear = WhisperRecogniser(find_weights(None, []))
ear.expect(Automaton(((Arc("task", 1),), (Arc("complete", 2),), ()), frozenset({{2}})))
noise = np.random.default_rng(1).standard_normal(160_000)
hear(range(60_000, 140_000, 8_000))
before = resident()
hear(range(61_000, 140_000, 2_000))
print(resident() - before)
"""


def test_utterances_of_ever_new_lengths_take_no_more_memory():
    try:
        find_weights(None, [])
    except RecogniserError as error:
        pytest.skip(f"The weights of Whisper tiny.en are not installed: {error}")
    assert float(output_of(GROWTH.format(page=os.sysconf("SC_PAGE_SIZE")))) < 8
