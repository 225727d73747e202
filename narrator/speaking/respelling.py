"""From what is shown to what the voice is given: people and words that it would mispronounce."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from narrator.core.values import Seat


class Speakable:
    """Respells whole words of a line for the voice; the line on the screen stays as it is.

    Args:
        seats: Everybody at the table; `Seat.say` is the respelling of the name. Where others sit
            down in this list, their names are respelled from then on.
        words: Further respellings, by word as written.
    """

    def __init__(self, seats: Sequence[Seat], words: Mapping[str, str] | None = None) -> None:
        self._seats, self._others = seats, dict(words or {})

    def __call__(self, text: str) -> str:
        """Return the line as the voice is to read it."""
        words = {word: said for word, said in self._others.items() if word and said}
        words |= {seat.name: seat.say for seat in self._seats if seat.name and seat.say}
        longest_first = sorted(words, key=len, reverse=True)
        pattern = "|".join(re.escape(word) for word in longest_first)
        if not pattern:
            return text
        return re.sub(rf"(?<!\w)(?:{pattern})(?!\w)", lambda found: words[found[0]], text)
