"""Keeps the process small where its C library can be told to (glibc, on Linux)."""

from __future__ import annotations

import ctypes
import os

_ARENAS = -8
"""glibc's M_ARENA_MAX."""


def share() -> None:
    """Make all threads allocate from one pool; call this before there are threads.

    A pool for each thread keeps what that thread once needed: with a dozen threads of sound and
    hearing, 50 MB were held by nobody.
    """
    if _is_glibc():
        ctypes.CDLL(None).mallopt(_ARENAS, 1)


def give_back() -> None:
    """Return to the system what is held and not used, as after a model has been read."""
    if _is_glibc():
        ctypes.CDLL(None).malloc_trim(0)


def _is_glibc() -> bool:
    try:
        return (os.confstr("CS_GNU_LIBC_VERSION") or "").startswith("glibc")
    except (AttributeError, ValueError, OSError):
        return False
