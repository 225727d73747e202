"""Who may read and press: names of the host, origins, the token of the QR code, and six digits."""

from __future__ import annotations

import hmac
import os
from collections import deque
from collections.abc import Callable

_TRIES = 10
"""Guesses of the code in a minute, by anybody: at that pace half of a million takes a month."""
_MINUTE = 60.0
COOKIE = "narrator"
"""Name of the cookie that a page which was let in has."""


class Access:
    """Decides which requests are answered.

    Args:
        hosts: What the Host header may say, with the port.
        open_to_all: Whether everybody who reaches it is let in: bound to this machine only.
        clock: Seconds that never run backwards.
    """

    def __init__(self, hosts: set[str], *, open_to_all: bool, clock: Callable[[], float]) -> None:
        self._hosts, self._open, self._clock = hosts, open_to_all, clock
        self._tries: deque[float] = deque(maxlen=_TRIES)
        self.token = os.urandom(16).hex()
        """128 bits, for the QR code."""
        self.code = f"{int.from_bytes(os.urandom(8)) % 1_000_000:06}"
        """Six digits, to be typed."""
        self.cookie = os.urandom(16).hex()
        """What a page that was let in shows from then on."""

    def is_ours(self, host: str) -> bool:
        """Whether a request was meant for this page, and not for another name of this address."""
        return host.lower() in self._hosts

    def is_own_origin(self, origin: str) -> bool:
        """Whether a page of ours sent this, and not one of another site."""
        scheme, _, host = origin.partition("://")
        return scheme == "http" and self.is_ours(host)

    def is_known(self, cookie: str) -> bool:
        """Whether somebody was let in before."""
        return self._open or _equal(cookie, self.cookie)

    def opens(self, token: str) -> bool:
        """Whether this is the token of the QR code."""
        return _equal(token, self.token)

    def opens_by_code(self, code: str) -> bool | None:
        """Whether these are the six digits; None where too many were tried, right or wrong."""
        now = self._clock()
        if len(self._tries) == _TRIES and now - self._tries[0] < _MINUTE:
            return None
        self._tries.append(now)
        return _equal(code.strip(), self.code)


def _equal(one: str, other: str) -> bool:
    return hmac.compare_digest(one.encode(), other.encode())
