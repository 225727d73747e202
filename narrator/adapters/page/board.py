"""What the pages show, as numbered messages: the same bytes for everybody who reads them."""

from __future__ import annotations

import json
import threading
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

from narrator.core.effects import Listen
from narrator.ports.page import Answers
from narrator.ports.session import (
    Asked,
    Ended,
    Fault,
    Heard,
    LineBegun,
    LineEnded,
    PublicView,
    Shown,
    TimerRunning,
    Update,
)

_KEPT = 5_000
"""Lines of an evening that a page can still read: more than five hours of a talkative game."""
_SHOWN = 200
"""Lines that a page which comes late is sent."""
COMMANDS = (
    "repeat", "pause", "resume", "undo", "more_time", "how_long_left", "whose_turn", "scores",
    "help",
)  # fmt: skip
"""Commands that a hand page has buttons for."""


class Message(NamedTuple):
    """One message to a page."""

    number: int
    kind: str
    data: str
    """JSON."""


@dataclass(slots=True)
class Question:
    """What is asked now, for judging presses."""

    listen: int = -1
    since: int = -1
    """Its first number: a question is asked again when its line has been said."""
    seat: str | None = None
    eyes_closed: bool = False
    is_asked: bool = False
    commands: tuple[str, ...] = ()

    def is_meant(self, listen: int) -> bool:
        """Whether a button that was shown under this number answers it."""
        return self.is_asked and self.since <= listen <= self.listen


@dataclass(slots=True)
class _State:
    """What is true now, beside the lines."""

    ask: dict[str, Any] = field(default_factory=dict)
    typed: str = ""
    """What the keyboard is told of the question: pages have buttons."""
    due: float | None = None
    total: float = 0.0
    view: dict[str, Any] = field(default_factory=dict)
    over: bool = False


class Board:
    """Watches a session and keeps what pages may show. Told in one thread, read in another.

    Only what the table hears or reads is kept: never what somebody answered, nor a variable of the
    game except its totals.

    Args:
        answers: Gives the buttons of a question.
        now: Session seconds.
        seats: Gives the names of everybody at the table, who may change between two games.
    """

    def __init__(
        self,
        answers: Callable[[Listen], Answers],
        now: Callable[[], float],
        seats: Callable[[], Sequence[str]] = tuple,
    ) -> None:
        self._answers, self._now, self._seats = answers, now, seats
        self._lock = threading.Lock()
        self._lines: deque[Message] = deque(maxlen=_KEPT)
        self._number = 0
        self._state = _State()
        self._told: Callable[[Message], None] = lambda message: None
        self.question = Question()
        """What is asked now; replaced, never changed."""

    def tell(self, told: Callable[[Message], None]) -> None:
        """Hand every later message to this, from the thread of the session; it returns at once."""
        self._told = told

    def observe(self, update: Update) -> None:
        """Keep what happened and pass it on."""
        with self._lock:
            for kind, data in self._messages(update):
                self._put(kind, data)

    def since(self, number: int | None) -> list[Message]:
        """Return the lines after a message, or the last ones, and then what is true now."""
        with self._lock:
            kept = list(self._lines)
            lines = kept[-_SHOWN:] if number is None else [m for m in kept if m.number > number]
            now = [
                (kind, data)
                for kind, data in (
                    ("view", self._state.view),
                    ("timer", self._timer()),
                    ("ask", self._state.ask),
                )
                if data
            ]
            if self._state.over:
                now.append(("ended", {}))
            return [*lines, *(Message(self._number, kind, _json(data)) for kind, data in now)]

    def lines(self) -> list[dict[str, Any]]:
        """Return the last lines, for a page that runs no script."""
        with self._lock:
            return [json.loads(m.data) for m in list(self._lines)[-_SHOWN:] if m.kind == "line"]

    def state(self) -> tuple[Mapping[str, Any], Mapping[str, Any], Mapping[str, Any]]:
        """Return the question, the timer and the public view, for a page that runs no script."""
        with self._lock:
            return dict(self._state.ask), self._timer(), dict(self._state.view)

    def _put(self, kind: str, data: Mapping[str, Any]) -> None:
        self._number += 1
        message = Message(self._number, kind, _json(data))
        if kind in ("line", "said"):
            self._lines.append(message)
        self._told(message)

    def _messages(self, update: Update) -> list[tuple[str, Mapping[str, Any]]]:
        """Return what pages are told of an update; nothing of what may be secret."""
        state = self._state
        if isinstance(update, LineBegun):
            role = "own" if update.utterance < 0 else update.role
            said = {"id": update.utterance, "text": update.text, "role": role}
            return [("line", {**said, "spoken": update.spoken})]
        if isinstance(update, LineEnded):
            return [("said", {"id": update.utterance})]
        if isinstance(update, Shown):
            # With eyes closed nobody reads, and how somebody pressed is nobody's business.
            if update.text == state.typed or self.question.eyes_closed:
                return []
            return [("line", {"id": 0, "text": update.text, "role": "shown", "spoken": False})]
        if isinstance(update, Asked):
            state.ask, state.over = self._asked(update), False
            return [("ask", state.ask)]
        if isinstance(update, Heard) and update.verdict == "accepted":
            self.question = replace(self.question, since=self.question.listen)
        if isinstance(update, TimerRunning):
            left = 0.0 if update.due is None else update.due - update.at
            state.total = max(state.total, left) if state.due is not None else left
            state.due = update.due
            return [("timer", self._timer())]
        if isinstance(update, PublicView):
            view = {"seat": update.view.get("seat"), "totals": update.view.get("totals") or {}}
            changed, state.view = view != state.view, view
            return [("view", view)] if changed else []
        if isinstance(update, Ended):
            state.over, state.ask, self.question = True, {}, Question()
            return [("ended", {})]
        return [("fault", {"text": update.message})] if isinstance(update, Fault) else []

    def _asked(self, update: Asked) -> dict[str, Any]:
        listen, found = update.listen, self._answers(update.listen)
        self._state.typed = found.typed
        commands = tuple(name for name in COMMANDS if name in update.buttons)
        asked = bool(listen.answers)
        told = {
            "seat": listen.seat,
            "eyes_closed": listen.eyes_closed,
            "picking": found.picking,
            "prompt": found.prompt,
            "low": found.low,
            "high": found.high,
            "buttons": [[button.line, button.label, button.is_whole] for button in found.buttons],
            "seats": list(self._seats()),
            "commands": [] if listen.eyes_closed else list(commands),
        }
        same = {**told, "listen": self.question.listen} == self._state.ask
        since = self.question.since if same else listen.listen
        self.question = Question(
            listen.listen, since, listen.seat, listen.eyes_closed, asked, commands
        )
        return {"listen": listen.listen, **told}

    def _timer(self) -> dict[str, Any]:
        due = self._state.due
        if due is None:
            return {"left": None, "total": 0}
        left = max(0.0, round(due - self._now(), 1))
        return {"left": left, "total": round(max(self._state.total, left), 1)}


def _json(data: object) -> str:
    return json.dumps(data, ensure_ascii=False, separators=(",", ":"))
