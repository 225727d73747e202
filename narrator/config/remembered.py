"""What the table changed by voice, kept for the next evening; the person's own file stays as it is.

A change counts only for as long as the settings say what they said when it was made: a new
rate in `narrator.toml` takes effect.
"""

from __future__ import annotations

import contextlib
import json
import os
from collections.abc import Mapping
from pathlib import Path

from narrator.config import private
from narrator.files.bounded import parse_json, read_text

FILE_NAME = "remembered.json"

Change = tuple[float, float]
"""A setting's value as the table wanted it, and as it was configured then."""


def recall(folder: Path) -> dict[str, Change]:
    """Return what was changed, by setting; nothing where the file is missing or damaged."""
    try:
        kept = parse_json(read_text(folder / FILE_NAME))
    except (OSError, ValueError):
        return {}
    items = kept.items() if isinstance(kept, dict) else ()
    return {str(name): (pair[0], pair[1]) for name, pair in items if _is_change(pair)}


def remember(folder: Path, changed: Mapping[str, float], configured: Mapping[str, float]) -> bool:
    """Keep what was changed beside what was changed before; forget what is as configured again.

    Args:
        folder: of the person's data; made where it is missing.
        changed: By setting, what it was changed to this evening.
        configured: By setting, as file and environment have it.

    Returns:
        Whether it could be written; a full disk costs nothing else.
    """
    kept = recall(folder) | {n: (v, configured[n]) for n, v in changed.items() if n in configured}
    kept = {name: pair for name, pair in kept.items() if pair[0] != pair[1]}
    path = folder / FILE_NAME
    if not changed:
        return True
    draft = path.with_suffix(f".{os.getpid()}.part")
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=private.FOLDER)
        private.write(draft, json.dumps(kept, indent=1) + "\n")
        draft.replace(path)  # in one step: nobody ever reads half a file
    except OSError:
        with contextlib.suppress(OSError):
            draft.unlink(missing_ok=True)
        return False
    return True


def _is_change(pair: object) -> bool:
    return (
        isinstance(pair, list)
        and len(pair) == 2
        and all(isinstance(v, (int, float)) and not isinstance(v, bool) for v in pair)
    )
