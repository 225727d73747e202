"""Opening a model's zip, or copying its folder, without letting it write anywhere else."""

from __future__ import annotations

import shutil
import stat
import zipfile
import zlib
from collections.abc import Iterator
from pathlib import Path, PurePosixPath

from narrator.adapters.model_store.download import ModelStoreError, StorageError

MOST_FILES = 2_000
MOST_BYTES = 2_000_000_000
"""Of everything unpacked; the small models have about a dozen files and up to 260 MB."""
DEEPEST = 8
"""Folders within one another."""
_PLACES = ("final.mdl", "*/final.mdl", "*/am/final.mdl", "*/*/am/final.mdl")
_BLOCK = 1 << 20
_ENCRYPTED = 1


def unpack(archive: Path, target: Path) -> None:
    """Unpack a zip into an empty folder.

    Args:
        archive: The zip file.
        target: An existing, empty folder.

    Raises:
        ModelStoreError: It is no zip, is damaged, is too large, or would write outside the folder.
        StorageError: It does not fit.
        OSError: The target cannot be written.
    """
    try:
        with zipfile.ZipFile(archive) as opened:
            members = opened.infolist()
            _must_be_harmless(archive, members)
            _must_fit(sum(m.file_size for m in members), target)
            left = MOST_BYTES
            for member in members:
                left -= _write(opened, member, target, left)
                if left < 0:
                    raise _refusal(archive, "unpacks to more than it says")
    except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError) as fault:
        raise ModelStoreError(
            f"{archive} is no zip file, or it is damaged.", "Fetch it once more."
        ) from fault


def copy(folder: Path, target: Path) -> None:
    """Copy a model's folder into an empty folder; the limits are those of a zip.

    Raises:
        ModelStoreError: It holds a link, a device, or too much.
        OSError: Something cannot be read or written.
    """
    files = list(_walk(folder))
    if len(files) > MOST_FILES:
        raise _refusal(folder, f"holds more than {MOST_FILES} files")
    total = 0
    for path in files:
        mode = path.lstat().st_mode
        if not (stat.S_ISREG(mode) or stat.S_ISDIR(mode)):
            raise _refusal(folder, f"holds {path.name}, which is a link or a device")
        total += path.lstat().st_size if stat.S_ISREG(mode) else 0
    if total > MOST_BYTES:
        raise _refusal(folder, "is too large")
    _must_fit(total, target)
    for path in files:
        into = target / path.relative_to(folder)
        if path.is_dir():
            into.mkdir(parents=True, exist_ok=True)
        else:
            into.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(path, into)


def _walk(folder: Path) -> Iterator[Path]:
    for count, path in enumerate(folder.rglob("*")):
        if count > MOST_FILES:  # of a whole disk nobody wants the rest of the list
            break
        yield path


def model_inside(folder: Path) -> Path:
    """Return the folder within `folder`, or itself, that holds the model.

    Raises:
        ModelStoreError: There are several.
    """
    # Not all the way down: somebody may have named a whole disk.
    acoustic = [path for pattern in _PLACES for path in folder.glob(pattern)]
    found = {p.parent.parent if p.parent.name == "am" else p.parent for p in acoustic}
    if len(found) > 1:
        names = ", ".join(sorted(p.name for p in found))
        raise ModelStoreError(f"There are several models in it: {names}.", "Import each by itself.")
    return next(iter(found), folder)


def _must_be_harmless(archive: Path, members: list[zipfile.ZipInfo]) -> None:
    if len(members) > MOST_FILES:
        raise _refusal(archive, f"holds more than {MOST_FILES} files")
    if sum(m.file_size for m in members) > MOST_BYTES:
        raise _refusal(archive, f"unpacks to more than {MOST_BYTES // 1_000_000} MB")
    seen: set[str] = set()
    for member in members:
        problem = _problem(member)
        if problem:
            raise _refusal(archive, f"holds {member.orig_filename!r}, which {problem}")
        key = member.filename.rstrip("/").casefold()
        if key in seen:
            raise _refusal(archive, f"holds {member.filename!r} twice")
        seen.add(key)


def _problem(member: zipfile.ZipInfo) -> str:
    # zipfile cuts a name at NUL and turns separators, so the name as it was written is judged.
    name = member.orig_filename
    path = PurePosixPath(name)
    if "\\" in name or ":" in name or any(ord(c) < ord(" ") for c in name):
        return "has a letter that no file of a model has"
    if path.is_absolute() or ".." in path.parts or not path.parts:
        return "would be written outside the model's folder"
    if len(path.parts) > DEEPEST:
        return "lies too deep"
    mode = member.external_attr >> 16
    if stat.S_IFMT(mode) not in (0, stat.S_IFREG, stat.S_IFDIR):
        return "is a link or a device"
    if member.flag_bits & _ENCRYPTED:
        return "is encrypted"
    return ""


def _must_fit(needed: int, target: Path) -> None:
    free = shutil.disk_usage(target).free
    if needed > free:
        raise StorageError(
            f"The model needs {needed // 1_000_000 + 1} MB, and {free // 1_000_000} MB are free "
            f"at {target.parent}.",
            "Make room there, or let NARRATOR_DATA name another folder.",
        )


def _write(opened: zipfile.ZipFile, member: zipfile.ZipInfo, target: Path, left: int) -> int:
    """Write one member; return its bytes, and stop soon after there are more than may be."""
    into = target.joinpath(*PurePosixPath(member.filename).parts)
    if member.is_dir():
        into.mkdir(parents=True, exist_ok=True)
        return 0
    into.parent.mkdir(parents=True, exist_ok=True)
    written = 0
    with opened.open(member) as source, into.open("xb") as file:
        while written <= left and (block := source.read(_BLOCK)):
            file.write(block)
            written += len(block)
    return written


def _refusal(archive: Path, why: str) -> ModelStoreError:
    return ModelStoreError(
        f"{archive.name} {why}, so nothing of it was unpacked.",
        "Get the model from https://alphacephei.com/vosk/models.",
    )
