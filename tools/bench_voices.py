"""Hear every recording of real people there is: tools/bench_voices.py [--folder DIR].

Prints, by kind of recording, how many were heard right, wrong and not at all, before and after
rejection, among 27 words. The folder holds `voices.tsv` and `voices/`; see tests/conftest.py.
"""

from __future__ import annotations

import argparse
import csv
import os
import sys
from collections import defaultdict
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from narrator.adapters.sound_files import read  # noqa: E402  # the path must be set first
from narrator.adapters.whisper import WhisperRecogniser  # noqa: E402
from narrator.adapters.whisper_weights import find_weights  # noqa: E402
from narrator.ports import Hypothesis  # noqa: E402
from tests.audio.test_voices import COMMANDS, DIGITS, hear, passes, right  # noqa: E402


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    usual = os.environ.get("NARRATOR_VOICES", str(ROOT.parent / "shared" / "hearing"))
    parser.add_argument("--folder", type=Path, default=Path(usual))
    folder = parser.parse_args().folder
    if not (folder / "voices.tsv").is_file():
        print(f"Not measured: there are no recordings in {folder}.")
        return
    with (folder / "voices.tsv").open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file, delimiter="\t"))
    counts: dict[str, dict[str, int]] = defaultdict(lambda: defaultdict(int))
    whisper = WhisperRecogniser(find_weights(None, []))
    for row in rows:
        heard = hear(whisper, read(folder / "voices" / row["file"]))
        for outcome in outcomes(row, heard):
            counts[row["kind"]][outcome] += 1
    print(
        f"{'kind':14} {'clips':>5} {'noticed':>7} {'right':>6} | passed: {'right':>5} {'wrong':>5}"
    )
    for kind, found in counts.items():
        print(
            f"{kind:14} {found['clip']:5} {found['noticed']:7} {found['right']:6} |"
            f" {found['passed right']:13} {found['passed wrong']:5}"
        )
    whisper.close()


def outcomes(row: dict[str, str], heard: Hypothesis | None) -> list[str]:
    """Give what is to be counted for one recording."""
    found = ["clip"]
    if heard is None:
        return found
    found.append("noticed")
    expected = row["text"] in (*DIGITS, *COMMANDS)
    correct = expected and right(row["text"], heard)
    found += ["right"] if correct else []
    if passes(heard):
        found.append("passed right" if correct else "passed wrong")
    return found


if __name__ == "__main__":
    main()
