"""Lines on a terminal where somebody may be typing: what is being typed stays whole below them."""

from __future__ import annotations

import contextlib
import os
import threading
from collections.abc import Mapping, Sequence
from typing import TextIO

from narrator.adapters.terminal.plain_screen import PlainScreen, plain
from narrator.adapters.terminal.wrapping import columns, wrapped
from narrator.language.shown import shown_in

HOLD = 2.0
"""Seconds for which lines wait at most where nothing may be redrawn: long enough for a short
answer, and short enough for an instruction to be read in time."""
_USUAL_WIDTH = 80
"""Columns of a terminal that does not tell its width."""
_NARROWEST = 20
"""Columns below which the lines of a terminal are not broken further: some say 0 or 1."""


class TerminalScreen:
    """A Screen that breaks lines between words, and never writes into a line that is being typed.

    What is being typed is erased and written again below each line. In plain mode nothing is drawn
    twice while that can be avoided: lines wait until the typed one is finished, or for `hold`
    seconds. May be used from any thread.
    """

    def __init__(self, stream: TextIO, *, redraws: bool = True, hold: float = HOLD) -> None:
        """Write to a text stream, which stays its owner's to close."""
        self._stream: TextIO | None = stream
        self._redraws, self._hold = redraws, hold
        self._typed = ""
        self._held: list[str] = []
        self._timer: threading.Timer | None = None
        self._lock = threading.RLock()

    def line(self, text: str) -> None:
        """Show one line, on as many rows as it needs."""
        with self._lock:
            encoding = getattr(self._stream, "encoding", None) or "utf-8"
            rows = wrapped(shown_in(plain(text), encoding), self._width() - 1)
            if not self._typed:
                self._write(_lines(rows))
            elif self._redraws:
                self._write(f"{self._erasing()}{_lines(rows)}{self._typed}")
            else:
                self._wait(rows)

    def drawn(self, rows: Sequence[str]) -> bool:
        """Show a picture in characters, such as a QR code; False where it would not fit as it is.

        Args:
            rows: Its lines, each as wide as the others.
        """
        with self._lock:
            encoding = getattr(self._stream, "encoding", None) or "utf-8"
            fits = all(shown_in(row, encoding) == row for row in rows)
            if not fits or self._typed or max(map(len, rows)) >= self._width():
                return False
            self._write(_lines([*rows]))
            return True

    def echo(self, text: str, typed: str) -> None:
        """Write what a key does to the line that is being typed.

        Args:
            text: To be written.
            typed: The whole line as it is then; empty where it was finished or cleared.
        """
        with self._lock:
            self._typed = typed
            self._write(text)
            if not typed:
                self._write_held()

    def close(self) -> None:
        """End the line that is being typed, and write what waited for that."""
        with self._lock:
            self.echo("\n" if self._typed else "", "")

    def _wait(self, rows: list[str]) -> None:
        self._held += rows
        if self._timer is None:
            self._timer = threading.Timer(self._hold, self._is_late)
            self._timer.daemon = True
            self._timer.start()

    def _is_late(self) -> None:
        """Show what waits although somebody is still typing, and then what they typed."""
        with self._lock:
            if self._held:
                self._write("\n")
                self._write_held()
                self._write(self._typed)

    def _write_held(self) -> None:
        held, self._held = self._held, []
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        self._write(_lines(held))

    def _erasing(self) -> str:
        """Return what takes the line that is being typed off the screen, all its rows."""
        rows_above = max(0, columns(self._typed) - 1) // self._width()
        return "\r" + "\x1b[A" * rows_above + "\x1b[J"

    def _width(self) -> int:
        try:
            width = os.get_terminal_size(self._stream.fileno()).columns if self._stream else 0
        except (OSError, ValueError):
            width = 0
        return max(_NARROWEST, width or _USUAL_WIDTH)

    def _write(self, text: str) -> None:
        if self._stream is None or not text:
            return
        try:
            self._stream.write(text)
            self._stream.flush()
        except (OSError, ValueError):
            self._stream = None


def _lines(rows: list[str]) -> str:
    return "".join(f"{row}\n" for row in rows)


def screen_on(
    stream: TextIO, environment: Mapping[str, str], *, plain: bool = False
) -> PlainScreen | TerminalScreen:
    """Return the screen for a stream.

    Args:
        stream: Usually standard error; a terminal or not.
        environment: `NO_COLOR` and `TERM=dumb` ask for plain lines.
        plain: Whether the settings ask for plain lines.
    """
    with contextlib.suppress(OSError, ValueError):
        if stream.isatty():
            simple = plain or "NO_COLOR" in environment or environment.get("TERM") == "dumb"
            return TerminalScreen(stream, redraws=not simple)
    return PlainScreen(stream)
