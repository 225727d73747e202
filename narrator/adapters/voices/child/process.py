"""A synthesiser in a child process: whatever its engine does, it costs one line and never the game.

The child (`main.py` beside this) is started at once and answers one request at a time. A child that
hangs, dies or talks nonsense is killed, and the next line finds a fresh one.
"""

from __future__ import annotations

import dataclasses
import json
import os
import queue
import struct
import subprocess
import sys
import threading
from collections.abc import Mapping
from typing import IO, Any

import numpy as np

from narrator.ports.audio import SPEAKER_RATE, Pcm
from narrator.ports.errors import SynthesiserError
from narrator.ports.faults import FaultCode
from narrator.ports.speech import Voice, VoiceInfo

_CHILD = "narrator.adapters.voices.child.main"
_HEADER = struct.Struct(">4sII")
_MAGIC = b"NRV1"
_LONGEST_HEAD = 1 << 22
_LONGEST_SOUND = 1 << 28
_FAINTEST = 50
"""Of a sample: below it nothing can be heard."""
_LONGEST, _LONGEST_CHARACTER = 5.0, 1.5
"""Seconds of a line, and more for each of its characters: more than the slowest rate needs, with
numbers written as figures."""


class ChildSynthesiser:
    """Any Synthesiser, run in a process that can be killed; may be used from any thread."""

    def __init__(
        self,
        engine: str,
        name: str,
        patience: float = 5.0,
        start: float = 15.0,
        given: str = "",
    ) -> None:
        """Start the child; returns at once.

        Args:
            engine: `module:class` of the synthesiser, made in the child.
            name: of the engine.
            patience: seconds a line may take, and 10 ms more for every character.
            start: seconds in which the child must be ready.
            given: `module:function` that the synthesiser is made with; empty: nothing.
        """
        self.name = name
        self._patience, self._start = patience, start
        self._engine = [engine, given] if given else [engine]
        self._lock = threading.Lock()
        self._closed = False
        self._child: _Child | None = _Child(self._engine)

    def render(self, text: str, voice: Voice) -> Pcm:
        """Return the line at SPEAKER_RATE.

        Raises SynthesiserError when the engine refuses, hangs, dies, or gives no sound for words.
        """
        request = {"do": "render", "text": text, "voice": dataclasses.asdict(voice)}
        _, sound = self._ask(request, self._patience + 0.01 * len(text))
        pcm = np.frombuffer(sound, "<i2").astype(np.int16)
        _examine(pcm, text, voice)
        return pcm

    def voices(self) -> list[VoiceInfo]:
        """List the engine's voices. Raises SynthesiserError as `render` does."""
        answer, _ = self._ask({"do": "voices"}, self._patience)
        return [VoiceInfo(**{key: str(v) for key, v in one.items()}) for one in answer["voices"]]

    def is_ready(self, seconds: float) -> bool:
        """Wait at most so long for the child; whether it can be asked without waiting any more.

        One that ended at its start can be asked, too: it has a reason to tell.
        """
        with self._lock:
            return self._closed or self._living_child().is_ready(seconds)

    def close(self) -> None:
        """End the child; returns within two seconds, whatever the child is doing."""
        self._closed = True
        child = self._child  # Without the lock: a line under way holds it, and is to be ended too.
        if child is not None:
            child.kill()

    def _ask(self, request: dict[str, Any], limit: float) -> tuple[dict[str, Any], bytes]:
        with self._lock:
            if self._closed:
                raise SynthesiserError(FaultCode.VOICE_CLOSED)
            child = self._living_child()
            try:
                child.await_ready(self._start)
                answer, sound = child.ask(request, limit)
            except _LostError as lost:
                self._replace(child)
                raise SynthesiserError(lost.code) from lost
            except SynthesiserError:
                child.kill()  # It could not make its engine; the next line tries again.
                self._child = None
                raise
        if "error" in answer:
            raise _failure(answer)
        return answer, sound

    def _living_child(self) -> _Child:
        if self._child is None or self._child.has_died():
            self._replace(self._child)
        assert self._child is not None  # noqa: S101 - just put there; tells mypy so
        return self._child

    def _replace(self, child: _Child | None) -> None:
        if child is not None:
            child.kill()
        if not self._closed:
            self._child = _Child(self._engine)


def _examine(pcm: Pcm, text: str, voice: Voice) -> None:
    """Raise SynthesiserError for what cannot be this text: nobody would wait for its end."""
    spoken = any(letter.isalnum() for letter in text)
    faintest = _FAINTEST if voice.volume > 0 else 0
    if spoken and (not pcm.size or np.abs(pcm.astype(np.int32)).max() < faintest):
        raise SynthesiserError(FaultCode.VOICE_WITHOUT_SOUND)
    if pcm.size > SPEAKER_RATE * (_LONGEST + _LONGEST_CHARACTER * len(text)):
        raise SynthesiserError(FaultCode.VOICE_ENDLESS)


def _failure(answer: Mapping[str, Any]) -> SynthesiserError:
    """Return what the child reports; whatever it is, it costs one line only."""
    try:
        return SynthesiserError(FaultCode(answer["error"]), **answer.get("fields", {}))
    except (ValueError, TypeError):
        return SynthesiserError(FaultCode.VOICE_CRASHED, kind="answer")


class _LostError(Exception):
    """The child cannot be used any more."""

    def __init__(self, code: FaultCode) -> None:
        super().__init__(code)
        self.code = code


class _Child:
    """One process and the thread that talks with it, so that a time limit works on every system."""

    def __init__(self, engine: list[str]) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-m", _CHILD, *engine],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env={**os.environ, "PYTHONPATH": os.pathsep.join(path for path in sys.path if path)},
        )
        self._requests: queue.SimpleQueue[dict[str, Any] | None] = queue.SimpleQueue()
        self._answers: queue.SimpleQueue[tuple[dict[str, Any], bytes] | None] = queue.SimpleQueue()
        self._ready = False
        self._first: tuple[dict[str, Any], bytes] | None = None
        self._lost = False
        threading.Thread(target=self._talk, name="voice-child", daemon=True).start()

    def has_died(self) -> bool:
        """Whether it ended after it was ready."""
        return self._ready and self._process.poll() is not None

    def await_ready(self, limit: float) -> None:
        """Wait for the child's first word. Raises _LostError, or what the engine could not do."""
        if self._ready:
            return
        if not self.is_ready(limit):
            raise _LostError(FaultCode.VOICE_NOT_STARTED)
        if self._first is None:
            raise _LostError(FaultCode.VOICE_STOPPED)
        answer, _ = self._first
        if "error" in answer:
            raise _failure(answer)
        self._ready = True

    def is_ready(self, limit: float) -> bool:
        """Wait for the child's first word, or its end, at most so long."""
        if self._first is None and not self._lost:
            try:
                self._first = self._answers.get(timeout=limit)
            except queue.Empty:
                return False
            self._lost = self._first is None
        return True

    def ask(self, request: dict[str, Any], limit: float) -> tuple[dict[str, Any], bytes]:
        self._requests.put(request)
        return self._next(limit, FaultCode.VOICE_LATE)

    def kill(self) -> None:
        self._requests.put(None)
        self._process.kill()
        try:
            self._process.wait(2)
        except subprocess.TimeoutExpired:
            return

    def _next(self, limit: float, late: FaultCode) -> tuple[dict[str, Any], bytes]:
        try:
            answer = self._answers.get(timeout=limit)
        except queue.Empty:
            raise _LostError(late) from None
        if answer is None:
            raise _LostError(FaultCode.VOICE_STOPPED)
        return answer

    def _talk(self) -> None:
        """Serve requests until the pipe breaks; owns both pipes, so nobody else waits on them."""
        process = self._process
        assert process.stdin and process.stdout  # noqa: S101 - both were asked for
        with process.stdin as to_child, process.stdout as from_child:
            try:
                self._answers.put(_receive(from_child))
                while (request := self._requests.get()) is not None:
                    _send(to_child, request)
                    self._answers.put(_receive(from_child))
            except (OSError, ValueError, EOFError):
                self._answers.put(None)
            # Whatever is left in the buffer of a broken pipe would raise again while closing.
            _forget_buffer(to_child)


def _send(stream: IO[bytes], request: dict[str, Any]) -> None:
    head = json.dumps(request).encode()
    stream.write(_HEADER.pack(_MAGIC, len(head), 0) + head)
    stream.flush()


def _receive(stream: IO[bytes]) -> tuple[dict[str, Any], bytes]:
    """Read one answer. Raises EOFError or ValueError when there is none or it is nonsense."""
    magic, head_size, sound_size = _HEADER.unpack(_exactly(stream, _HEADER.size))
    if magic != _MAGIC or head_size > _LONGEST_HEAD or sound_size > _LONGEST_SOUND:
        raise ValueError("not an answer")
    head = json.loads(_exactly(stream, head_size))
    if not isinstance(head, dict) or sound_size % 2:
        raise ValueError("not an answer")
    return head, _exactly(stream, sound_size)


def _exactly(stream: IO[bytes], count: int) -> bytes:
    data = stream.read(count)
    if len(data) < count:
        raise EOFError
    return data


def _forget_buffer(stream: IO[bytes]) -> None:
    try:
        stream.close()
    except OSError:
        return
