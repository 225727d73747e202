"""Results that are kept, so that a measurement which was broken off goes on where it stopped."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, TypeAlias

ROOT = Path(__file__).resolve().parent.parent.parent
Result: TypeAlias = Any
"""Whatever JSON can hold."""
_HEARING = (
    "narrator/adapters/recognisers/*/*.py",
    "narrator/adapters/sound/vad.py",
    "narrator/adapters/voices/*/*.py",
    "narrator/listening/utterance_detector.py",
    "narrator/listening/endpointing.py",
    "narrator/listening/front_end.py",
    "narrator/listening/foreground.py",
    "narrator/listening/loudest_part.py",
    "narrator/listening/guard_time.py",
    "narrator/language/*.py",
    "narrator/language/*/*.py",
    "narrator/locales/*.yaml",
    "scripts/*/game.yaml",
)
_VERDICTS = ROOT / "narrator/language/rejection.py"


class Store:
    """One file of JSON lines for each part; other code has another file.

    Args:
        folder: Where the files lie.
        part: What is measured.
        verdicts: Whether a result depends on the thresholds too. What was merely heard is judged
            only when it is printed, so that thresholds can be tried without hearing again.
    """

    def __init__(self, folder: Path, part: str, *, verdicts: bool = False) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self._path = folder / f"{part}-{fingerprint(verdicts=verdicts)}.jsonl"
        self._known: dict[str, Result] = {}
        if self._path.exists():
            for line in self._path.read_text(encoding="utf-8").splitlines():
                key, value = json.loads(line)
                self._known[key] = value

    def known(self, key: str) -> Result:
        """Return the result of this key; None where it was not measured."""
        return self._known.get(key)

    def get(self, key: str, measure: Callable[[], Result]) -> Result:
        """Return the result of this key, measured if it is not known."""
        if key not in self._known:
            self._known[key] = measure()
            with self._path.open("a", encoding="utf-8") as file:
                file.write(json.dumps([key, self._known[key]]) + "\n")
        return self._known[key]


def fingerprint(*, verdicts: bool) -> str:
    """Return a short name of the code that decides what is heard."""
    files = sorted(path for pattern in _HEARING for path in ROOT.glob(pattern))
    wanted = [path for path in files if path != _VERDICTS or verdicts]
    whole = hashlib.sha256(b"".join(path.read_bytes() for path in wanted))
    return whole.hexdigest()[:10]


def table(head: Iterable[object], rows: Iterable[Iterable[object]]) -> None:
    """Print a table as Markdown has it."""
    names = [str(cell) for cell in head]
    print("| " + " | ".join(names) + " |")
    print("|" + "---|" * len(names))
    for row in rows:
        print("| " + " | ".join(str(cell) for cell in row) + " |", flush=True)
    print()


def per_cent(part: int, whole: int) -> str:
    """Return a share as "3 (1.2 %)"."""
    return f"{part} ({100 * part / whole:.1f} %)" if whole else "0"
