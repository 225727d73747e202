"""The keyboard: lines from a terminal or a pipe, and on a terminal keys that act at once."""

from __future__ import annotations

import codecs
import contextlib
import os
import re
import select
import sys
import threading
from collections.abc import Callable, Iterator

from narrator.adapters.terminal.terminal_screen import TerminalScreen
from narrator.adapters.terminal.wrapping import columns

_LOOK = 0.1
_PATIENCE = 0.5
_CHUNK = 4096
_LONGEST = 10_000
"""Characters of a line; what follows is no answer to anything."""
_FOLLOWS = 0.05
"""Seconds within which the rest of a sequence follows its Escape."""
_ESCAPE = "\x1b"
_BACKSPACE = ("\x7f", "\b")
_END, _CLEAR, _DROP_WORD = "\x04", "\x15", "\x17"
_SEQUENCE = re.compile("\x1b(\\[\\[[A-E]|\\[[0-9;]*[A-Za-z~]|O[A-Za-z])")
"""What arrow and function keys send."""
_SPECIAL = {
    " ": " ",
    "\t": "\t",
    _ESCAPE: _ESCAPE,
    **{f"\x1b{mode}{key[0]}": f"\x1b{key[1:]}"
       for mode in "[O" for key in ("AUp", "BDown", "CRight", "DLeft")},
    **{f"\x1bO{sign}": f"\x1bF{n}" for n, sign in enumerate("PQRS", 1)},
    **{f"\x1b[[{sign}": f"\x1bF{n}" for n, sign in enumerate("ABCDE", 1)},
    **{f"\x1b[{number}~": f"\x1bF{n}"
       for n, number in enumerate((11, 12, 13, 14, 15, 17, 18, 19, 20, 21, 23, 24), 1)},
    **{f"\x1b{sent}": f"\x1b{name}" for name, sequences in (
        ("PageUp", ("[5~",)), ("PageDown", ("[6~",)), ("Insert", ("[2~",)),
        ("Home", ("[H", "OH", "[1~", "[7~")), ("End", ("[F", "OF", "[4~", "[8~")),
    ) for sent in sequences},
}  # fmt: skip
"""Keys that act without Enter while nothing is typed, as terminals send them: Space, Tab, Escape by
their characters, the others as Escape and their name. No letter, since it may begin an answer."""

Line = Callable[[str], None]


class Keyboard:
    """Reads lines in a thread of its own until it is closed or there is nothing more to read."""

    AT_ONCE = frozenset(_SPECIAL.values())
    """What stands for the keys that act without Enter."""

    def __init__(
        self,
        line: Line,
        closed: Callable[[], None],
        source: int = 0,
        is_full: Callable[[], bool] = lambda: False,
        screen: TerminalScreen | None = None,
    ) -> None:
        """Begin to read.

        Args:
            line: takes each line without its end, or the character of a key that acts at once.
            closed: told once when nothing more will come.
            source: file descriptor, the standard input if not given.
            is_full: whether no more lines can be taken for now; they wait where they come from.
            screen: on the same terminal, so that no line of it lands in what is being typed.
        """
        self._line, self._closed, self._source = line, closed, source
        self._is_full, self._screen = is_full, screen
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
        if self._screen is not None:
            self._screen.close()

    def _work(self) -> None:
        with (
            _single_keys(self._source) if self.is_terminal else contextlib.nullcontext(False) as raw
        ):
            while not self._closing.is_set():
                if self._is_full():
                    self._closing.wait(_LOOK)
                    continue
                text = self._read()
                if text is None:
                    break
                self._take(text, echo=bool(raw))
        if not self._closing.is_set():
            if self._typed:
                self._line(self._typed)
            self._closed()

    def _read(self) -> str | None:
        """Return what has come; "" where nothing has, None at the end."""
        try:
            if not self._is_ready():
                return ""
            data = os.read(self._source, _CHUNK)
        except (OSError, ValueError):
            return None
        return self._decoder.decode(data) if data else None

    def _is_ready(self, seconds: float = _LOOK) -> bool:
        if sys.platform == "win32":
            return True  # select knows only sockets there; the thread then ends with the process
        return bool(select.select([self._source], [], [], seconds)[0])

    def _take(self, text: str, *, echo: bool) -> None:
        if echo and text == _ESCAPE:
            text += self._rest()
        keys = list(_parts(text)) if echo and not self._typed else []
        if keys and all(key in _SPECIAL for key in keys):
            for key in keys:
                self._line(_SPECIAL[key])
            return
        for sign in _SEQUENCE.sub("", text):
            self._sign(sign, echo=echo)

    def _rest(self) -> str:
        """Return what follows an Escape that came alone: a slow line sends a sequence in parts."""
        return (self._read() or "") if self._is_ready(_FOLLOWS) else ""

    def _sign(self, sign: str, *, echo: bool) -> None:
        if sign in "\r\n":
            line, self._typed = self._typed, ""
            self._echo("\n", echo=echo)
            self._line(line)
        elif sign in _BACKSPACE:
            self._erase(self._typed[:-1], echo=echo)
        elif sign == _CLEAR:
            self._erase("", echo=echo)
        elif sign == _DROP_WORD:
            self._erase(self._typed.rstrip()[: -len(_last_word(self._typed)) or None], echo=echo)
        elif sign == _END and not self._typed and echo:
            self._closing.set()
            self._closed()
        elif len(self._typed) < _LONGEST and (sign.isprintable() or sign == "\t"):
            self._typed += sign
            self._echo(sign, echo=echo)

    def _erase(self, left: str, *, echo: bool) -> None:
        """Leave only this much of the line."""
        gone, self._typed = self._typed[len(left) :], left
        self._echo("\b \b" * columns(gone), echo=echo)

    def _echo(self, text: str, *, echo: bool) -> None:
        if echo and self._screen is not None:
            self._screen.echo(text, self._typed)
        elif echo:
            with contextlib.suppress(OSError):
                os.write(self._source, text.encode())


def _parts(text: str) -> Iterator[str]:
    """Split what came into sequences and single characters."""
    at = 0
    while at < len(text):
        found = _SEQUENCE.match(text, at)
        end = found.end() if found else at + 1
        yield text[at:end]
        at = end


def _last_word(text: str) -> str:
    return (text.split() or [""])[-1]


def _is_terminal(source: int) -> bool:
    try:
        return os.isatty(source)
    except OSError:
        return False


@contextlib.contextmanager
def _single_keys(source: int) -> Iterator[bool]:
    """Receive every key at once and echo it ourselves, as Space and Escape are not to be shown.

    Gives False where the terminal cannot do that: then lines are read as everywhere.
    """
    try:
        import termios

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
