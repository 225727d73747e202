"""Fetching a model's file over the network, so that what has come is never fetched twice.

The one module that opens a connection. Only `narrator models install` reaches it; play never does.
"""

from __future__ import annotations

import hashlib
import http.client
import re
import ssl
import urllib.error
import urllib.request
from collections.abc import Callable
from email.message import Message
from pathlib import Path
from typing import IO, Any
from urllib.parse import urlsplit

from narrator.ports.errors import NarratorError

Progress = Callable[[int, int | None], None]
"""Called with the bytes loaded so far, and the total if it is known."""

TIMEOUT = 30.0
"""Seconds in which a server must say something."""
ATTEMPTS = 5
"""How often a download that breaks off is taken up again, as long as each brings something."""
LARGEST = 1_000_000_000
"""Bytes of a file whose size nobody knows beforehand."""
AGAIN = "Run the same command again: it goes on where it stopped."
_BLOCK = 1 << 16
_RANGE = re.compile(r"bytes (?:(\d+)-\d+|\*)/(\d+|\*)$")


class DownloadError(NarratorError):
    """The file could not be fetched."""

    exit_code = 7


class ModelStoreError(NarratorError):
    """A model cannot be installed, imported or removed."""

    exit_code = 3


class StorageError(ModelStoreError):
    """What came is good as far as is known, and cannot be stored."""


def download(url: str, part: Path, size: int | None, progress: Progress) -> None:
    """Fetch a file into `part`, going on behind what is there already.

    Args:
        url: Where it is; https, or http where a fingerprint will tell.
        part: The file to fill; kept when the download breaks off.
        size: Bytes it must have; None where nobody knows.
        progress: Told from time to time.

    Raises:
        DownloadError: There is no network, the download broke off, or it is another file.
        StorageError: The disk is full or cannot be written.
    """
    for _ in range(ATTEMPTS):
        before = _length(part)
        if _fetched(url, part, size, progress):
            return
        if _length(part) <= before:
            break
    there, whole = _megabytes(_length(part)), f" of {_megabytes(size)}" if size else ""
    raise DownloadError(f"The download broke off after {there}{whole} MB.", AGAIN)


def sha256_of(path: Path) -> str:
    """Return a file's SHA-256 in hexadecimal."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _fetched(url: str, part: Path, size: int | None, progress: Progress) -> bool:
    """Fetch as much as comes; tell whether the file is whole."""
    there = _length(part)
    if size is not None and there >= size:
        if there == size:
            return True
        part.unlink()
        there = 0
    try:
        response = _open(url, there)
    except urllib.error.HTTPError as answer:
        return _without_content(answer, url, part, there)
    except OSError as fault:
        raise _unreachable(url, fault) from fault
    with response:
        start, whole = _announced(response, there)
        if start not in (0, there):
            part.unlink()  # it answered with another piece than was asked for
            return False
        _must_be_the_file(url, size, whole)
        limit = size or whole or LARGEST
        _write(response, part, start, limit, lambda done: progress(done, size or whole))
    return _length(part) == (size or whole or _length(part))


def _open(url: str, there: int) -> Any:
    headers = {"User-Agent": "narrator", "Accept-Encoding": "identity"}
    if there:
        headers["Range"] = f"bytes={there}-"
    request = urllib.request.Request(url, headers=headers)  # noqa: S310 - the manifest allows http(s)
    return urllib.request.build_opener(_NeverLessSafe()).open(request, timeout=TIMEOUT)


class _NeverLessSafe(urllib.request.HTTPRedirectHandler):
    """Follows a server elsewhere, but not from a safe connection to an open one."""

    def redirect_request(
        self,
        req: urllib.request.Request,
        fp: IO[bytes],
        code: int,
        msg: str,
        headers: http.client.HTTPMessage,
        newurl: str,
    ) -> urllib.request.Request | None:
        if req.type == "https" and urlsplit(newurl).scheme != "https":
            raise DownloadError(
                f"{req.host} sends us on to an address that is not safe: {newurl}.",
                "Try again later, or get the file by hand.",
            )
        return super().redirect_request(req, fp, code, msg, headers, newurl)


def _without_content(answer: urllib.error.HTTPError, url: str, part: Path, there: int) -> bool:
    """Judge an answer that is no file: beyond the end (416) means that we have it all, or more."""
    with answer:
        if answer.code == http.client.REQUESTED_RANGE_NOT_SATISFIABLE and there:
            if _range(answer.headers)[1] == there:
                return True
            part.unlink()
            return False
        raise DownloadError(
            f"{urlsplit(url).hostname} answered {answer.code} ({answer.reason}) for {url}.",
            by_hand(url),
        )


def _unreachable(url: str, fault: OSError) -> DownloadError:
    reason = fault.reason if isinstance(fault, urllib.error.URLError) else fault
    host = urlsplit(url).hostname
    if isinstance(reason, ssl.SSLCertVerificationError):
        return DownloadError(
            f"{host} could not prove that it is {host}: {reason.verify_message}.", by_hand(url)
        )
    why = getattr(reason, "strerror", None) or str(reason) or "it does not answer"
    return DownloadError(f"There is no network connection to {host}: {why}.", by_hand(url))


def by_hand(url: str) -> str:
    """Say how to bring a file here without the network."""
    return (
        f"Fetch {url} on another machine, copy the zip here and run `narrator models import FILE`."
    )


def _announced(response: Any, there: int) -> tuple[int, int | None]:
    """Return where the piece begins, and the whole file's length if it is told."""
    if response.status == http.client.PARTIAL_CONTENT:
        start, whole = _range(response.headers)
        return (-1 if start is None else start), whole
    told = response.headers.get("Content-Length", "")
    return 0, int(told) if told.isdigit() else None


def _range(headers: Message) -> tuple[int | None, int | None]:
    found = _RANGE.match(headers.get("Content-Range", "").strip())
    if not found:
        return None, None
    start, whole = found[1], found[2]
    return (None if start is None else int(start)), (None if whole == "*" else int(whole))


def _must_be_the_file(url: str, size: int | None, whole: int | None) -> None:
    if size is not None and whole is not None and size != whole:
        raise DownloadError(
            f"The file at {url} is not the known one: it has {whole} bytes instead of {size}.",
            by_hand(url),
        )
    if (size or whole or 0) > LARGEST:
        raise DownloadError(f"The file at {url} is too large for a speech model.", "")


def _write(
    response: Any, part: Path, start: int, limit: int, progress: Callable[[int], None]
) -> None:
    done = start
    try:
        with part.open("ab" if start else "wb") as file:
            while block := _read(response):
                done += len(block)
                if done > limit:
                    break
                file.write(block)
                progress(done)
    except OSError as fault:
        raise disk_fault(fault, part.parent) from fault
    if done > limit:
        part.unlink()
        raise DownloadError("The server sends more than the file it announced.", "Try again later.")


def _read(response: Any) -> bytes:
    """Return the next bytes; none where the connection ends, in whatever way it does."""
    try:
        block: bytes = response.read(_BLOCK)
    except (OSError, http.client.HTTPException):
        return b""
    return block


def disk_fault(fault: OSError, folder: Path) -> StorageError:
    """Say in one sentence that something could not be written."""
    why = (fault.strerror or "it fails").lower()
    return StorageError(
        f"The model cannot be stored in {folder}: {why}.",
        "Make room there, or let NARRATOR_DATA name another folder.",
    )


def _length(part: Path) -> int:
    return part.stat().st_size if part.exists() else 0


def _megabytes(size: int) -> str:
    return f"{size / 1_000_000:.1f}"
