"""A real HTTP server on loopback that behaves as badly as it is told to, and models to serve."""

from __future__ import annotations

import io
import threading
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from tests.patience import limit

FST = b"\xd6\xfd\xb2\x7e"
FILES = {
    "am/final.mdl": b"\0B<TransitionModel>",
    "conf/mfcc.conf": b"--sample-frequency=16000",
    "graph/HCLr.fst": FST,
    "graph/Gr.fst": FST,
}
"""What looks like a model that takes a grammar, to everything but Vosk itself."""
STATIC = {name: data for name, data in FILES.items() if "graph" not in name} | {
    "graph/HCLG.fst": FST
}
"""What looks like one of the large models."""


def zipped(files: dict[str, bytes], top: str = "vosk-model-small-de-0.15/") -> bytes:
    """Return a zip with these files below a folder."""
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as opened:
        for name, data in files.items():
            opened.writestr(top + name, data)
    return target.getvalue()


def model_folder(folder: Path, files: dict[str, bytes] = FILES) -> Path:
    """Write the files into a folder."""
    for name, data in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(data)
    return folder


@dataclass
class Behaviour:
    """How the server answers, and what it was asked."""

    data: bytes | Path = b""
    breaks_after: int | None = None
    """Bytes of each answer after which the connection is broken off."""
    says: int | None = None
    """Content-Length in place of the true one; -1 leaves it out."""
    ranges: bool = True
    """Whether it can begin in the middle."""
    wrong_start: int | None = None
    """Where it claims to begin instead of where it was asked to."""
    status: int = 200
    goes_on: threading.Event = field(default_factory=threading.Event)
    """Where it is not set, a broken answer hangs instead of ending."""
    location: str = ""
    asked: list[str] = field(default_factory=list)
    """The Range of each request, empty where there was none."""

    def __post_init__(self) -> None:
        self.goes_on.set()

    @property
    def length(self) -> int:
        """Return the bytes there are to serve."""
        return self.data.stat().st_size if isinstance(self.data, Path) else len(self.data)

    def piece(self, start: int, end: int) -> bytes:
        """Return some of them."""
        if isinstance(self.data, bytes):
            return self.data[start:end]
        with self.data.open("rb") as file:
            file.seek(start)
            return file.read(end - start)


@contextmanager
def serving(behaviour: Behaviour) -> Iterator[str]:
    """Serve on a free port of this machine; gives the address of the file."""

    class Handler(BaseHTTPRequestHandler):
        def log_message(self, *_args: object) -> None:
            """Say nothing."""

        def do_GET(self) -> None:
            answer(self, behaviour)

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}/model.zip"
    finally:
        behaviour.goes_on.set()
        server.shutdown()
        server.server_close()


def answer(handler: BaseHTTPRequestHandler, behaviour: Behaviour) -> None:
    """Answer one request, as well or badly as was told."""
    asked = handler.headers.get("Range", "")
    behaviour.asked.append(asked)
    if behaviour.status != 200:
        handler.send_response(behaviour.status)
        if behaviour.location:
            handler.send_header("Location", behaviour.location)
        handler.send_header("Content-Length", "0")
        handler.end_headers()
        return
    whole = behaviour.length
    start = int(asked.removeprefix("bytes=").rstrip("-")) if asked and behaviour.ranges else 0
    if start >= whole and asked:
        handler.send_response(416)
        handler.send_header("Content-Range", f"bytes */{whole}")
        handler.end_headers()
        return
    told = start if behaviour.wrong_start is None or not start else behaviour.wrong_start
    handler.send_response(206 if start else 200)
    if start:
        handler.send_header("Content-Range", f"bytes {told}-{whole - 1}/{whole}")
    if behaviour.says != -1:
        handler.send_header("Content-Length", str(behaviour.says or whole - start))
    handler.end_headers()
    end = whole if behaviour.breaks_after is None else min(whole, start + behaviour.breaks_after)
    for at in range(start, end, 1 << 20):
        handler.wfile.write(behaviour.piece(at, min(end, at + (1 << 20))))
    handler.wfile.flush()
    behaviour.goes_on.wait(limit(20))
    handler.close_connection = True
