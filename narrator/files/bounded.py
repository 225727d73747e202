"""Reads files somebody else wrote: regular files only, and never more of them than asked for.

Every refusal is an OSError or a ValueError, which is what callers meet anyway when a file is
missing or is no JSON; its text is the reason, without a full stop, to be put in their sentence.
"""

from __future__ import annotations

import errno
import os
import stat
import tomllib
from json import JSONDecodeError, loads
from pathlib import Path
from typing import Any, NoReturn

LONGEST = 4_000_000
"""Bytes of a file that people write; the longest script that is shipped has 30,000."""
DEEPEST = 64
"""Levels of JSON or TOML: no format here needs more than ten."""
_LONGEST_NUMBER = 40
"""Digits of a number: Python's own limit, 4,300, lets through what no clock or score can hold."""
LARGEST_MODEL = 4_000_000_000
"""Bytes of a file of a model: those that are offered have 2 to 1,500 MB."""
_BLOCK = 1 << 20


def read_bytes(path: Path, most: int = LONGEST) -> bytes:
    """Return what a file holds.

    Args:
        path: A regular file; devices, pipes and sockets are refused, for they may never end.
        most: Bytes that it may have.

    Raises:
        OSError: It is missing, no regular file, or longer; `strerror` says which.
    """
    # Not blocking: to open a pipe would wait for somebody to write to it.
    handle = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
    try:
        _judge(handle, path, most)
        file = os.fdopen(handle, "rb")
    except BaseException:
        os.close(handle)
        raise
    with file:
        parts: list[bytes] = []
        size = 0
        while block := file.read(_BLOCK):
            size += len(block)
            if size > most:
                _refuse_length(path, most)
            parts.append(block)
        return b"".join(parts)


def judge(path: Path, most: int) -> None:
    """Refuse a file that a library will open by itself.

    Raises:
        OSError: As `read_bytes`.
    """
    handle = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0))
    try:
        _judge(handle, path, most)
    finally:
        os.close(handle)


def _judge(handle: int, path: Path, most: int) -> None:
    about = os.fstat(handle)
    if stat.S_ISDIR(about.st_mode):
        raise IsADirectoryError(errno.EISDIR, "it is a folder", str(path))
    if not stat.S_ISREG(about.st_mode):
        raise OSError(errno.EINVAL, "it is a device or a pipe, not a file", str(path))
    if about.st_size > most:
        _refuse_length(path, most)


def read_text(path: Path, most: int = LONGEST) -> str:
    """Return a file's text.

    Raises:
        OSError: As `read_bytes`; or it is not UTF-8.
    """
    try:
        return read_bytes(path, most).decode("utf-8-sig")
    except UnicodeDecodeError as fault:
        raise OSError(errno.EILSEQ, "it is not UTF-8 text", str(path)) from fault


def parse_json(text: str) -> Any:
    """Return what a JSON text holds, without numbers that are none or too long to be meant.

    Raises:
        ValueError: It is no JSON (a `JSONDecodeError`, with its line), or out of bounds.
    """
    _refuse_depth(text)
    try:
        return loads(text, parse_int=_whole, parse_float=_decimal, parse_constant=_no_number)
    except RecursionError as fault:
        raise ValueError(_TOO_DEEP) from fault


def parse_toml(text: str) -> dict[str, Any]:
    """Return what a TOML text holds.

    Raises:
        ValueError: It is no TOML (a `TOMLDecodeError`), or out of bounds.
    """
    _refuse_depth(text)
    try:
        return tomllib.loads(text, parse_float=_decimal)
    except RecursionError as fault:
        raise ValueError(_TOO_DEEP) from fault


_TOO_DEEP = f"it is more than {DEEPEST} levels deep"


def reason(fault: OSError) -> str:
    """Return why a file cannot be read or written, for the middle of a sentence."""
    told = fault.strerror or "it fails"
    return told[:1].lower() + told[1:]


def why(fault: ValueError) -> str:
    """Return the reason of a refusal for a sentence: with its place where it has one."""
    if isinstance(fault, JSONDecodeError):
        return f"line {fault.lineno}, column {fault.colno}: {fault.msg[:1].lower()}{fault.msg[1:]}"
    text = str(fault)
    return "it has a number that is too long" if "int_max_str_digits" in text else text


def _refuse_length(path: Path, most: int) -> NoReturn:
    raise OSError(errno.EFBIG, f"it is longer than {most:,} bytes", str(path))


def _refuse_depth(text: str) -> None:
    """Look at the brackets outside texts; the readers themselves recurse."""
    depth, quoted, skip = 0, "", False
    for sign in text if text.count("[") + text.count("{") > DEEPEST else "":
        if skip:
            skip = False
        elif quoted:
            skip = sign == "\\" and quoted == '"'
            quoted = "" if sign == quoted else quoted
        elif sign == '"':
            quoted = sign
        elif sign in "[{":
            depth += 1
            if depth > DEEPEST:
                raise ValueError(_TOO_DEEP)
        elif sign in "]}":
            depth -= 1


def _whole(digits: str) -> int:
    if len(digits) > _LONGEST_NUMBER:
        raise ValueError(f"it has a number of {len(digits):,} digits")
    return int(digits)


def _decimal(digits: str) -> float:
    number = float(digits)
    if len(digits) > _LONGEST_NUMBER or number in (float("inf"), float("-inf")) or number != number:
        raise ValueError(f"it has a number that is too large or none: {digits[:_LONGEST_NUMBER]}")
    return number


def _no_number(word: str) -> NoReturn:
    raise ValueError(f"it has {word}, which is no number")
