"""What an author is told: a code, a place, the line with a caret, and the cure."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from narrator.core.game import Place
from narrator.script.diagnostics.codes import DESCRIPTORS

Severity: TypeAlias = Literal["error", "warning"]

MOST = 50
"""Diagnostics of one file that are worth reading; what comes after them is dropped."""
WIDEST = 160
"""Characters of a source line that are shown."""


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """One thing to tell the author."""

    code: str
    """`NS001` and so on; each has a page in docs/errors/."""
    severity: Severity
    """A script with an error gives no game; a warning may be left as it is."""
    message: str
    """One plain sentence."""
    place: Place
    excerpt: str = ""
    """The source line, and below it a caret at the place; empty where there is no such line."""
    cure: str = ""
    """What to do about it."""

    def __str__(self) -> str:
        where = f"{self.place.file}:{self.place.line}:{self.place.column}"
        head = f"{where}: {self.severity} {self.code}: {self.message}"
        return "\n".join(part for part in (head, self.excerpt, self.cure) if part)


@dataclass(slots=True)
class Report:
    """Collects diagnostics about one file."""

    lines: Sequence[str] = ()
    """The file's text, line by line."""
    file: str = ""
    found: list[Diagnostic] = field(default_factory=list)
    dropped: set[str] = field(default_factory=set)
    """Names that would be there if everything could be read; a missing one is not reported."""
    others: dict[str, Sequence[str]] = field(default_factory=dict)
    """Lines of further files that belong to it, such as its translations."""

    def include(self, other: Report) -> None:
        """Take over what was found in a further file."""
        self.others[other.file] = other.lines
        self.found += other.found

    def lines_of(self, file: str) -> Sequence[str]:
        """Return the lines of one of the files."""
        return self.others.get(file, self.lines)

    def add(
        self,
        code: str,
        place: Place,
        *,
        cure: str = "",
        near: tuple[str, Iterable[str]] | None = None,
        **fields: object,
    ) -> None:
        """Note one thing.

        Args:
            code: of the descriptor, whose template the fields fill.
            place: where it stands.
            cure: what to do about it, where the descriptor's own words can be bettered.
            near: what was written, and everything that could be meant there.
            fields: for the descriptor's template.
        """
        if self.full:
            return
        descriptor = DESCRIPTORS[code]
        meant = did_you_mean(*near) if near else ""
        text = " ".join(filter(None, (meant, cure or descriptor.cure)))
        message = descriptor.template.format(**fields)
        diagnostic = Diagnostic(
            code, descriptor.severity, message, place, self._excerpt(place), text
        )
        if diagnostic not in self.found:
            self.found.append(diagnostic)

    @property
    def full(self) -> bool:
        """Whether so much is wrong that further reading is pointless."""
        return len(self.found) >= MOST

    @property
    def failed(self) -> bool:
        """Whether anything found forbids making a game."""
        return any(d.severity == "error" for d in self.found)

    def sorted(self) -> tuple[Diagnostic, ...]:
        """Return everything found, in the order of the file."""
        return tuple(sorted(self.found, key=self._order))

    def _order(self, d: Diagnostic) -> tuple[bool, str, int, int, str]:
        further = d.place.file in self.others
        return further, d.place.file if further else "", d.place.line, d.place.column, d.code

    def _excerpt(self, place: Place) -> str:
        lines = self.lines_of(place.file)
        if not 1 <= place.line <= len(lines):
            return ""
        start = max(0, place.column - WIDEST // 2) if place.column > WIDEST else 0
        line = lines[place.line - 1].replace("\t", " ")[start : start + WIDEST]
        return f"    {line}\n    {' ' * max(0, place.column - 1 - start)}^"


def closest(written: str, possible: Iterable[str]) -> str:
    """Return what was most likely meant; empty where nothing is close."""
    options = sorted({option for option in possible if option})
    return next(iter(difflib.get_close_matches(written.lower(), options, n=1, cutoff=0.6)), "")


def did_you_mean(written: str, possible: Iterable[str]) -> str:
    """Return `Did you mean …?` for what is close to what was written; else what is possible."""
    options = sorted({option for option in possible if option})
    close = closest(written, options)
    if close:
        return f"Did you mean `{close}`?"
    if 0 < len(options) <= 16:
        return f"Possible here: {', '.join(options)}."
    return ""
