"""Play random evenings against the plain model: python tools/bench_model.py [--runs N] [--seed S]

Runs are made in chunks, each of a seed of its own. With --results FILE each chunk is noted, and the
same call goes on where the last one ended; --only C plays one chunk again.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from pathlib import Path
from typing import Any

from hypothesis import Phase, seed, settings
from hypothesis.stateful import run_state_machine_as_test

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from tests.core.test_against_a_plain_model import Evening  # noqa: E402  # the path must be set first

CHUNK = 100
STEPS = 40
MOST = 1_000_000
"""Chunks of one seed, so that those of another have other numbers."""


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--runs", type=int, default=5_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--results", type=Path, help="note each chunk here, and go on from it")
    parser.add_argument("--only", type=int, help="play this chunk only, and show what differs")
    options = parser.parse_args()
    if options.only is not None:
        play(options.seed, options.only)
        return
    done = noted(options.results, options.seed)
    for number in range(-(-options.runs // CHUNK)):
        if number not in done:
            done[number] = chunk(options.seed, number)
            note(options.results, done[number])
    lines = list(done.values())
    differ = [line["chunk"] for line in lines if line["differs"]]
    seconds = sum(line["seconds"] for line in lines)
    print(f"{CHUNK * len(lines)} runs of {STEPS} steps with seed {options.seed} in {seconds:.0f} s")
    print(f"chunks with a difference: {', '.join(map(str, differ)) or 'none'}")
    sys.exit(1 if differ else 0)


def chunk(number_of_seed: int, number: int) -> dict[str, Any]:
    """Play a chunk; return how it went."""
    begun, differs = time.process_time(), ""
    try:
        play(number_of_seed, number)
    except Exception as fault:  # whatever it is: it is noted, and the others are played
        differs = f"{type(fault).__name__}: {fault}"[:500]
    seconds = round(time.process_time() - begun, 2)
    return {"seed": number_of_seed, "chunk": number, "differs": differs, "seconds": seconds}


def play(number_of_seed: int, number: int) -> None:
    """Play a chunk's evenings; raise what the first one that differs raises, made small."""
    machine = seed(number_of_seed * MOST + number)(type("Seeded", (Evening,), {}))
    how: Any = settings(
        max_examples=CHUNK,
        stateful_step_count=STEPS,
        deadline=None,
        database=None,
        phases=(Phase.generate, Phase.shrink),
    )
    run_state_machine_as_test(machine, settings=how)


def noted(results: Path | None, number_of_seed: int) -> dict[int, dict[str, Any]]:
    """Return the chunks of this seed that are noted, by number."""
    if results is None or not results.exists():
        return {}
    lines = map(json.loads, results.read_text(encoding="utf-8").splitlines())
    return {line["chunk"]: line for line in lines if line["seed"] == number_of_seed}


def note(results: Path | None, line: dict[str, Any]) -> None:
    """Add a chunk to the file."""
    if results is not None:
        with results.open("a", encoding="utf-8") as file:
            file.write(json.dumps(line, ensure_ascii=False) + "\n")


if __name__ == "__main__":
    main()
