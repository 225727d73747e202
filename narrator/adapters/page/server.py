"""The page's server: a thread of its own, on one port, with bounded connections."""

from __future__ import annotations

import asyncio
import errno
import socket
import threading
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol

from narrator.adapters.page.access import Access
from narrator.adapters.page.app import Page, make_app
from narrator.adapters.page.board import Board
from narrator.adapters.page.html import Texts
from narrator.adapters.page.stream import Streams
from narrator.ports.errors import PlayError
from narrator.ports.faults import FaultCode
from narrator.ports.page import Press

EVERY_ADDRESS = "0.0.0.0"  # noqa: S104 - phones in the network are to reach it
"""Where the page listens for phones."""
_CONNECTIONS = 64
"""Connections at one time: twenty phones with two each, televisions, and some to spare."""
_ASKS_WITHIN = 5.0
"""Seconds in which a connection has to ask for something; a browser does at once."""
_STARTS_WITHIN = 10.0
"""Seconds in which the server stands, also on a busy machine."""
_ENDS_WITHIN = 2.0
"""Seconds in which it has ended, like every other thread."""


class _Connection(H11Protocol):
    """One connection; the oldest that asks for nothing gives way to one more than there may be."""

    def connection_made(self, transport: Any) -> None:
        """Take it, make room for it, or refuse it."""
        super().connection_made(transport)
        self.made_at = self.loop.time()
        if len(self.connections) > _CONNECTIONS:
            others = (c for c in self.connections if isinstance(c, _Connection) and c is not self)
            idle = [other for other in others if _is_idle(other)]
            given_up = min(idle, key=lambda other: other.made_at, default=self)
            given_up.transport.abort()
        self.loop.call_later(_ASKS_WITHIN, self._end_if_idle)

    def _end_if_idle(self) -> None:
        if not self.has_asked:
            self.transport.abort()

    @property
    def has_asked(self) -> bool:
        """Whether it ever asked for something."""
        cycle: object = getattr(self, "cycle", None)
        return cycle is not None


def _is_idle(connection: Any) -> bool:
    return connection.cycle is None or connection.cycle.response_complete


@dataclass(frozen=True, slots=True)
class Address:
    """Where the page can be reached."""

    host: str
    port: int
    token: str = ""
    """Of the QR code; empty where none is needed."""
    code: str = ""
    """Six digits; empty where none are needed."""

    @property
    def url(self) -> str:
        """The short address."""
        return f"http://{self.host}:{self.port}/"

    @property
    def joining(self) -> str:
        """The address in the QR code, which lets in."""
        return f"{self.url}join?key={self.token}" if self.token else self.url


class PageServer:
    """Serves the page from now on. Raises PlayError where no port can be had.

    Args:
        board: What is shown.
        seats: Gives the names of everybody at the table.
        texts: Gives a text of the page by its name.
        language: Of the page.
        press: Takes a press; from any thread.
        clock: Seconds that never run backwards.
        port: Wanted; a free one where it is taken.
        to_the_network: Whether phones in the network may join, or this machine only.
    """

    def __init__(
        self,
        board: Board,
        seats: Callable[[], Sequence[str]],
        texts: Texts,
        language: str,
        press: Callable[[Press], bool],
        clock: Callable[[], float],
        *,
        port: int,
        to_the_network: bool,
    ) -> None:
        self._socket = _bound(EVERY_ADDRESS if to_the_network else "127.0.0.1", port)
        got = int(self._socket.getsockname()[1])
        host = own_address() if to_the_network else "127.0.0.1"
        hosts = {f"{name}:{got}" for name in ("127.0.0.1", "localhost", host)}
        self.access = Access(hosts, open_to_all=not to_the_network, clock=clock)
        keys = (self.access.token, self.access.code) if to_the_network else ("", "")
        self.address = Address(host, got, *keys)
        """Where it is."""
        self._streams = Streams()
        board.tell(self._streams.tell)
        page = Page(board, self.access, seats, texts, language, press, self._streams)
        self._server = uvicorn.Server(_settings(page))
        self._ready = threading.Event()
        self._thread = threading.Thread(target=self._run, name="page", daemon=True)
        self._thread.start()
        self._ready.wait(_STARTS_WITHIN)

    def close(self) -> None:
        """End every connection and give the port back."""
        self._streams.end()
        self._server.should_exit = self._server.force_exit = True
        self._thread.join(_ENDS_WITHIN)
        self._socket.close()

    def _run(self) -> None:
        with suppress(SystemExit):
            asyncio.run(self._serve())

    async def _serve(self) -> None:
        self._streams.start()
        asyncio.get_running_loop().call_soon(self._ready.set)
        await self._server.serve(sockets=[self._socket])


def _settings(page: Page) -> uvicorn.Config:
    return uvicorn.Config(
        make_app(page), http=_Connection, ws="none", lifespan="off", log_config=None,
        log_level="critical",
        access_log=False, server_header=False, date_header=False, proxy_headers=False,
        timeout_keep_alive=15, timeout_graceful_shutdown=1, h11_max_incomplete_event_size=16_384,
    )  # fmt: skip


def _bound(host: str, port: int) -> socket.socket:
    """Return a socket at a port, or at a free one where that is taken. Raises PlayError."""
    for wanted in (port, 0):
        found = socket.socket()
        found.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            found.bind((host, wanted))
            # Bound alone is not taken: two who only bind may both have the same port.
            found.listen(_CONNECTIONS)
        except OSError as fault:
            found.close()
            if fault.errno != errno.EADDRINUSE or not wanted:
                raise PlayError(FaultCode.PAGE_NO_PORT, port=port) from fault
        else:
            return found
    raise AssertionError("unreachable")  # pragma: no cover


def own_address() -> str:
    """Return this machine's address in the network. Nothing is sent to find it out."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # reserved for documentation: belongs to nobody
            return str(probe.getsockname()[0])
        except OSError:
            return "127.0.0.1"
