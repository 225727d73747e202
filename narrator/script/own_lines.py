"""The few lines of the narrator's own that the compiler needs, for a locale that lacks them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol


class HasLines(Protocol):
    """A locale, as far as scripts are concerned."""

    @property
    def language(self) -> str:
        """The language's code, for instance `en`."""
        ...

    @property
    def lines(self) -> Mapping[str, str]:
        """The narrator's own lines by id, as Jinja templates."""
        ...


OWN_LINES: Mapping[str, str] = {
    "is_that_right": "Is that right?",
    "whose_vote_is_wrong": "Whose vote is wrong?",
    "and": "and",
    "nobody": "nobody",
    "minute": "minute",
    "minutes": "minutes",
    "second": "second",
    "seconds": "seconds",
}
WORDS = ("and", "nobody", "minute", "minutes", "second", "seconds")
"""Of these, what expressions build their texts from."""


def own_lines(locale: HasLines | Mapping[str, str] | None) -> dict[str, str]:
    """Give every own line: the locale's, and English ones for what it lacks."""
    if locale is None:
        return dict(OWN_LINES)
    lines = locale if isinstance(locale, Mapping) else locale.lines
    return {**OWN_LINES, **lines}
