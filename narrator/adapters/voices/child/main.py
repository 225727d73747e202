"""The child process of a voice: reads requests from stdin, writes sound to stdout.

Run as `python -m narrator.adapters.voices.child.main module:class [module:function]`; the function
is what the class is made with. It ends when its parent does.
"""

from __future__ import annotations

import json
import os
import pkgutil
import queue
import signal
import struct
import sys
import threading
from typing import IO, Any

import numpy as np

from narrator.ports.errors import PlayError
from narrator.ports.faults import FaultCode
from narrator.ports.speech import Synthesiser, Voice

_HEADER = struct.Struct(">4sII")
_MAGIC = b"NRV1"


def main() -> None:
    """Serve requests with the engine named on the command line until stdin ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the parent, which ends us.
    answers = _private_stdout()
    requests: queue.SimpleQueue[dict[str, Any]] = queue.SimpleQueue()
    threading.Thread(target=_read_requests, args=(requests,), daemon=True).start()
    engine = _make_engine(sys.argv[1:], answers)
    while engine is not None:
        _answer(engine, requests.get(), answers)


def _private_stdout() -> IO[bytes]:
    """Keep stdout for answers; what an engine prints goes to stderr."""
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    sys.stdout = sys.stderr
    return answers


def _make_engine(paths: list[str], answers: IO[bytes]) -> Synthesiser | None:
    """Make the engine and say so; the main thread owns it, as some systems demand."""
    try:
        make, *given = map(pkgutil.resolve_name, paths)
        engine: Synthesiser = make(*given)
    except Exception as error:  # whatever an engine does, the parent is told in a sentence
        _send(answers, _failure(error))
        return None
    _send(answers, {"ready": engine.name})
    return engine


def _answer(engine: Synthesiser, request: dict[str, Any], answers: IO[bytes]) -> None:
    try:
        if request["do"] == "voices":
            infos = engine.voices()  # type: ignore[attr-defined]
            head = {"voices": [{"id": i.id, "language": i.language, "name": i.name} for i in infos]}
            sound = b""
        else:
            head = {}
            pcm = engine.render(request["text"], Voice(**request["voice"]))
            sound = np.asarray(pcm).astype("<i2", casting="equiv").tobytes()
    except Exception as error:  # a line that fails is an answer, too
        head, sound = _failure(error), b""
    _send(answers, head, sound)


def _failure(error: Exception) -> dict[str, Any]:
    if isinstance(error, PlayError):
        return {"error": error.code.value, "fields": error.fields}
    return {"error": FaultCode.VOICE_CRASHED.value, "fields": {"kind": type(error).__name__}}


def _send(stream: IO[bytes], head: dict[str, Any], sound: bytes = b"") -> None:
    raw = json.dumps(head).encode()
    stream.write(_HEADER.pack(_MAGIC, len(raw), len(sound)) + raw + sound)
    stream.flush()


def _read_requests(requests: queue.SimpleQueue[dict[str, Any]]) -> None:
    """Pass requests on; end the process with its parent, even while an engine hangs."""
    stream = sys.stdin.buffer
    while header := stream.read(_HEADER.size):
        _, size, _ = _HEADER.unpack(header)
        requests.put(json.loads(stream.read(size)))
    os._exit(0)


if __name__ == "__main__":
    main()
