"""What was tried at each step, so that a game that does not end can say why."""

from __future__ import annotations

from collections import Counter

MOST = 5
"""Different answers that are told; more say nothing new."""
WIDEST = 60
"""Characters of one answer that are told."""


class Tries:
    """Counts what was said at each step."""

    def __init__(self) -> None:
        self._said: dict[str, Counter[str]] = {}

    def add(self, step: str, text: str) -> None:
        """Note one answer."""
        self._said.setdefault(step, Counter())[text[:WIDEST]] += 1

    def told(self, step: str) -> str:
        """Return one sentence on what was tried at a step, the most frequent first."""
        said = self._said.get(step)
        if not said:
            return "Nobody had anything to say there."
        parts = [
            f'"{text}"' + (f" ({times:,} times)" if times > 1 else "")
            for text, times in said.most_common(MOST)
        ]
        more = len(said) - len(parts)
        return f"Tried there: {', '.join(parts)}{f' and {more} more' if more > 0 else ''}."
