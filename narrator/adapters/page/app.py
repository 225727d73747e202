"""The requests that the page answers, each checked first: whose host, whose origin, who asks."""

from __future__ import annotations

import asyncio
import json
from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from starlette.applications import Starlette
from starlette.requests import ClientDisconnect, Request
from starlette.responses import HTMLResponse, JSONResponse, RedirectResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp, Receive, Scope, Send

from narrator.adapters.page import html
from narrator.adapters.page.access import COOKIE, Access
from narrator.adapters.page.board import Board
from narrator.adapters.page.html import Texts
from narrator.adapters.page.stream import Stream, Streams
from narrator.ports.page import Press

_BODY = 4_096
"""Bytes of a request's body: an answer with a score for each of twenty seats has half of it."""
_BODY_WITHIN = 5.0
"""Seconds in which a body has to be there; a phone needs a hundredth."""
_LINE = 400
"""Characters of an answer."""
_REMEMBERED = 2_000
"""Presses that are recognised when they come twice."""
HEADERS = {
    "Content-Security-Policy": (
        "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; "
        "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
    "Cache-Control": "no-store",
}
"""Sent with every answer."""


@dataclass(slots=True)
class Page:
    """What the requests are answered from."""

    board: Board
    access: Access
    seats: Callable[[], Sequence[str]]
    texts: Texts
    language: str
    press: Callable[[Press], bool]
    """Takes a press, from any thread; False where too much waits."""
    streams: Streams
    _seen: OrderedDict[str, tuple[int, str]] = field(default_factory=OrderedDict)

    async def table(self, request: Request) -> Response:
        """Show what a television shows."""
        return HTMLResponse(html.table(self.board, self.texts, self.language))

    async def hand(self, request: Request) -> Response:
        """Show what a phone shows."""
        return HTMLResponse(html.hand(self.seats(), self.texts, self.language))

    async def root(self, request: Request) -> Response:
        """Lead a phone to its page."""
        return RedirectResponse("/hand", 303)

    async def static(self, request: Request) -> Response:
        """Send a file of the page's own."""
        found = html.static(request.path_params["name"])
        return (
            Response(status_code=404) if found is None else Response(found[0], media_type=found[1])
        )

    async def join(self, request: Request) -> Response:
        """Let somebody in by the token of the QR code or by the six digits."""
        if request.method == "GET":
            token = request.query_params.get("key")
            if token is None:
                return HTMLResponse(html.join(self.texts, self.language))
            return self._let_in() if self.access.opens(token) else self._refused("page wrong code")
        form = dict(pair.partition("=")[::2] for pair in (await _body(request)).split("&"))
        right = self.access.opens_by_code(form.get("code", "")[:20])
        if right is None:
            return self._refused("page too many", 429)
        return self._let_in() if right else self._refused("page wrong code")

    async def pressed(self, request: Request) -> Response:
        """Take a press. One that was sent twice counts once and has the same answer again."""
        try:
            sent = json.loads(await _body(request))
            number, press = str(sent["number"])[:64], _press(sent)
        except (ValueError, KeyError, TypeError, RecursionError):
            return JSONResponse({"told": ""}, 400)
        if number not in self._seen:
            self._seen[number] = self._judge(press)
            while len(self._seen) > _REMEMBERED:
                self._seen.popitem(last=False)
        status, told = self._seen[number]
        return JSONResponse({"told": told}, status)

    def _judge(self, press: Press) -> tuple[int, str]:
        """Hand a press on where it may count; at night every one has the same answer."""
        question = self.board.question
        if press.by and press.by not in self.seats():
            return 400, ""
        if press.command:
            meant = press.command in question.commands
        else:
            meant = question.is_meant(press.listen)
            press = replace(press, listen=question.listen)
        if question.eyes_closed and not press.command:
            press = replace(press, line="")  # there is one button, whatever a page sends
        own = bool(press.command) or question.seat is None or press.by in ("", question.seat)
        taken = meant and own and self.press(press)
        if question.eyes_closed or taken:
            return 202, ""
        return 409, self.texts("page late" if own else "page not yours")

    def _let_in(self) -> Response:
        response = RedirectResponse("/hand", 303)
        response.set_cookie(COOKIE, self.access.cookie, httponly=True, samesite="strict", path="/")
        return response

    def _refused(self, name: str, status: int = 403) -> Response:
        return HTMLResponse(html.join(self.texts, self.language, self.texts(name)), status)


class _TooMuch(Exception):
    """A body that is too long, or does not come."""


async def _cut_off(request: Request, fault: Exception) -> Response:
    return Response("", 413, headers={"Connection": "close"})


async def _body(request: Request) -> str:
    """Return the body, as far as it is short and there in time. Raises _TooMuch."""
    parts, size = [], 0
    try:
        async with asyncio.timeout(_BODY_WITHIN):
            async for part in request.stream():
                size += len(part)
                if size > _BODY:
                    raise _TooMuch
                parts.append(part)
    except (TimeoutError, ClientDisconnect) as fault:
        raise _TooMuch from fault
    return b"".join(parts).decode("utf-8")


def _press(sent: dict[str, Any]) -> Press:
    """Return what was sent as a press. Raises ValueError where it can be none."""
    line, by, command = (sent.get(name, "") for name in ("line", "by", "command"))
    listen = sent.get("listen", -1)
    if not (isinstance(line, str) and isinstance(by, str) and isinstance(command, str)):
        raise ValueError("not text")
    if not isinstance(listen, int) or len(line) > _LINE or not line.isprintable():
        raise ValueError("no answer")
    return Press(line, listen, by, command)


class Guard:
    """Stands before everything: refuses what is not meant for this page or not let in.

    Args:
        inner: Answers what is let through.
    """

    def __init__(self, inner: ASGIApp, access: Access) -> None:
        self._inner, self._access = inner, access

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or refuse it."""
        if scope["type"] == "lifespan":
            await self._inner(scope, receive, send)
            return
        refusal = self._refusal(Request(scope)) if scope["type"] == "http" else Response("", 400)

        async def headed(message: Any) -> None:
            if message["type"] == "http.response.start":
                extra = [(k.lower().encode(), v.encode()) for k, v in HEADERS.items()]
                message["headers"] = [*message["headers"], *extra]
            await send(message)

        await (refusal or self._inner)(scope, receive, headed)

    def _refusal(self, request: Request) -> Response | None:
        """Return why a request is not answered; None where it is."""
        hosts = request.headers.getlist("host")
        if len(hosts) != 1 or not self._access.is_ours(hosts[0]):
            return Response("", 421)
        if request.method == "POST" and not self._access.is_own_origin(
            request.headers.get("origin", "")
        ):
            return Response("", 403)
        path = request.url.path
        free = path == "/join" or path.startswith("/static/")
        if free or self._access.is_known(request.cookies.get(COOKIE, "")):
            return None
        return RedirectResponse("/join", 303) if request.method == "GET" else Response("", 403)


def make_app(page: Page) -> ASGIApp:
    """Return what answers the requests."""
    routes = [
        Route("/", page.root),
        Route("/table", page.table),
        Route("/hand", page.hand),
        Route("/join", page.join, methods=["GET", "POST"]),
        Route("/press", page.pressed, methods=["POST"]),
        Route("/static/{name}", page.static),
        Route("/events", Stream(page.board, page.streams)),
    ]
    handlers = {_TooMuch: _cut_off}
    return Guard(Starlette(routes=routes, exception_handlers=handlers), page.access)
