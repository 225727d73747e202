"""What a game says and listens for, by id: its own words, or those of a translation."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from narrator.core.game import Place
from narrator.script.reading.nodes import Items, Node, Scalar

TITLE = "title"
"""Id of the game's title."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One id of a translation."""

    node: Node
    """As it was written; an empty text is no translation yet."""
    place: Place
    """Of the id."""
    original: str = ""
    """What the comment above it says the game had when it was translated; empty: nothing is said.
    """


@dataclass(frozen=True, slots=True)
class Translation:
    """Two files beside a script: its lines and its phrases in another language, by id."""

    language: str
    lines: Mapping[str, Entry] = field(default_factory=dict)
    phrases: Mapping[str, Entry] = field(default_factory=dict)


@dataclass(slots=True)
class Wording:
    """Hands out the words that are to be used, and notes every id with the game's own words."""

    translation: Translation | None = None
    lines: dict[str, Scalar] = field(default_factory=dict)
    """Every text that is said, by id, in the order of the script."""
    phrases: dict[str, tuple[Scalar, ...]] = field(default_factory=dict)
    """Everything that is listened for, by id."""

    def line(self, name: str, own: Scalar) -> Scalar:
        """Return the text to be said for an id: the translation's, else the game's own."""
        self.lines.setdefault(name, own)
        entry = self.translation.lines.get(name) if self.translation else None
        node = entry.node if entry else None
        if not isinstance(node, Scalar) or not node.text.strip():
            return own
        # A whole text stands for itself: numbers and yes or no are words here.
        return replace(node, plain=False)

    def said(self, name: str, own: Sequence[Scalar]) -> Sequence[Scalar]:
        """Return the phrases to be listened for."""
        if not own:
            return own
        self.phrases.setdefault(name, tuple(own))
        entry = self.translation.phrases.get(name) if self.translation else None
        return phrases_of(entry.node) or own if entry else own


def phrases_of(node: Node) -> list[Scalar]:
    """Return the phrases that a node holds: one text, or a list of them; empty ones left out."""
    nodes = node if isinstance(node, Items) else [node]
    return [item for item in nodes if isinstance(item, Scalar) and item.text.strip()]


def own_text(words: Scalar | Sequence[Scalar]) -> str:
    """Return the game's own words in one line, as a translation's comment has them."""
    texts = [words.text] if isinstance(words, Scalar) else [word.text for word in words]
    return " | ".join(" ".join(text.split()) for text in texts)
