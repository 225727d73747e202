"""The keys of the keyboard: each stands for something that can be said, and the other way round."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


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


CONTROLS = (
    Control(("pause", "resume", "stop"), "pause, go on", "Space", "p"),
    Control(("repeat",), "repeat", "F2", "r"),
    Control(("undo", "back"), "undo", "F3", "u"),
    Control(("skip",), "skip", "F4", "k"),
    Control(("more_time",), "more time", "F5", "m"),
    Control(("how_long_left",), "how long left", "F6", "t"),
    Control(("stop_the_timer",), "stop the timer", "F7", "x"),
    Control(("whose_turn",), "whose turn", "F8", "w"),
    Control(("scores",), "scores", "F9", "s"),
    Control(("spoiled_round",), "this round is spoiled", "F10", "b"),
    Control(("help",), "help", "F1", "h"),
    Control(("louder",), "louder", "Up", "+"),
    Control(("quieter",), "quieter", "Down", "-"),
    Control(("faster",), "faster", "Right", ">"),
    Control(("slower",), "slower", "Left", "<"),
    Control(("cover_louder",), "background louder", "PageUp", "b+"),
    Control(("cover_quieter",), "background quieter", "PageDown", "b-"),
    Control(("cues_louder",), "signals louder", "Home", "s+"),
    Control(("cues_quieter",), "signals quieter", "End", "s-"),
    Control(("end_the_game",), "end the game", "Escape", "q"),
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
