"""Server-sent events: what happens, as it happens, and after a pause what was missed."""

from __future__ import annotations

import asyncio
import os
from contextlib import suppress

from starlette.requests import Request
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from narrator.adapters.page.board import Board, Message

_WAITING = 500
"""Messages that may wait for a slow page: ten minutes of a talkative game."""
_SENT_WITHIN = 10.0
"""Seconds in which a page has to take a message; a phone that sleeps takes none."""
_BEAT = 1.0
"""Seconds between signs of life: a page that misses three says that it lost the connection."""


class Streams:
    """Everybody who reads along. Used in the server's thread, but for `tell`."""

    def __init__(self) -> None:
        self.run = os.urandom(4).hex()
        """Begins every message's id: numbers of an earlier start mean nothing here."""
        self._loop: asyncio.AbstractEventLoop | None = None
        self._readers: set[asyncio.Queue[Message | None]] = set()

    def start(self) -> None:
        """Note the loop in which messages are passed on."""
        self._loop = asyncio.get_running_loop()

    def tell(self, message: Message) -> None:
        """Pass on a message; from any thread, returns at once."""
        if self._loop is not None:
            with suppress(RuntimeError):  # the loop has ended
                self._loop.call_soon_threadsafe(self._pass_on, message)

    def end(self) -> None:
        """Send everybody away; from any thread."""
        if self._loop is not None:
            with suppress(RuntimeError):
                self._loop.call_soon_threadsafe(self._pass_on, None)

    def read(self) -> asyncio.Queue[Message | None]:
        """Return what one more reader will be sent."""
        queue: asyncio.Queue[Message | None] = asyncio.Queue(_WAITING)
        self._readers.add(queue)
        return queue

    def leave(self, queue: asyncio.Queue[Message | None]) -> None:
        """Send nothing more to a reader."""
        self._readers.discard(queue)

    def is_reading(self, queue: asyncio.Queue[Message | None]) -> bool:
        """Whether a reader was not dropped for being slow."""
        return queue in self._readers

    def _pass_on(self, message: Message | None) -> None:
        for queue in list(self._readers):
            try:
                queue.put_nowait(message)
            except asyncio.QueueFull:
                self._readers.discard(queue)


class Stream:
    """Answers a request with everything that happens from now on.

    Args:
        board: Has what was missed.
        streams: Everybody who reads along.
    """

    def __init__(self, board: Board, streams: Streams) -> None:
        self._board, self._streams = board, streams

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send until the reader leaves or is too slow."""
        request = Request(scope)
        if request.method != "GET":
            await Response("", 405)(scope, receive, send)
            return
        queue = self._streams.read()
        gone = asyncio.ensure_future(_left(receive))
        try:
            headers = [(b"content-type", b"text/event-stream; charset=utf-8")]
            await send({"type": "http.response.start", "status": 200, "headers": headers})
            await self._send_all(self._after(request), queue, gone, send)
        except (TimeoutError, OSError):
            pass
        finally:
            gone.cancel()
            self._streams.leave(queue)

    def _after(self, request: Request) -> int | None:
        """Return the number of the last message that a page had; None where it had none."""
        last = request.headers.get("last-event-id", "") or request.query_params.get("last", "")
        run, _, number = last.partition(".")
        fits = run == self._streams.run and number.isascii() and number.isdigit()
        return int(number[:15]) if fits else None

    async def _send_all(
        self,
        after: int | None,
        queue: asyncio.Queue[Message | None],
        gone: asyncio.Future[None],
        send: Send,
    ) -> None:
        missed = self._board.since(after)
        first = "event: fresh\ndata: {}\n\n" if after is None else ""
        await _send(send, first + "".join(map(self._written, missed)))
        had = max((message.number for message in missed), default=after or 0)
        while not gone.done() and self._streams.is_reading(queue):
            try:
                message = await asyncio.wait_for(queue.get(), _BEAT)
            except TimeoutError:
                await _send(send, "event: beat\ndata: {}\n\n")
                continue
            if message is None:
                return
            if message.number > had:
                await _send(send, self._written(message))

    def _written(self, message: Message) -> str:
        number = f"{self._streams.run}.{message.number}"
        return f"id: {number}\nevent: {message.kind}\ndata: {message.data}\n\n"


async def _send(send: Send, text: str) -> None:
    async with asyncio.timeout(_SENT_WITHIN):
        await send({"type": "http.response.body", "body": text.encode(), "more_body": True})


async def _left(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass
