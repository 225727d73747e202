"""The page of an evening: opened where the settings say so, and told of in one line."""

from __future__ import annotations

import importlib.util
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from narrator.adapters.terminal.terminal_screen import TerminalScreen
from narrator.config.settings import Settings
from narrator.core.values import Seat
from narrator.listening.interpreter import Interpreter
from narrator.ports.errors import PlayError
from narrator.ports.faults import FaultCode
from narrator.ports.session import Clock, Inbox, Screen
from narrator.session.buttons import answers
from narrator.session.keyboard_input import KeyboardInput
from narrator.session.watch import Watch

if TYPE_CHECKING:
    from narrator.adapters.page.server import Address

PORT = "page"
"""Where faults of the page come from."""
_LIBRARIES = ("starlette", "uvicorn", "segno")


@dataclass(frozen=True, slots=True)
class Table:
    """Who sits there, and what they understand."""

    seats: Sequence[Seat]
    """Others may sit down in this list."""
    language: str
    understanding: Interpreter


def show_page(
    settings: Settings,
    table: Table,
    typed: KeyboardInput,
    clock: Clock,
    inbox: Inbox,
    screen: Screen,
    watching: Watch,
    untold: Callable[[PlayError], None],
) -> Callable[[], None]:
    """Serve the page from now on, where the settings want one; return what ends it.

    Without one nothing of it is loaded and no port is opened. Where it cannot be served, the game
    is played without.

    Args:
        settings: Say whether and where.
        table: Who is shown as seats, and what they understand.
        typed: Gets what is pressed.
        clock: Of the session.
        inbox: Is told when something was pressed.
        screen: Shows where the page is.
        watching: Gets the page as an observer.
        untold: Told where it cannot be served.
    """
    if settings.page == "off":
        return lambda: None
    try:
        return _opened(settings, table, typed, clock, inbox, screen, watching)
    except PlayError as fault:
        untold(fault)
        return lambda: None


def _opened(
    settings: Settings,
    table: Table,
    typed: KeyboardInput,
    clock: Clock,
    inbox: Inbox,
    screen: Screen,
    watching: Watch,
) -> Callable[[], None]:
    if any(importlib.util.find_spec(name) is None for name in _LIBRARIES):
        raise PlayError(FaultCode.PAGE_MISSING)
    from narrator.adapters.page.board import Board
    from narrator.adapters.page.server import PageServer

    understanding = table.understanding

    def seats() -> list[str]:
        return [seat.name for seat in table.seats]

    board = Board(partial(answers, understanding=understanding), clock.now, seats)
    server = PageServer(
        board,
        seats,
        understanding.messages.line,
        table.language,
        lambda press: typed.press(press, inbox.post),
        clock.now,
        port=settings.page_port,
        to_the_network=settings.page == "lan",
    )
    typed.has_pages = True
    watching.add(board)
    _tell(server.address, understanding, screen, plain=settings.plain)
    return server.close


def _tell(address: Address, understanding: Interpreter, screen: Screen, *, plain: bool) -> None:
    name = "page at code" if address.code else "page at"
    screen.line(understanding.messages.line(name, url=address.url, code=address.code))
    if address.token and not plain and isinstance(screen, TerminalScreen):
        from narrator.adapters.page.code import qr_lines

        screen.drawn(qr_lines(address.joining))
