"""Putting a model into its place and taking it away: it is there as a whole, or not at all."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path

from narrator.adapters.model_store.download import ModelStoreError, disk_fault
from narrator.adapters.model_store.unpack import model_inside
from narrator.files.bounded import parse_json, read_text
from narrator.ports.engines import RECORD
from narrator.ports.errors import RecogniserError

FINGERPRINTS = "fingerprints.json"
"""In the models folder: the SHA-256 of each zip that was installed, also of those removed since."""


def put(
    folder: Path,
    name: str,
    fill: Callable[[Path], None],
    note: Mapping[str, str],
    check: Callable[[Path], None],
    trial: Callable[[Path], None],
) -> Path:
    """Fill a hidden folder, judge what is in it, and only then give it its name.

    Args:
        folder: Where models lie; made if need be.
        name: Of the model's folder.
        fill: Writes the files into an empty folder.
        note: What is to be known about it later.
        check: Looks at its files; raises RecogniserError where it is no model.
        trial: Tries it out; raises RecogniserError where it cannot be used.

    Raises:
        RecogniserError: It is no model that can be used.
        StorageError: It cannot be stored.
    """
    place = folder / name
    with _workplace(folder, name) as work:
        with _stored(folder):
            fill(work)
        model = model_inside(work)
        _check(model, work, check)
        trial(model)
        with _stored(folder):
            text = json.dumps(dict(note), ensure_ascii=False, indent=1)
            (model / RECORD).write_text(text + "\n", encoding="utf-8")
            _exchange(model, place, folder)
    return place


def take_away(place: Path) -> None:
    """Remove a model; from the first moment on it is no longer found.

    Raises:
        ModelStoreError: It cannot be removed.
    """
    try:
        if place.is_symlink():
            place.unlink()
            return
        hidden = place.with_name(f".{place.name}.removing")
        shutil.rmtree(hidden, ignore_errors=True)
        place.replace(hidden)
        shutil.rmtree(hidden)
    except OSError as fault:
        why = (fault.strerror or "it fails").lower()
        raise ModelStoreError(f"{place} cannot be removed: {why}.", "Remove it by hand.") from fault


def remembered(folder: Path, name: str) -> str:
    """Return the fingerprint that this model's zip had when it was installed before; else empty."""
    found = _fingerprints(folder).get(name, "")
    return found if isinstance(found, str) else ""


def remember(folder: Path, name: str, sha256: str) -> None:
    """Note the fingerprint of a model's zip. Raises ModelStoreError where it cannot be stored."""
    known = {**_fingerprints(folder), name: sha256}
    with _stored(folder):
        hidden = folder / f".{FINGERPRINTS}.new"
        hidden.write_text(json.dumps(known, indent=1, sort_keys=True) + "\n", encoding="utf-8")
        hidden.replace(folder / FINGERPRINTS)


def read_record(folder: Path) -> dict[str, str]:
    """Return what was noted about an installed model; nothing where it came by hand."""
    try:
        read = parse_json(read_text(folder / RECORD))
    except (OSError, ValueError):
        return {}
    return {k: v for k, v in read.items() if isinstance(v, str)} if isinstance(read, dict) else {}


def size_of(folder: Path) -> int:
    """Return the bytes of everything in a folder."""
    return sum(p.lstat().st_size for p in folder.rglob("*") if p.is_file())


def make_folder(folder: Path) -> None:
    """Make the folder for models. Raises ModelStoreError where it cannot be."""
    with _stored(folder):
        folder.mkdir(parents=True, exist_ok=True)


def _fingerprints(folder: Path) -> dict[str, object]:
    try:
        read = parse_json(read_text(folder / FINGERPRINTS))
    except (OSError, ValueError):
        return {}
    return read if isinstance(read, dict) else {}


@contextmanager
def _workplace(folder: Path, name: str) -> Iterator[Path]:
    make_folder(folder)
    # Of this process alone: two that install one model at a time do not write into one another.
    work = folder / f".{name}.{os.getpid()}.unpacking"
    shutil.rmtree(work, ignore_errors=True)
    with _stored(folder):
        work.mkdir()
    try:
        yield work
    finally:
        shutil.rmtree(work, ignore_errors=True)


@contextmanager
def _stored(folder: Path) -> Iterator[None]:
    try:
        yield
    except OSError as fault:
        raise disk_fault(fault, folder) from fault


def _check(model: Path, work: Path, check: Callable[[Path], None]) -> None:
    try:
        check(model)
    except RecogniserError as error:
        # The hidden folder is gone in a moment, so nobody should be sent there.
        shown = {k: _inside(str(v), work) for k, v in error.fields.items()}
        raise RecogniserError(error.code, **shown) from error


def _inside(path: str, work: Path) -> str:
    return Path(path).relative_to(work.parent).as_posix().partition("/")[2] or "."


def _exchange(model: Path, place: Path, folder: Path) -> None:
    """Return the model its name; what had it before goes only once the new one is there."""
    old = folder / f".{place.name}.{os.getpid()}.old"
    if place.exists():
        place.replace(old)
    try:
        model.replace(place)
    except OSError:
        with suppress(OSError):
            old.replace(place)
        raise
    shutil.rmtree(old, ignore_errors=True)
