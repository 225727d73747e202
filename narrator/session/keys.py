"""The keys of the keyboard: each stands for something that can be said, and the other way round."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping
from dataclasses import dataclass

from narrator.core.commands.table import TABLE, Command
from narrator.language.messages import Messages


@dataclass(frozen=True, slots=True)
class Control:
    """Something that can be said, and what does the same on the keyboard."""

    commands: tuple[str, ...]
    """The core's names; the first is what the key gives."""
    at_once: str = ""
    """Name of the key that acts without Enter while the line is empty; no letter, since a letter
    may begin an answer ("Robert")."""
    letter: str = ""
    """What may be typed for it, with Enter."""


def _of(command: Command) -> Control:
    shared = (other.name for other in TABLE.values() if other.shares == command.name)
    return Control((command.name, *shared), command.key, command.letter)


CONTROLS = (
    *(_of(command) for command in TABLE.values() if not command.shares),
    Control(("yes",), "", "y"),
    Control(("no",), "", "n"),
)
_PRESSED = {"Space": " ", "Escape": "\x1b"}
TALK = "\t"
"""What the keyboard gives for Tab, which acts at once as well: somebody wants to be heard now."""
TALK_LETTER = "l"
MORE = {"?": "help", "quit": "end_the_game", "exit": "end_the_game"}


def pressed(name: str) -> str:
    """Return what stands for a key that acts at once; no text that could be typed as an answer."""
    return _PRESSED.get(name, f"\x1b{name}")


PRESSED: Mapping[str, str] = {pressed(c.at_once): c.commands[0] for c in CONTROLS if c.at_once}
"""Commands by what the keyboard gives for a key that acts at once."""
KEYS: Mapping[str, str] = {
    **PRESSED,
    **{c.letter: c.commands[0] for c in CONTROLS},
    **MORE,
}
"""Commands by what the keyboard gives."""


def words(control: Control, messages: Messages) -> str:
    """Return what somebody would say instead of pressing the key."""
    return messages.line(f"key {control.commands[0]}")


def help_page(messages: Messages) -> str:
    """Return the keys as a page, a line for each."""
    said = [words(control, messages) for control in CONTROLS]
    talk = messages.line("key talk")
    width = max(len(text) for text in (*said, talk))
    rows = [f"  {talk:{width}}  {'Tab':8} {TALK_LETTER}"]
    rows += [
        f"  {t:{width}}  {c.at_once:8} {c.letter}" for t, c in zip(said, CONTROLS, strict=True)
    ]
    about = textwrap.wrap(messages.line("about keys"), 78)
    return "\n".join((*about, "", *rows))


def help_lines(messages: Messages) -> list[str]:
    """Return the keys for the help during a game: how to use them, and a line for each."""
    shown = [
        messages.line("keys"),
        messages.line("key", key="Tab", words=messages.line("key talk")),
    ]
    for control in CONTROLS:
        key = control.at_once or messages.line("letter and enter", letter=control.letter)
        shown.append(messages.line("key", key=key, words=words(control, messages)))
    return shown
