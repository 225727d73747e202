"""Sets a damaged journal aside, under another name and never over another file."""

from __future__ import annotations

import os
from pathlib import Path

_MOST = 1000
_TAILS = ("", "-wal")


def put_in_place(draft: Path, path: Path, moment: str) -> Path:
    """Replace a damaged journal by a new one; return where the damaged one is kept.

    Whatever ends the program meanwhile, one of the two is there, and the damaged one in any case.

    Args:
        draft: The new journal, closed.
        path: Of the journal.
        moment: Local time in ISO 8601.

    Raises:
        OSError: It cannot be done; the damaged one is where it was.
    """
    other = _free(path, moment[:19].replace(":", "-"))
    for tail in _TAILS:
        _keep(Path(f"{path}{tail}"), Path(f"{other}{tail}"))
    # A log would be read into the new file if it lay beside it.
    for tail in ("-wal", "-shm"):
        Path(f"{path}{tail}").unlink(missing_ok=True)
    os.replace(draft, path)
    return other


def _free(path: Path, stamp: str) -> Path:
    stem = f"{path.stem}-damaged-{stamp}"
    for count in range(1, _MOST):
        other = path.with_name(f"{stem}{f'-{count}' if count > 1 else ''}.sqlite3")
        if not other.exists() and not Path(f"{other}-wal").exists():
            return other
    raise FileExistsError(17, "there are too many damaged journals")


def _keep(part: Path, other: Path) -> None:
    if not part.exists():
        return
    try:
        os.link(part, other)
    except OSError:  # a disk that knows no second name
        part.rename(other)
