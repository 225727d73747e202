"""The keyboard: lines from a terminal or a pipe, and on a terminal two keys that act at once."""

from __future__ import annotations

import codecs
import contextlib
import importlib
import os
import re
import select
import sys
import threading
from collections.abc import Callable, Iterator
from typing import Any

_LOOK = 0.1
_PATIENCE = 0.5
_CHUNK = 4096
AT_ONCE = (" ", "\x1b")
"""Keys that act without Enter, where nothing has been typed before them: Space and Escape."""
_BACKSPACE = ("\x7f", "\b")
_END = "\x04"
_SEQUENCE = re.compile("\x1b(\\[[0-9;]*[A-Za-z~]|O[A-Za-z])")
"""What arrow and function keys send."""

Line = Callable[[str], None]


class Keyboard:
    """Reads lines in a thread of its own until it is closed or there is nothing more to read."""

    def __init__(self, line: Line, closed: Callable[[], None], source: int = 0) -> None:
        """Begin to read.

        Args:
            line: takes each line without its end, or the character of a key that acts at once.
            closed: told once when nothing more will come.
            source: file descriptor, the standard input if not given.
        """
        self._line, self._closed, self._source = line, closed, source
        self._closing = threading.Event()
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self._typed = ""
        self.is_terminal = _is_terminal(source)
        self._thread = threading.Thread(target=self._work, name="keyboard", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Stop reading and leave the terminal as it was; returns at once."""
        self._closing.set()
        self._thread.join(_PATIENCE)

    def _work(self) -> None:
        with (
            _single_keys(self._source) if self.is_terminal else contextlib.nullcontext(False) as raw
        ):
            while not self._closing.is_set():
                text = self._read()
                if text is None:
                    break
                self._take(text, echo=bool(raw))
        if not self._closing.is_set():
            if self._typed:
                self._line(self._typed)
            self._closed()

    def _read(self) -> str | None:
        """Give what has come; "" where nothing has, None at the end."""
        try:
            if not self._is_ready():
                return ""
            data = os.read(self._source, _CHUNK)
        except (OSError, ValueError):
            return None
        return self._decoder.decode(data) if data else None

    def _is_ready(self) -> bool:
        if sys.platform == "win32":
            return True  # select knows only sockets there; the thread then ends with the process
        return bool(select.select([self._source], [], [], _LOOK)[0])

    def _take(self, text: str, *, echo: bool) -> None:
        if echo and not self._typed and text in AT_ONCE:
            self._line(text)
            return
        for sign in _SEQUENCE.sub("", text):
            self._sign(sign, echo=echo)

    def _sign(self, sign: str, *, echo: bool) -> None:
        if sign in "\r\n":
            self._echo("\n", echo=echo)
            line, self._typed = self._typed, ""
            self._line(line)
        elif sign in _BACKSPACE:
            if self._typed:
                self._echo("\b \b", echo=echo)
            self._typed = self._typed[:-1]
        elif sign == _END and not self._typed and echo:
            self._closing.set()
            self._closed()
        elif sign.isprintable() or sign == "\t":
            self._typed += sign
            self._echo(sign, echo=echo)

    def _echo(self, text: str, *, echo: bool) -> None:
        if echo:
            with contextlib.suppress(OSError):
                os.write(self._source, text.encode())


def _is_terminal(source: int) -> bool:
    try:
        return os.isatty(source)
    except OSError:
        return False


@contextlib.contextmanager
def _single_keys(source: int) -> Iterator[bool]:
    """Have every key at once and echo ourselves, as Space and Escape are not to be shown.

    Gives False where the terminal cannot do that: then lines are read as everywhere.
    """
    try:
        termios: Any = importlib.import_module("termios")
        before = termios.tcgetattr(source)
    except (ImportError, OSError, Exception):
        yield False
        return
    changed = list(before)
    changed[3] &= ~(termios.ICANON | termios.ECHO)
    try:
        termios.tcsetattr(source, termios.TCSADRAIN, changed)
        yield True
    finally:
        with contextlib.suppress(Exception):
            termios.tcsetattr(source, termios.TCSADRAIN, before)
