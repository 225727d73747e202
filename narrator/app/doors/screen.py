"""The screen of a game, its keys and how it ended."""

from __future__ import annotations

from narrator.adapters.terminal.plain_screen import PlainScreen
from narrator.adapters.terminal.terminal_screen import screen_on
from narrator.session.keys import help_page
from narrator.session.outcome import Outcome

__all__ = [
    "Outcome",
    "PlainScreen",
    "help_page",
    "screen_on",
]
