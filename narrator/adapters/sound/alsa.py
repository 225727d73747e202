"""Keeps ALSA, the library below PortAudio on Linux, from writing to the terminal of who plays."""

from __future__ import annotations

import ctypes
import functools
import sys
from contextlib import suppress

_LIBRARY = "libasound.so.2"


@functools.cache
def quieten() -> None:
    """Discard ALSA's own messages; what they report is noticed and told in sentences.

    A screen reader would read each aloud, in the midst of a line of the game.
    """
    if not sys.platform.startswith("linux"):
        return
    with suppress(OSError, AttributeError):
        set_handler = ctypes.CDLL(_LIBRARY).snd_lib_error_set_handler
        set_handler.argtypes, set_handler.restype = [ctypes.c_void_p], ctypes.c_int
        # A function of C's that looks at none of its arguments: one of Python's would have to wait
        # for the interpreter in the thread that plays, and would be called after its end.
        nothing = ctypes.CDLL(None).getpid
        set_handler(ctypes.cast(nothing, ctypes.c_void_p))
