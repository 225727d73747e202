"""Synthesisers that do what engines do on bad days; they run in real child processes."""

from __future__ import annotations

import contextlib
import os
import threading

import numpy as np

from narrator.ports.audio import Pcm
from narrator.ports.errors import SynthesiserError
from narrator.ports.faults import FaultCode
from narrator.ports.speech import Voice


class Moody:
    """Does what the line tells it to; all else is a tenth of a second of a flat tone."""

    name = "moody"

    def render(self, text: str, voice: Voice) -> Pcm:
        if text == "hang":
            threading.Event().wait()
        if text == "die":
            os._exit(3)
        if text == "garbage":
            _write_everywhere(b"no answer, but something else entirely\n")
        if text == "refuse":
            raise SynthesiserError(FaultCode.ESPEAK_REFUSED)
        if text == "fail":
            raise RuntimeError("run loop already started")
        if text == "talk":
            os.write(1, b"Audio saved to nowhere\n")
        if text == "silence":
            return np.full(2205, 3, np.int16)
        if text == "endless":
            return np.full(30 * 22_050, 1234, np.int16)
        return np.full(0 if text == "nothing" else 2205, 1234, np.int16)

    def close(self) -> None:
        return


class NeverReady(Moody):
    def __init__(self) -> None:
        threading.Event().wait()


class Slow(Moody):
    """Takes three quarters of a second for a line."""

    def render(self, text: str, voice: Voice) -> Pcm:
        threading.Event().wait(0.75)
        return np.full(2205, 1234, np.int16)


class EveryFourth(Moody):
    """Dies over every fourth line."""

    def render(self, text: str, voice: Voice) -> Pcm:
        if int("".join(filter(str.isdigit, text))) % 4 == 3:
            os._exit(3)
        return np.full(2205, 1234, np.int16)


class NotInstalled(Moody):
    def __init__(self) -> None:
        raise SynthesiserError(FaultCode.ESPEAK_MISSING)


def _write_everywhere(rubbish: bytes) -> None:
    for handle in range(3, 10):
        with contextlib.suppress(OSError):
            os.write(handle, rubbish)
