"""How well the game is heard: tools/bench hearing [PART]... [--store DIR]

Parts: engines (what a decision costs), voices (real people), letters (real people spelling),
answers (every kind, synthetic), room (a table of neighbours, in noise that goes on), cue (the words
that end a turn), talk (what else is taken for them), evenings (whole games among talk), latency,
cost, quiet (rooms without an answer), fit (thresholds). All of them without any. Results are kept
in a folder, so that a run that was broken off goes on; what other code has heard is not used again.
docs/hearing.md keeps the tables.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Callable, Mapping
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from narrator.app.telling import told  # noqa: E402
from narrator.app.wiring.engines import make_recogniser  # noqa: E402
from narrator.ports.errors import RecogniserError  # noqa: E402  # the path must be set first
from narrator.ports.recognition import Recogniser  # noqa: E402  # the path must be set first
from tools.hearing import (  # noqa: E402
    answers,
    around,
    cost,
    cue,
    engines,
    evenings,
    fit,
    latency,
    letters,
    quiet,
    voices,
)
from tools.hearing.store import Store, fingerprint  # noqa: E402

Part = Callable[[Recogniser, Path], None]


def main() -> None:
    """Measure and print the parts that were asked for."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n\n")[0])
    parser.add_argument("parts", nargs="*", metavar="PART", help=", ".join(PARTS))
    usual = Path(tempfile.gettempdir()) / "narrator-bench"
    parser.add_argument("--store", type=Path, default=usual, help="where results are kept")
    given = parser.parse_args()
    unknown = set(given.parts) - set(PARTS)
    if unknown:
        parser.error(f"There is no part called {', '.join(sorted(unknown))}.")
    try:
        recogniser = make_recogniser("whisper", "", "en")
    except RecogniserError as error:
        print(f"Not measured: {told(error)}")
        return
    for name in given.parts or PARTS:
        code = fingerprint(verdicts=False)
        print(f"### {name}\n\nEngine whisper, code {code}, results in {given.store}.", flush=True)
        PARTS[name](recogniser, given.store)
    recogniser.close()


PARTS: Mapping[str, Part] = {
    "engines": lambda _, __: engines.measure(),
    "voices": lambda engine, at: voices.measure(engine, Store(at, "voices")),
    "letters": lambda engine, at: letters.measure(engine, Store(at, "letters")),
    "answers": lambda engine, at: answers.measure(engine, Store(at, "answers")),
    "room": lambda engine, at: around.measure(engine, Store(at, "room")),
    "cue": lambda engine, at: cue.measure(engine, Store(at, "cue")),
    "talk": lambda engine, at: cue.false_cues(engine, Store(at, "talk"), Store(at, "cost")),
    "evenings": lambda engine, at: evenings.measure(engine, Store(at, "evenings", verdicts=True)),
    "latency": lambda engine, at: latency.measure(engine, Store(at, "answers")),
    "cost": lambda engine, at: cost.measure(engine, Store(at, "cost")),
    "quiet": lambda engine, at: quiet.measure(engine, Store(at, "quiet")),
    "fit": lambda engine, at: fit.measure(engine, Store(at, "answers")),
}


if __name__ == "__main__":
    main()
