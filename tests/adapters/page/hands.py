"""Hand pages without a browser: each reads what it is sent, and presses what its seat answers."""

from __future__ import annotations

import http.client
import json
import threading
from collections.abc import Callable, Mapping
from typing import Any
from urllib.parse import urlsplit

from tests.adapters.page.evening import NAMES, chosen

Press = Callable[[int, Mapping[str, Any]], list[dict[str, Any]]]
"""Gives the presses of a seat to what it was asked, by the number of the question."""


class Hand:
    """One phone: a stream of its own, and a press for each question that is its seat's.

    Args:
        url: Of the page.
        seat: Whose it is; empty: it only reads.
        presses: What it presses instead of the one press that answers.
    """

    def __init__(self, url: str, seat: str = "", presses: Press | None = None) -> None:
        self._host, self._seat = urlsplit(url).netloc, seat
        self._presses = presses or _answered
        self.wire = b""
        """Everything it was sent, byte for byte."""
        self.messages: list[tuple[str, Any]] = []
        self.refused: list[str] = []
        self._pressed = 0
        self._stream = http.client.HTTPConnection(self._host, timeout=30)
        self._stream.request("GET", "/events")
        self._answer = self._stream.getresponse()
        self._thread = threading.Thread(target=self._read, daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Wait until the stream is over."""
        self._thread.join(10.0)
        self._stream.close()

    def _read(self) -> None:
        kind = ""
        while row := self._answer.readline():
            self.wire += row
            if row.startswith(b"event: "):
                kind = row[7:-1].decode()
            elif row.startswith(b"data: "):
                data = json.loads(row[6:])
                self.messages.append((kind, data))
                if kind == "ended":
                    return
                if kind == "ask" and data["buttons"] and self._is_mine(data):
                    for press in self._presses(data["listen"], data):
                        self.press(press)

    def _is_mine(self, ask: Mapping[str, Any]) -> bool:
        return self._seat == (ask["seat"] or NAMES[0])

    def press(self, press: Mapping[str, Any]) -> int:
        """Press a button; return the status."""
        self._pressed += 1
        number = f"{self._seat}-{self._pressed}"
        body = json.dumps({"by": self._seat, "number": number, **press})
        connection = http.client.HTTPConnection(self._host, timeout=30)
        connection.request("POST", "/press", body, {"Origin": f"http://{self._host}"})
        answer = connection.getresponse()
        told = json.loads(answer.read())["told"]
        connection.close()
        if answer.status != 202:
            self.refused.append(told)
        return answer.status


def _answered(listen: int, ask: Mapping[str, Any]) -> list[dict[str, Any]]:
    return [{"line": chosen(ask), "listen": listen}]
