"""The keys of the keyboard: each stands for something that can be said, and the other way round."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from narrator.core.commands.table import TABLE, Command


@dataclass(frozen=True, slots=True)
class Control:
    """Something that can be said, and what does the same on the keyboard."""

    commands: tuple[str, ...]
    """The core's names; the first is what the key gives."""
    words: str
    """As somebody would say it."""
    at_once: str = ""
    """Name of the key that acts without Enter while the line is empty; no letter, since a letter
    may begin an answer ("Robert")."""
    letter: str = ""
    """What may be typed for it, with Enter."""


_WORDS = {
    "pause": "pause, go on",
    "spoiled_round": "this round is spoiled",
    "cover_louder": "background louder",
    "cover_quieter": "background quieter",
    "cues_louder": "signals louder",
    "cues_quieter": "signals quieter",
}
"""What is said for a command, where that is not its name."""


def _of(command: Command) -> Control:
    shared = (other.name for other in TABLE.values() if other.shares == command.name)
    words = _WORDS.get(command.name, command.name.replace("_", " "))
    return Control((command.name, *shared), words, command.key, command.letter)


CONTROLS = (
    *(_of(command) for command in TABLE.values() if not command.shares),
    Control(("yes",), "yes", "", "y"),
    Control(("no",), "no", "", "n"),
)
_PRESSED = {"Space": " ", "Escape": "\x1b"}
TALK = "\t"
"""What the keyboard gives for Tab, which acts at once as well: somebody wants to be heard now."""
TALK_LETTER = "l"
TALK_WORDS = "listen to me now"
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


def _rows() -> list[str]:
    width = max(len(control.words) for control in CONTROLS)
    talk = f"  {TALK_WORDS:{width}}  {'Tab':7} {TALK_LETTER}"
    return [talk] + [f"  {c.words:{width}}  {c.at_once:7} {c.letter}".rstrip() for c in CONTROLS]


ABOUT = (
    "Everything can be said, or typed in words with Enter. What is listed here",
    "has also a key, which acts at once while nothing is typed yet (in a terminal",
    "of Linux or macOS), and a letter, to be typed with Enter. Enter alone says the",
    "expected words. Ctrl-U clears what is typed, Ctrl-W its last word, and Ctrl-C",
    "leaves the game at once.",
)
HELP_PAGE = "\n".join((*ABOUT, "", *_rows()))
"""For `narrator play --help`."""
HELP = f"Keys: Tab: {TALK_WORDS}, " + ", ".join(
    f"{c.at_once or c.letter + ' and Enter'}: {c.words}" for c in CONTROLS
) + ". Or type what you would say, and Enter."  # fmt: skip
"""In one line, for whoever asks for help during a game."""
