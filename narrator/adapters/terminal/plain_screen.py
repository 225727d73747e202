"""Plain lines for people who read, and for their screen readers: nothing is ever drawn twice."""

from __future__ import annotations

import threading
import unicodedata
from typing import TextIO

from narrator.language.shown import shown, shown_in

_PLAIN = {
    "\u2026": "...",
    "\u2013": "-",
    "\u2014": "-",
    "\u00a0": " ",
    "\u2192": "to",
    "\u00d7": "x",
}


class PlainScreen:
    """A Screen that writes whole lines: no escape sequence, no carriage return, no symbol.

    May be used from any thread. A stream that is gone (a closed pipe) is written to no more.
    """

    def __init__(self, stream: TextIO) -> None:
        """Write to a text stream, which stays its owner's to close."""
        self._stream: TextIO | None = stream
        self._lock = threading.Lock()

    def line(self, text: str) -> None:
        """Show one line."""
        with self._lock:
            if self._stream is None:
                return
            try:
                encoding = getattr(self._stream, "encoding", None) or "utf-8"
                self._stream.write(f"{shown_in(plain(text), encoding)}\n")
                self._stream.flush()
            except (OSError, ValueError):
                self._stream = None


def plain(text: str) -> str:
    """Return a text in letters, digits and punctuation only, in one line."""
    simple = "".join(_PLAIN.get(sign, sign) for sign in shown(" ".join(text.splitlines())))
    return " ".join("".join(sign if _is_plain(sign) else " " for sign in simple).split())


def _is_plain(sign: str) -> bool:
    kind = unicodedata.category(sign)
    return (sign.isascii() and sign.isprintable()) or kind[0] in "LNMP" or kind in ("Zs", "Sc")
