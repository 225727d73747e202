"""Whether hibari is here, and is the release that was listened to."""

from __future__ import annotations

import hashlib
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from pathlib import Path

VERSION = "0.2.1"
HASH = "5f70741d4e900f4e85d0037498736cc1b3e1b9a63a13546a5da1e63abf4fccd8"
"""SHA-256 of `hibari.onnx`: by this file everything in docs/voices.md was measured."""
_INSTALL = "Install it with: pip install 'narrator[voice]'."


def model_file() -> Path | None:
    """Return where the model of the installed package would be; None where there is none."""
    spec = find_spec("hibari")
    if spec is None or not spec.submodule_search_locations:
        return None
    return Path(next(iter(spec.submodule_search_locations))) / "assets" / "hibari.onnx"


def problem() -> str:
    """Return why it cannot be used, with the remedy; empty where it can."""
    path = model_file()
    if path is None:
        return f"The voice hibari is not installed. {_INSTALL}"
    try:
        found = version("hibari-tts")
    except PackageNotFoundError:
        found = "unknown"
    if found != VERSION:
        return f"The voice hibari is version {found}, and {VERSION} is the tried one. {_INSTALL}"
    try:
        stat = path.stat()
        known = _digest(path, stat.st_size, stat.st_mtime_ns) == HASH
    except OSError as error:
        return f"{path} cannot be read: {(error.strerror or 'it fails').lower()}. {_INSTALL}"
    if not known:
        return f"{path} is damaged or another model: its fingerprint is unknown. {_INSTALL}"
    return ""


@cache
def _digest(path: Path, _size: int, _changed: int) -> str:
    """Return the fingerprint; a file that has not changed is read once a process."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
