"""The pages as they are sent first: complete where no script runs, and escaped."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from html import escape
from importlib.resources import files
from string import Template
from typing import Any

from narrator.adapters.page.board import COMMANDS, Board

Texts = Callable[[str], str]
"""Gives a text of the page by its name, in the language of the table."""
_STATIC = {"page.css": "text/css", "page.js": "text/javascript"}
_ABOVE = 6
"""Lines above the newest one on a page without script: as many as fit a television."""
_SCRIPT_TEXTS = (
    "lost", "back", "over", "turn of", "send", "more", "less", "your turn", "closed eyes", "unsent",
)  # fmt: skip


def static(name: str) -> tuple[bytes, str] | None:
    """Return a file of the page and its type; None for anything else."""
    kind = _STATIC.get(name)
    return None if kind is None else (_file(name).encode(), kind)


def table(board: Board, texts: Texts, language: str) -> str:
    """Return the page for a television."""
    lines = board.lines()
    ask, timer, view = board.state()
    shown = [escape(line["text"]) for line in lines[-_ABOVE:]]
    left = timer.get("left")
    return _filled(
        "table.html", texts, language,
        lines="\n".join(f"<p>{text}</p>" for text in shown),
        turn=escape(str(view.get("seat") or "")),
        timer="" if left is None else _minutes(left),
        prompt=escape(str(ask.get("prompt", ""))),
        scores="\n".join(f"<li>{escape(text)}</li>" for text in _scores(view)),
    )  # fmt: skip


def hand(seats: Sequence[str], texts: Texts, language: str) -> str:
    """Return the page for a phone."""
    chosen = "".join(f'<option value="{escape(s)}">{escape(s)}</option>' for s in seats)
    commands = "".join(
        f'<button type="button" data-command="{name}">{escape(texts(f"page do {name}"))}</button>'
        for name in COMMANDS
    )
    return _filled("hand.html", texts, language, seats=chosen, commands=commands)


def join(texts: Texts, language: str, told: str = "") -> str:
    """Return the page that asks for the six digits."""
    return _filled("join.html", texts, language, told=escape(told))


def _filled(name: str, texts: Texts, language: str, **fields: str) -> str:
    attributes = " ".join(
        f'data-{name.replace(" ", "-")}="{escape(texts(f"page {name}"))}"' for name in _SCRIPT_TEXTS
    )
    found = {f"t_{key}": escape(texts(f"page {key.replace('_', ' ')}")) for key in _TITLES}
    page = Template(_file(name))
    return page.substitute(fields, **found, language=escape(language), texts=attributes)


_TITLES = (
    "title", "captions", "timer", "awaited", "scores", "seat", "no_seat", "commands", "code",
    "enter", "join", "answers",
)  # fmt: skip


def _scores(view: Mapping[str, Any]) -> list[str]:
    return [f"{name}: {points}" for name, points in view.get("totals", {}).items()]


def _minutes(left: float) -> str:
    return f"{int(left) // 60}:{int(left) % 60:02}"


def _file(name: str) -> str:
    return files("narrator.adapters.page").joinpath("static", name).read_text("utf-8")
