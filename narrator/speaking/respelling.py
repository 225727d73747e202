"""From what is shown to what the voice is given: people and words that it would mispronounce."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from narrator.core.values import Seat


class Speakable:
    """Respells whole words of a line for the voice; the line on the screen stays as it is.

    Args:
        seats: Everybody at the table; `Seat.say` is the respelling of the name.
        words: Further respellings, by word as written.
    """

    def __init__(self, seats: Sequence[Seat], words: Mapping[str, str] | None = None) -> None:
        self._words = {word: said for word, said in (words or {}).items() if word and said}
        self._words |= {seat.name: seat.say for seat in seats if seat.name and seat.say}
        longest_first = sorted(self._words, key=len, reverse=True)
        pattern = "|".join(re.escape(word) for word in longest_first)
        self._pattern = re.compile(rf"(?<!\w)(?:{pattern})(?!\w)") if pattern else None

    def __call__(self, text: str) -> str:
        """Return the line as the voice is to read it."""
        if self._pattern is None:
            return text
        return self._pattern.sub(lambda found: self._words[found[0]], text)
