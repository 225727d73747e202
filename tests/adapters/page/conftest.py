"""A real server on a free port of this machine, and a client that speaks HTTP byte for byte."""

from __future__ import annotations

import http.client
import json
import time
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import pytest

from narrator.adapters.page.board import Board
from narrator.adapters.page.server import PageServer
from narrator.core.effects import Listen
from narrator.core.expect import Expectation
from narrator.ports.page import Answers, Button, Press
from narrator.ports.session import Asked
from tests.told import ENGLISH

SEATS = ["Ana", "Ben"]


def answers(listen: Listen) -> Answers:
    """Return one button for whatever is asked."""
    if not listen.answers:
        return Answers("words", ())
    return Answers("one", (Button("", "task complete"),), "Say: task complete.")


def question(
    number: int, seat: str | None = None, *, eyes_closed: bool = False, asks: bool = True
) -> Asked:
    """Return a question as the session tells it."""
    expected = (Expectation("phrase", "phrase", ("task complete",)),) if asks else ()
    listen = Listen(number, expected, "night/hear", seat, eyes_closed)
    return Asked(0.0, listen, "phrase", seat=seat, buttons=("pause", "repeat"))


class Pages:
    """A server with its board, and everything that was pressed on it."""

    def __init__(
        self,
        *,
        to_the_network: bool,
        answers: Callable[[Listen], Answers] = answers,
        seats: Sequence[str] = SEATS,
        port: int = 0,
    ) -> None:
        self.pressed: list[Press] = []
        self.now = 0.0
        self._streams: list[http.client.HTTPResponse] = []
        self._connections: list[http.client.HTTPConnection] = []
        self.seats = [*seats]
        self.board = Board(answers, lambda: self.now, lambda: self.seats)
        self.server = PageServer(
            self.board,
            lambda: self.seats,
            ENGLISH.line,
            "en",
            self._take,
            lambda: self.now,
            port=port,
            to_the_network=to_the_network,
        )
        self.port = self.server.address.port
        self.host = f"127.0.0.1:{self.port}"

    def _take(self, press: Press) -> bool:
        self.pressed.append(press)
        return True

    def ask(
        self,
        method: str,
        path: str,
        body: str | bytes | None = None,
        headers: dict[str, str] | None = None,
    ) -> tuple[int, dict[str, str], str]:
        """Send a request; return the status, the headers and the body."""
        told = {"Origin": f"http://{self.host}"} if method == "POST" else {}
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=10)
        try:
            connection.request(method, path, body, {**told, **(headers or {})})
            answer = connection.getresponse()
            return answer.status, dict(answer.getheaders()), answer.read().decode()
        finally:
            connection.close()

    def press(self, number: str = "1", **press: Any) -> tuple[int, str]:
        """Press a button; return the status and what the page is told."""
        status, _, body = self.ask("POST", "/press", json.dumps({"number": number, **press}))
        return status, json.loads(body)["told"]

    def events(self, last: str = "", cookie: str = "") -> http.client.HTTPResponse:
        """Begin to read what happens."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=10)
        headers = {"Last-Event-ID": last, "Cookie": cookie}
        connection.request("GET", "/events", headers={k: v for k, v in headers.items() if v})
        self._streams.append(connection.getresponse())
        self._connections.append(connection)
        return self._streams[-1]

    def leave(self) -> None:
        """End the first stream, as a phone that goes away."""
        self._streams[0].close()
        self._connections[0].close()

    def close(self) -> None:
        """End the server and every stream."""
        self.server.close()
        things: list[Any] = [*self._streams, *self._connections]
        for thing in things:
            thing.close()


def read_until(stream: http.client.HTTPResponse, kind: str) -> list[tuple[str, str, Any]]:
    """Read messages up to the first of a kind; return id, kind and data of each but the beats."""
    found: list[tuple[str, str, Any]] = []
    while not found or found[-1][1] != kind:
        fields: dict[str, str] = {}
        while line := stream.readline().decode().rstrip("\n"):
            name, _, value = line.partition(": ")
            fields[name] = value
        assert fields, "the stream has ended"
        if fields["event"] != "beat":
            found.append((fields.get("id", ""), fields["event"], json.loads(fields["data"])))
    return found


def eventually(holds: Callable[[], bool], seconds: float = 10.0) -> bool:
    """Wait until something holds; tell whether it did in time."""
    end = time.monotonic() + seconds
    while not holds() and time.monotonic() < end:
        time.sleep(0.02)
    return holds()


@pytest.fixture
def pages() -> Iterator[Pages]:
    made = Pages(to_the_network=False)
    yield made
    made.close()


@pytest.fixture
def lan_pages(monkeypatch: pytest.MonkeyPatch) -> Iterator[Pages]:
    """Return pages that let in by token or digits; reached by loopback all the same."""
    monkeypatch.setattr("narrator.adapters.page.server.EVERY_ADDRESS", "127.0.0.1")
    monkeypatch.setattr("narrator.adapters.page.server.own_address", lambda: "127.0.0.1")
    made = Pages(to_the_network=True)
    yield made
    made.close()
