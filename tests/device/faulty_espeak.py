"""eSpeak's binding with an engine that fails now and then; put in the place of pyttsx3's own.

What fails, in turn, stands in FAULTY_VOICE; which calls, counted over all processes: every
FAULTY_EVERY-th.
"""

from __future__ import annotations

import contextlib
import ctypes
import importlib.util
import os
import signal
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

_SECOND = 44_100
"""Bytes of one."""


def _real() -> Any:
    """Load the binding that lies behind this one."""
    here = Path(__file__).resolve()
    places = (Path(folder) / "pyttsx3" / "drivers" / "_espeak.py" for folder in sys.path)
    place = next(p for p in places if p.is_file() and p.resolve() != here)
    spec = importlib.util.spec_from_file_location("real_espeak", place)
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


_espeak = _real()
_calls = Path(__file__).with_name("calls")
_take: list[Callable[[Any, int, Any], int]] = []


def __getattr__(name: str) -> Any:
    return getattr(_espeak, name)


def SetSynthCallback(callback: Callable[[Any, int, Any], int]) -> Any:
    _take[:] = [callback]
    return _espeak.SetSynthCallback(callback)


def Synth(text: bytes, **more: Any) -> Any:
    with _calls.open("a") as file:
        file.write(".")
    number, every = _calls.stat().st_size, int(os.environ["FAULTY_EVERY"])
    ways = os.environ["FAULTY_VOICE"].split(",")
    if number % every == 0:
        done = _WAYS[ways[number // every % len(ways)]]()
        if done is not None:
            return done
    return _espeak.Synth(text, **more)


def _hang() -> Any:
    time.sleep(1000)


def _die() -> Any:
    os.kill(os.getpid(), signal.SIGSEGV)


def _give(sound: bytes) -> Any:
    samples = ctypes.create_string_buffer(sound)
    _take[0](ctypes.cast(samples, ctypes.POINTER(ctypes.c_short)), len(sound) // 2, None)
    return _espeak.EE_OK


def _write_everywhere() -> Any:
    for handle in range(3, 12):
        with contextlib.suppress(OSError):
            os.write(handle, b"no answer, but something else entirely")


_WAYS: dict[str, Callable[[], Any]] = {
    "hangs": _hang,
    "dies": _die,
    "nothing": lambda: _espeak.EE_OK,
    "silence": lambda: _give(bytes(_SECOND)),
    "endless": lambda: _give(os.urandom(_SECOND) * 600),
    "garbage": _write_everywhere,
}
