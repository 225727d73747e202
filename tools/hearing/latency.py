"""Part `latency`: where the time goes between the end of an answer and the decision."""

from __future__ import annotations

import math
from statistics import median

from narrator.listening.endpointing import LIMITS
from narrator.listening.utterance_detector import AHEAD, SOONEST
from narrator.ports.audio import BLOCK, MIC_RATE
from narrator.ports.recognition import Recogniser
from tools.hearing.answers import Said, everything
from tools.hearing.places import STEPS
from tools.hearing.sounds import CLEAN
from tools.hearing.store import Store, table


def measure(recogniser: Recogniser, store: Store) -> None:
    """Print it by kind of answer, from the answers in a quiet room."""
    print(
        "Milliseconds, median / 95th percentile, synthetic voices in a quiet room. Tail: from the "
        "last loud sample to where the detector hears no more speech. Silence: what is waited for. "
        "Decision: CPU time. Beyond: what of it the silence did not hide. Block: until the "
        "microphone hands over the 100 ms in which the endpoint lies. Total: their sum, without "
        "the decision's hidden part.\n"
    )
    said = [s for s in everything(recogniser, store) if s.source == "synthetic"]
    rows = []
    for kind in STEPS:
        some = [s for s in said if s.kind == kind and s.condition == CLEAN and len(s.found) == 1]
        parts = list(zip(*(_parts(one) for one in some), strict=True))
        rows.append((kind, len(some), *(_two(column) for column in parts)))
    table(("kind", "answers", "tail", "silence", "decision", "beyond", "block", "total"), rows)


def _parts(said: Said) -> tuple[float, ...]:
    one = said.first
    if one is None:
        raise ValueError("nothing was heard")
    # Commands end sooner than what they are said instead of, but the ear waits for the latter.
    silence = LIMITS["phrase" if said.kind == "command" else said.kind].silence
    tail = one.end - silence - said.ends
    hidden = silence - max(SOONEST, silence - AHEAD)
    beyond = max(0.0, one.decode - hidden)
    block = BLOCK / MIC_RATE
    waiting = math.ceil(one.end / block - 1e-6) * block - one.end
    return tail, silence, one.decode, beyond, waiting, tail + silence + beyond + waiting


def _two(column: tuple[float, ...]) -> str:
    ordered = sorted(column)
    worst = ordered[min(len(ordered) - 1, int(0.95 * len(ordered)))]
    return f"{1000 * median(ordered):.0f} / {1000 * worst:.0f}"
